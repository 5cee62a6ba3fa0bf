"""A second opinion: nets, LTL and verdicts that share no code with mpisog."""
