"""Slips in the rule of Theorem 3 and in the mass rule, its repair."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ptum.checks.judge.capabilities.sequential.prediction import NONE_LEFT, RULE
from ptum.checks.judge.judging.items import Item
from ptum.checks.judge.judging.mass import MASS
from ptum.checks.judge.slips import slip
from ptum.reference.arrays import Bools, Floats, Ints

ANY_RULE = Item("Theorem 3, as printed and as repaired", *RULE.places, *MASS.places)


@dataclass(frozen=True)
class FaultyRule:
    """The rule plainly; `slip` names the one thing that is wrong."""

    slip: str

    def __call__(self, T_hat: Floats, theta_bar: Ints, **numbers: Any) -> dict[str, object]:
        """The kept labels; all if none is left."""
        k, slip = len(T_hat), self.slip
        h, m, d, delta = (numbers[name] for name in ("h", "m", "d", "delta"))
        delta_prime, rho_T = numbers["delta_prime"], numbers["rho_T"]
        inside = 9 * k * d * m**2 / delta_prime
        inside *= {"log 36": 4, "log with k²": k}.get(slip, 1)
        inside /= {"log without k": k, "log without d": d, "log with m": m}.get(slip, 1)
        log = math.log10(inside) if slip == "log10" else math.log(inside)
        seen = {"m for h": m, "h-1": max(h - 1, 1)}.get(slip, h)
        error = log / h if slip == "no root" else math.sqrt(log / seen)
        sides = self._sums(T_hat, theta_bar) + rho_T * error * (1 if slip == "no k" else k)
        sides = sides + {"no δk": 0.0, "δ for δk": delta}.get(slip, delta * k)
        eta = delta_prime / (3 * (1 if slip == "η without k" else k))
        eta /= m if slip == "η with m" else m**2
        return {"kept": self._kept(sides, eta, theta_bar)}

    def _sums(self, T_hat: Floats, theta_bar: Ints) -> Floats:
        known = list(range(len(T_hat))) if self.slip == "all of Θ" else theta_bar.tolist()
        sums: Floats = T_hat[:, known].sum(axis=1)
        if self.slip == "rows":
            sums = T_hat[known, :].sum(axis=0)
        if self.slip == "largest" and known:
            sums = T_hat[:, known].max(axis=1)
        if self.slip == "mean" and known:
            sums = T_hat[:, known].mean(axis=1)
        return sums

    def _kept(self, sides: Floats, eta: float, theta_bar: Ints) -> list[int]:
        dropped: Bools = sides < eta if self.slip == "<" else sides <= eta
        if self.slip == "exchanged":
            dropped = ~dropped
        kept = np.flatnonzero(~dropped).tolist()
        if self.slip == "inside Θ̄":
            kept = [theta for theta in kept if theta in theta_bar]
        if self.slip == "first one":
            return kept or [0]
        return kept or list(range(len(sides)))


@dataclass(frozen=True)
class MassRule:
    """The mass rule plainly; `slip` names the one thing that is wrong.

    The least likely tasks come first, until one does not fit. Other orders are right if they go on
    until none fits (D90), so that one which begins with the likeliest and stops there is not.
    """

    slip: str

    def __call__(
        self, T_hat: Floats, theta_bar: Ints, eta: float, e_T: float, **_: float
    ) -> dict[str, object]:
        """The kept labels; all where the prediction means nothing."""
        every, known = list(range(len(T_hat))), theta_bar.tolist()
        signed = bool(np.any(T_hat < 0)) and self.slip != "signed"
        if not known or signed or np.any(np.abs(T_hat.sum(axis=0) - 1) > 1e-9):
            return {"kept": every}
        T_hat = T_hat.T if self.slip == "rows" else T_hat
        chance = T_hat[:, known].max(axis=1)
        if self.slip == "likeliest first":
            chance = -chance
        dropped: list[int] = []
        for theta in np.argsort(chance, kind="stable")[:-1].tolist():
            alone = [theta] if self.slip == "one by one" else [*dropped, theta]
            mass = self._mass(T_hat[alone][:, known], e_T)
            if mass >= eta if self.slip == "<" else mass > eta:
                break
            dropped.append(theta)
        return {"kept": [theta for theta in every if theta not in dropped]}

    def _mass(self, entries: Floats, e_T: float) -> float:
        sums = entries.sum(axis=0)
        predicted = {"sum": sums.sum(), "mean": sums.mean(), "least": sums.min()}
        predicted |= {"first": sums[0], "last": sums[-1]}
        size = {"no root": len(entries), "one error": 1.0, "no error": 0.0}
        root = size.get(self.slip, math.sqrt(len(entries)))
        return float(predicted.get(self.slip, sums.max())) + root * e_T


@slip("prediction/keeps-all", breaks=ANY_RULE)
def keeps_all(T_hat: Floats, **_: object) -> dict[str, object]:
    """No task is ever dropped: safe in every reading, but no rule."""
    return {"kept": list(range(len(T_hat)))}


for _slug, _faulty, _breaks in (
    ("by-rows", "rows", RULE),
    ("theta-bar-ignored", "all of Θ", RULE),
    ("largest-for-sum", "largest", RULE),
    ("mean-for-sum", "mean", RULE),
    ("no-delta-k", "no δk", RULE),
    ("delta-for-delta-k", "δ for δk", RULE),
    ("no-k-in-confidence", "no k", RULE),
    ("no-root", "no root", RULE),
    ("m-for-h", "m for h", RULE),
    ("log-without-k", "log without k", RULE),
    ("log-without-d", "log without d", RULE),
    ("log-with-m", "log with m", RULE),
    ("log10", "log10", RULE),
    ("log-36", "log 36", RULE),
    ("log-with-k-squared", "log with k²", RULE),
    ("h-minus-1", "h-1", RULE),
    ("eta-without-k", "η without k", RULE),
    ("eta-with-m", "η with m", RULE),
    ("strict", "<", RULE),
    ("exchanged", "exchanged", RULE),
    ("inside-theta-bar", "inside Θ̄", RULE),
    ("first-when-empty", "first one", NONE_LEFT),
):
    slip(f"prediction/{_slug}", breaks=_breaks)(FaultyRule(_faulty))

for _slug, _faulty in (
    ("sum-for-max", "sum"),
    ("mean-for-max", "mean"),
    ("least-for-max", "least"),
    ("first-for-max", "first"),
    ("last-for-max", "last"),
    ("no-root", "no root"),
    ("error-once", "one error"),
    ("no-error", "no error"),
    ("one-by-one", "one by one"),
    ("by-rows", "rows"),
    ("likeliest-first", "likeliest first"),
    ("strict", "<"),
    ("signed", "signed"),
):
    slip(f"prediction/mass-{_slug}", breaks=MASS)(MassRule(_faulty))
