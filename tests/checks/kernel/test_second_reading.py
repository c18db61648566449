"""Three majors computed again from Sections 2 and 3 of the paper, with none of the kernel's code.

Optimal policies are found by trying all of them, and every quantity is written as the paper defines
it; only the instances are taken from the certificates, whose numbers are compared at the end.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction as F
from itertools import product
from typing import Any, TypeAlias

from ptum.checks.suite import certificates

Policy: TypeAlias = tuple[int, ...]


def fractions(part: Any) -> Any:
    return [fractions(each) for each in part] if isinstance(part, list) else F(part)


def dot(x: list[F], y: list[F]) -> F:
    return sum((a * b for a, b in zip(x, y, strict=True)), F(0))


@dataclass(frozen=True)
class Mdp:
    """p[s][a][s'], r[s][a], the variance of the reward v[s][a], and γ."""

    p: Any
    r: Any
    v: Any
    gamma: F

    def values(self, policy: Policy) -> list[F]:
        """V^π: Gauss and Jordan on (I - γP)V = r."""
        S = range(len(self.r))
        rows = [
            [F(s == t) - self.gamma * self.p[s][policy[s]][t] for t in S] + [self.r[s][policy[s]]]
            for s in S
        ]
        for i in S:
            pivot = next(j for j in S[i:] if rows[j][i])
            rows[i], rows[pivot] = rows[pivot], rows[i]
            rows[i] = [x / rows[i][i] for x in rows[i]]
            for j in S:
                if j != i:
                    rows[j] = [x - rows[j][i] * y for x, y in zip(rows[j], rows[i], strict=True)]
        return [row[-1] for row in rows]

    def optimum(self) -> tuple[list[F], list[Policy]]:
        """V* and all policies that attain it."""
        every = list(product(range(len(self.r[0])), repeat=len(self.r)))
        values = {policy: self.values(policy) for policy in every}
        best = [max(v[s] for v in values.values()) for s in range(len(self.r))]
        return best, [policy for policy in every if values[policy] == best]

    def loss(self, policy: Policy) -> F:
        return max(x - y for x, y in zip(self.optimum()[0], self.values(policy), strict=True))


@dataclass(frozen=True)
class RunCase:
    """What Algorithm 1 is given; the target is the first model."""

    models: list[Mdp]
    tasks: list[Mdp]
    epsilon: F
    Delta: F
    document: Any

    def threshold(self) -> F:
        gamma = self.models[0].gamma
        return self.epsilon * (1 - gamma) / (4 * (1 + gamma))

    def slack(self) -> F:
        gamma = self.models[0].gamma
        return self.epsilon - 2 * self.Delta * (1 + gamma) / (1 - gamma)

    def pairs(self) -> list[tuple[int, int]]:
        return list(product(range(len(self.models[0].r)), range(len(self.models[0].r[0]))))

    def worst_losses(self) -> list[F]:
        """The worst loss of each model's optimal policy; all of a model's lose the same here."""
        found = []
        for m in self.models:
            losses = {max(n.loss(policy) for n in self.models) for policy in m.optimum()[1]}
            assert len(losses) == 1
            found.append(losses.pop())
        return found

    def gaps(self, m: Mdp, n: Mdp, s: int, a: int) -> tuple[F, F]:
        """Δ^r and Δ^p of Section 2, the second with the optimal values of m."""
        V = m.optimum()[0]
        return abs(m.r[s][a] - n.r[s][a]), abs(dot(m.p[s][a], V) - dot(n.p[s][a], V))

    def information(self, m: Mdp, n: Mdp, s: int, a: int) -> F:
        """Definition 1."""
        V, row = m.optimum()[0], m.p[s][a]
        variance_of_value = dot(row, [x * x for x in V]) - dot(row, V) ** 2
        gap_r, gap_p = self.gaps(m, n, s, a)
        terms = (gap_r, m.v[s][a], F(1)), (gap_p, variance_of_value, 1 - m.gamma)
        found = list[F]()
        for gap, variance, c in terms:
            d = max(gap - 8 * self.Delta, F(0))
            found.append(min(d**2 / variance, c * d) if variance else c * d)
        return max(found)

    def distances(self, m: Mdp) -> tuple[F, F]:
        """‖r̃_θ - r̃_θ*‖ and ‖(p̃_θ - p̃_θ*)ᵀṼ*_θ*‖."""
        found = [self.gaps(self.models[0], m, s, a) for s, a in self.pairs()]
        return max(r for r, _ in found), max(p for _, p in found)


def case(name: str) -> RunCase:
    document = json.loads((certificates.STORED / f"{name}.json").read_text(encoding="utf-8"))
    given = {key: fractions(value) for key, value in document["instance"].items()}
    models, tasks = (
        [Mdp(p, r, v, given["γ"]) for p, r, v in zip(*tables, strict=True)]
        for tables in (
            [given[key] for key in "prv"],
            [given.get(f"{key}_true", given[key]) for key in "prv"],
        )
    )
    return RunCase(models, tasks, given["ε"], given["Δ"], document)


def stated(document: Any) -> list[tuple[str, str]]:
    """Both sides of the printed premises and of the conclusion."""
    printed = document["printed"]
    return [(part["left"], part["right"]) for part in (*printed["premises"], printed["conclusion"])]


def written(*sides: tuple[F | int, F | int]) -> list[tuple[str, str]]:
    return [(str(left), str(right)) for left, right in sides]


def test_lemma_7_fails_on_the_bandit_of_e01() -> None:
    x = case("E01-lemma-7.positive-bandit")
    index = max(x.information(m, n, *at) for m in x.models for n in x.models for at in x.pairs())
    assert x.Delta < x.threshold()
    assert min(x.worst_losses()) > x.slack()
    assert index == 0
    sides = (x.Delta, x.threshold()), (min(x.worst_losses()), x.slack()), (index, 0)
    assert stated(x.document) == written(*sides)


def test_lemma_9_fails_on_the_tasks_of_e02() -> None:
    x = case("E02-lemma-9.optimal-staying")
    accepted = [m for m, y in zip(x.models, x.worst_losses(), strict=True) if y <= x.slack()]
    losses = {x.tasks[0].loss(policy) for policy in accepted[0].optimum()[1]}
    for task, m in zip(x.tasks, x.models, strict=True):
        assert (task.r, task.v) == (m.r, m.v)
        for V in (n.optimum()[0] for n in (*x.models, *x.tasks)):
            assert len(set(V)) == 1  # so that means and variances of V are the same everywhere
    assert x.Delta == 0
    assert len(accepted) == len(losses) == 1
    loss = losses.pop()
    assert loss > x.epsilon
    zeros = written((0, 0)) * 5
    assert stated(x.document) == zeros + written((0, x.threshold()), (1, 1), (loss, x.epsilon))


def test_theorem_1_is_infinite_on_the_arms_of_e03() -> None:
    x = case("E03-text-pac.implied-infinite-bound")
    gamma, target = x.models[0].gamma, x.models[0]
    kappa = (1 - gamma) * x.epsilon / 4 - x.Delta * (1 + gamma) / 2
    far = [(m, *x.distances(m)) for m in x.models]
    blocking = [m for m, r, p in far if r > kappa or p > kappa / gamma]
    Gamma = min(max(r, p) for m, r, p in far if m is not target)
    bottom = max(min(x.information(target, m, *at) for m in blocking) for at in x.pairs())
    assert x.Delta < x.threshold()
    assert Gamma > 0
    assert bottom == 0
    sides = (x.Delta, x.threshold()), (len(blocking), 1), (Gamma, 0), (bottom, 0)
    assert stated(x.document) == written(*sides)
    other = case("E03-text-gamma-worst-case.worst-case-three-arms")
    assert stated(other.document)[-1] == (str(bottom), str((1 - gamma) ** 2 * Gamma**2))
