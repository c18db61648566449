"""As run: what the authors' experiments do (Section 6, Appendix E) beside what they print.

A piece of Algorithm 2 belongs here if Appendix E describes it and it differs from the printed one;
it is called as the printed and the repaired one are, and may take their place in either version of
Algorithm 2. No theorem speaks of it. Modules here may import `reference` and `reference.repaired`;
neither imports them, `checks` does.
"""
