"""Judge other people's implementations: one transcript format, one judge, many readings.

Imports `instances` and what is below it, no check; `suite`, `site` and `cli` may import it.
"""
