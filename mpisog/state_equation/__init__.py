"""What a net's state equation proves: atoms that never change, letters that never occur."""
