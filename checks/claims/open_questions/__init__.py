"""Four questions that the repaired theory left open, attacked: docs/open_questions.md.

Each module builds the best instances known, verifies them without rounding where that is possible,
and has an attack that looks for better ones. A function that no check runs stands behind a sentence
or a table of that page, which names it; the tests hold the page's numbers against it.
"""
