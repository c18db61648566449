"""Slips in the rule of Theorem 3."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from checks.judge.capabilities.prediction import EMPTY, RULE
from checks.known_bad import Bad
from reference.arrays import Bools, Floats, Ints


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
    ) -> dict[str, object]:
        """The kept labels; all if none is left."""
        k, slip = len(T_hat), self.slip
        inside = 9 * k * d * m**2 / delta_prime
        inside /= {"log without k": k, "log without d": d, "log with m": m}.get(slip, 1)
        log = math.log10(inside) if slip == "log10" else math.log(inside)
        error = log / h if slip == "no root" else math.sqrt(log / (m if slip == "m for h" else h))
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


def _bad(id_: str, slip: str, breaks: str = RULE) -> Bad:
    return Bad(f"prediction/{id_}", "prediction", breaks, Rule(slip))


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
    _bad("eta-without-k", "η without k"),
    _bad("eta-with-m", "η with m"),
    _bad("strict", "<"),
    _bad("exchanged", "exchanged"),
    _bad("inside-theta-bar", "inside Θ̄"),
    _bad("first-when-empty", "first one", EMPTY),
)
