"""Tests of the kernel: what it accepts, what it refuses, and what it is made of."""
