"""Slips in what `capabilities/sequential` asks for."""
