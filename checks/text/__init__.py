"""How things are written down: tables and links of Markdown, the meaning of JSON fields,
the machine that a result is of.

Imports no other package of `checks`; all of them may import it.
"""
