"""Counterexamples: lassos of the original net and their independent replay."""
