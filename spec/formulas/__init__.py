"""The paper's formulas as data, one module per part of it, printed and repaired side by side."""
