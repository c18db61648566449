"""One Hypothesis profile for everybody: the same examples in every run, no database, no clock."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None, database=None)
settings.load_profile("ci")
