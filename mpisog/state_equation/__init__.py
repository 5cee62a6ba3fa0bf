"""What a net's state equation settles: atoms that never change, letters that never occur."""
