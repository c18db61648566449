"""The same implementation without a protocol: an object with a method per capability.

Judge it: ptum validate adapter:subject

The judge calls the methods in a process of their own. Fields of a request arrive as keyword
arguments, arrays as numpy arrays, infinite errors as float("inf"). A method returns a dict of the
documented fields, a tuple of them in their order, or the value itself where there is only one. A
method that does not exist is not judged.
"""

import my_ptum


class Subject:
    """Six of the capabilities."""

    name = "python example"
    version = "1"

    def optimal(self, p, q, u, gamma):
        return my_ptum.optimal(p, q, u, gamma)

    def policy_value(self, p, q, u, gamma, pi):
        return my_ptum.policy_value(p, q, u, gamma, pi)

    def widths(self, **fields):
        return my_ptum.widths(**fields)

    def information(self, models, gamma, errors):
        return my_ptum.information(models, gamma, errors)

    def next_query(self, models, gamma, errors, active):
        return my_ptum.next_query(models, gamma, errors, active)

    def ptum(self, sample, **fields):
        """`sample(s, a)` returns a reward and the number of the next state."""
        return my_ptum.ptum(**fields, sample=sample)


subject = Subject()
