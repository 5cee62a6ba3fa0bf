"""The engines behind one protocol, the registry that picks one, and the loop over properties."""
