"""Petri nets: the model, its explicit semantics, readers, writers, generators, structure."""
