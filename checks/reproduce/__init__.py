"""The experiments of Section 6 and Appendix E, run again: panels, units, findings, pictures.

A panel says what a run measures and which tests were declared of it before anything was run in
full. Imports `engine` and what is below it; `site` and `cli` import it.
"""
