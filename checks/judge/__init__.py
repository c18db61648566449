"""Judge other people's implementations: one transcript format, one judge, many readings."""
