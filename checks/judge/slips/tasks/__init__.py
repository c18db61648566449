"""Slips in what `capabilities/tasks` asks for."""
