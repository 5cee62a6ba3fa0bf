"""How results are shown: text, JSON, the contest's lines, counterexamples, progress."""
