"""The domains of Section 6 and Appendix E as tasks: grids with goals, and objectworlds."""
