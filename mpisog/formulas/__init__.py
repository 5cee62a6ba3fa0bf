"""Properties: where they come from, and what their atoms mean on a net."""
