"""The cluster is an extra: where it is not installed, its tests are not collected."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = (
    [] if find_spec("distributed") and find_spec("threadpoolctl") else ["test_cluster.py"]
)
