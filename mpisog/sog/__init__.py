"""Symbolic observation graphs: what is observed, aggregates, their successors, the graph."""
