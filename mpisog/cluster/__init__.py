"""Running on many machines: what there is and whether it works; batch scripts."""
