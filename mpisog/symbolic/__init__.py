"""Sets of markings: one narrow protocol and its backends (native mdd, CUDD bdd, frozenset)."""
