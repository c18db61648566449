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
        inside *= {"log(36…) for log(9…)": 4, "k² in the logarithm": k}.get(slip, 1)
        inside /= {
            "no k in the logarithm": k,
            "no d in the logarithm": d,
            "m for m² in the logarithm": m,
        }.get(slip, 1)
        log = math.log10(inside) if slip == "log to base 10" else math.log(inside)
        seen = {"m for h under the root": m, "h-1 for h": max(h - 1, 1)}.get(slip, h)
        error = log / h if slip == "the logarithm without its root" else math.sqrt(log / seen)
        sides = self._sums(T_hat, theta_bar) + rho_T * error * (1 if slip == "ρ_T without k" else k)
        sides = sides + {"no δk": 0.0, "δ for δk": delta}.get(slip, delta * k)
        eta = delta_prime / (3 * (1 if slip == "η without k" else k))
        eta /= m if slip == "η with m" else m**2
        return {"kept": self._kept(sides, eta, theta_bar)}

    def _sums(self, T_hat: Floats, theta_bar: Ints) -> Floats:
        known = list(range(len(T_hat))) if self.slip == "all of Θ for Θ̄" else theta_bar.tolist()
        sums: Floats = T_hat[:, known].sum(axis=1)
        if self.slip == "rows of T̂ for columns":
            sums = T_hat[known, :].sum(axis=0)
        if self.slip == "the largest entry for the sum" and known:
            sums = T_hat[:, known].max(axis=1)
        if self.slip == "the mean for the sum" and known:
            sums = T_hat[:, known].mean(axis=1)
        return sums

    def _kept(self, sides: Floats, eta: float, theta_bar: Ints) -> list[int]:
        dropped: Bools = sides < eta if self.slip == "< for ≤" else sides <= eta
        if self.slip == "keeps what is to be dropped":
            dropped = ~dropped
        kept = np.flatnonzero(~dropped).tolist()
        if self.slip == "keeps labels of Θ̄ alone":
            kept = [theta for theta in kept if theta in theta_bar]
        if self.slip == "the first label where none is left":
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
        signed = (
            bool(np.any(T_hat < 0)) and self.slip != "mass rule, negative entries used as they are"
        )
        if not known or signed or np.any(np.abs(T_hat.sum(axis=0) - 1) > 1e-9):
            return {"kept": every}
        T_hat = T_hat.T if self.slip == "mass rule, rows of T̂ for columns" else T_hat
        likely = T_hat[:, known].max(axis=1)
        if self.slip == "mass rule, the likeliest first":
            likely = -likely
        dropped: list[int] = []
        for theta in np.argsort(likely, kind="stable")[:-1].tolist():
            alone = (
                [theta] if self.slip == "mass rule, every task on its own" else [*dropped, theta]
            )
            mass = self._mass(T_hat[alone][:, known], e_T)
            if mass >= eta if self.slip == "mass rule, < for ≤" else mass > eta:
                break
            dropped.append(theta)
        return {"kept": [theta for theta in every if theta not in dropped]}

    def _mass(self, entries: Floats, e_T: float) -> float:
        sums = entries.sum(axis=0)
        predicted = {
            "mass rule, the sum over Θ̄ for the largest": sums.sum(),
            "mass rule, the mean over Θ̄ for the largest": sums.mean(),
            "mass rule, the least over Θ̄ for the largest": sums.min(),
        }
        predicted |= {
            "mass rule, the first of Θ̄ for the largest": sums[0],
            "mass rule, the last of Θ̄ for the largest": sums[-1],
        }
        size = {
            "mass rule, |E| for √|E|": len(entries),
            "mass rule, e^T once for √|E| times": 1.0,
            "mass rule without e^T": 0.0,
        }
        root = size.get(self.slip, math.sqrt(len(entries)))
        return float(predicted.get(self.slip, sums.max())) + root * e_T


@slip("prediction/keeps-all", breaks=ANY_RULE)
def keeps_all(T_hat: Floats, **_: object) -> dict[str, object]:
    """No task is ever dropped: safe in every reading, but no rule."""
    return {"kept": list(range(len(T_hat)))}


for _slug, _faulty, _breaks in (
    ("by-rows", "rows of T̂ for columns", RULE),
    ("theta-bar-ignored", "all of Θ for Θ̄", RULE),
    ("largest-for-sum", "the largest entry for the sum", RULE),
    ("mean-for-sum", "the mean for the sum", RULE),
    ("no-delta-k", "no δk", RULE),
    ("delta-for-delta-k", "δ for δk", RULE),
    ("no-k-in-confidence", "ρ_T without k", RULE),
    ("no-root", "the logarithm without its root", RULE),
    ("m-for-h", "m for h under the root", RULE),
    ("log-without-k", "no k in the logarithm", RULE),
    ("log-without-d", "no d in the logarithm", RULE),
    ("log-with-m", "m for m² in the logarithm", RULE),
    ("log10", "log to base 10", RULE),
    ("log-36", "log(36…) for log(9…)", RULE),
    ("log-with-k-squared", "k² in the logarithm", RULE),
    ("h-minus-1", "h-1 for h", RULE),
    ("eta-without-k", "η without k", RULE),
    ("eta-with-m", "η with m", RULE),
    ("strict", "< for ≤", RULE),
    ("exchanged", "keeps what is to be dropped", RULE),
    ("inside-theta-bar", "keeps labels of Θ̄ alone", RULE),
    ("first-when-empty", "the first label where none is left", NONE_LEFT),
):
    slip(f"prediction/{_slug}", breaks=_breaks)(FaultyRule(_faulty))

for _slug, _faulty in (
    ("sum-for-max", "mass rule, the sum over Θ̄ for the largest"),
    ("mean-for-max", "mass rule, the mean over Θ̄ for the largest"),
    ("least-for-max", "mass rule, the least over Θ̄ for the largest"),
    ("first-for-max", "mass rule, the first of Θ̄ for the largest"),
    ("last-for-max", "mass rule, the last of Θ̄ for the largest"),
    ("no-root", "mass rule, |E| for √|E|"),
    ("error-once", "mass rule, e^T once for √|E| times"),
    ("no-error", "mass rule without e^T"),
    ("one-by-one", "mass rule, every task on its own"),
    ("by-rows", "mass rule, rows of T̂ for columns"),
    ("likeliest-first", "mass rule, the likeliest first"),
    ("strict", "mass rule, < for ≤"),
    (
        "signed",
        "mass rule, negative entries used as they are",
    ),
):
    slip(f"prediction/mass-{_slug}", breaks=MASS)(MassRule(_faulty))
