"""Algorithms 1 and 2 written plainly, of which conforming and faulty variants are made."""
