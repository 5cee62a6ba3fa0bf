"""Structural reductions: a smaller net that answers the same formula."""
