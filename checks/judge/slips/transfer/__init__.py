"""Slips in what `capabilities/transfer` asks for."""
