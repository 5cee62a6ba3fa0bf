"""The only room that imports Spot: formulas, automata, the bridge, emptiness checks, words."""
