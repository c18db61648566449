"""Slips in the rule of Theorem 3 and in the mass rule, its repair."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ptum.checks.judge.capabilities.sequential.prediction import NONE_LEFT, RULE
from ptum.checks.judge.judging.items import Item
from ptum.checks.judge.judging.mass import MASS
from ptum.checks.judge.slips import Bad
from ptum.reference.arrays import Bools, Floats, Ints


@dataclass(frozen=True)
class Rule:
    """The rule plainly; `slip` names the one thing that is wrong."""

    slip: str

    def __call__(
        self,
        T_hat: Floats,
        theta_bar: Ints,
        h: int,
        m: int,
        d: int,
        delta: float,
        delta_prime: float,
        rho_T: float,
        **_: float,
    ) -> dict[str, object]:
        """The kept labels; all if none is left."""
        k, slip = len(T_hat), self.slip
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


def keeps_all(T_hat: Floats, **_: object) -> dict[str, object]:
    """No task is ever dropped: safe in every reading, but no rule."""
    return {"kept": list(range(len(T_hat)))}


ANY_RULE = Item("Theorem 3, as printed and as repaired", *RULE.places, *MASS.places)


def _bad(slug: str, slip: str, breaks: Item = RULE) -> Bad:
    return Bad(slug, "prediction", breaks, Rule(slip))


def _bad_mass(slug: str, slip: str) -> Bad:
    return Bad(f"mass-{slug}", "prediction", MASS, MassRule(slip))


BAD: tuple[Bad, ...] = (
    _bad("by-rows", "rows"),
    _bad("theta-bar-ignored", "all of Θ"),
    _bad("largest-for-sum", "largest"),
    _bad("mean-for-sum", "mean"),
    _bad("no-delta-k", "no δk"),
    _bad("delta-for-delta-k", "δ for δk"),
    _bad("no-k-in-confidence", "no k"),
    _bad("no-root", "no root"),
    _bad("m-for-h", "m for h"),
    _bad("log-without-k", "log without k"),
    _bad("log-without-d", "log without d"),
    _bad("log-with-m", "log with m"),
    _bad("log10", "log10"),
    _bad("log-36", "log 36"),
    _bad("log-with-k-squared", "log with k²"),
    _bad("h-minus-1", "h-1"),
    _bad("eta-without-k", "η without k"),
    _bad("eta-with-m", "η with m"),
    _bad("strict", "<"),
    _bad("exchanged", "exchanged"),
    _bad("inside-theta-bar", "inside Θ̄"),
    _bad("first-when-empty", "first one", NONE_LEFT),
    Bad("keeps-all", "prediction", ANY_RULE, keeps_all),
    _bad_mass("sum-for-max", "sum"),
    _bad_mass("mean-for-max", "mean"),
    _bad_mass("least-for-max", "least"),
    _bad_mass("first-for-max", "first"),
    _bad_mass("last-for-max", "last"),
    _bad_mass("no-root", "no root"),
    _bad_mass("error-once", "one error"),
    _bad_mass("no-error", "no error"),
    _bad_mass("one-by-one", "one by one"),
    _bad_mass("by-rows", "rows"),
    _bad_mass("likeliest-first", "likeliest first"),
    _bad_mass("strict", "<"),
    _bad_mass("signed", "signed"),
)
