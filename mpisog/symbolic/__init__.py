"""Sets of markings: one narrow protocol and its backends (mdd, bits, bdd, explicit)."""
