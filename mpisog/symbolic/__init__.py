"""Sets of markings: one narrow protocol and its backends (native ldd, CUDD bdd, frozenset)."""
