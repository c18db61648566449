"""For every premise of a printed claim, the field of its certificate's instance that breaks it.

A premise is named by a piece of its line in claims.txt; where a claim needs another change than the
rest of them, it is listed under its first check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Fields: TypeAlias = Mapping[str, Any]
Breaker: TypeAlias = Callable[[Fields], Fields]


def put(**fields: Any) -> Breaker:
    """These values in place of those fields."""
    return lambda _: fields


def entry(field: str, value: str, *place: int) -> Breaker:
    """One entry of a table replaced."""

    def changed(table: Any, where: tuple[int, ...]) -> Any:
        if not where:
            return value
        first, rest = where[0], where[1:]
        return [changed(part, rest) if n == first else part for n, part in enumerate(table)]

    return lambda fields: {field: changed(fields[field], place)}


def both(*breakers: Breaker) -> Breaker:
    """Several changes, one after the other."""

    def apply(fields: Fields) -> Fields:
        found: dict[str, Any] = {}
        for breaker in breakers:
            found |= breaker({**fields, **found})
        return found

    return apply


def _same_models(fields: Fields) -> Fields:
    return {name: [fields[name][0]] * len(fields[name]) for name in ("p", "r", "v")}


def _two_states(fields: Fields) -> Fields:
    arms = len(fields["r"][0][0])
    p = [[[["1", "0"]] * arms, [["0", "1"]] * arms]] * len(fields["r"])
    return {
        "p": p,
        "r": [rows * 2 for rows in fields["r"]],
        "v": [rows * 2 for rows in fields["v"]],
    }


def _moving(fields: Fields) -> Fields:
    """Two states of different value, to which the models lead with different probabilities."""
    found = dict(_two_states(fields))
    found["r"] = [[rows[0], ["1"] * len(rows[0])] for rows in fields["r"]]
    found["p"] = [[[["1", "0"], ["1", "0"]], [["0", "1"]] * 2]] * len(fields["r"])
    found["p"] = [[[["0", "1"], ["1", "0"]], [["0", "1"]] * 2], *found["p"][1:]]
    return {**found, "γ": "1/2"}


def _twin_columns(fields: Fields) -> Fields:
    return {"O": [[row[0], row[0], *row[2:]] for row in fields["O"]]}


def _absorbing(fields: Fields) -> Fields:
    k = len(fields["T"])
    return {"T": [["1"] * k, *[["0"] * k for _ in range(k - 1)]]}


def _uniform(fields: Fields) -> Fields:
    k = len(fields["T"])
    return {"T": [[f"1/{k}"] * k for _ in range(k)]}


def _never_moving(fields: Fields) -> Fields:
    k = len(fields["T"])
    return {"T": [[str(int(i == j)) for j in range(k)] for i in range(k)]}


def _three_models(fields: Fields) -> Fields:
    return {name: [*fields[name], fields[name][-1]] for name in ("p", "r", "v")}


def _halved(name: str) -> Breaker:
    """A matrix whose last row, which is sure, has probability 1/2."""
    return lambda fields: {name: [*fields[name][:-1], ["1/2"] * len(fields[name][0])]}


def _no_estimate(fields: Fields) -> Fields:
    return {"Σ_31_hat": [["0"] * len(row) for row in fields["Σ_31_hat"]]}


def _far_estimate(fields: Fields) -> Fields:
    hundredfold = [
        [str(int(i == j) * 100) for j, _ in enumerate(row)]
        for i, row in enumerate(fields["Σ_31_hat"])
    ]
    return {"Σ_31_hat": hundredfold}


UNEVEN = both(entry("r", "51/100", 0, 1, 1), entry("r_true", "51/100", 0, 1, 1))
WIDE = both(UNEVEN, entry("p_true", "1/2", 0, 1, 1, 0), entry("p_true", "1/2", 0, 1, 1, 1))

COMMON: Mapping[str, Breaker] = {
    "< n": put(n="10"),
    "Δ < ε": put(Δ="1/2"),
    "> slack": put(ε="1000"),
    "size(Θ_ε) ≥ 1": put(ε="1000"),
    "Γ > 0": _same_models,
    "Δ = 0": put(Δ="1/1000"),
    "S = 1": _two_states,
    "max(v) = 0": both(entry("r", "1/2", 0, 0, 0), entry("v", "1/4", 0, 0, 0)),
    "size(accepted)": put(Δ="1"),
    "size(p) = 2": _three_models,
    "rank(O) = k": _twin_columns,
    "rank(T - identity(T))": _never_moving,
    "min(ω) > 0": _absorbing,
    "gap(T³, identity(T))": _uniform,
    "uncertain": put(sequence=["0"] * 60),
    "size(sequence) ≥ 1": put(sequence=[]),
    "size(sequence) ≥ 3": put(sequence=["0", "1"]),
    "rank(Σ_31) = rank(Σ_31_hat)": _no_estimate,
    "norm(Σ_31 - Σ_31_hat) ≤ σ_k/2": _far_estimate,
    "norm(Σ_31 - Σ_31_hat) ≤ norm(Σ_21)": _far_estimate,
    "σ > 0": put(σ="0"),
    "least_variance(Q": put(σ="1/2"),
    "least_variance(P": put(σ="10000"),
    "total(row) for row in P_hat": put(P_hat=[["3/5", "3/5"]] * 2),
    "gap(p_law, q_law) > 0": lambda fields: {"q_law": fields["p_law"]},
    "sum(O) = 2·SA": put(SA="2"),
    "sum(O) = 2·k": _halved("O"),
    "sum(O_2) = 2·k": _halved("O_2"),
    "rank(O_2) = k": put(O_2=[["1/2", "1/2"], ["1/2", "1/2"], ["1", "1"]]),
    "min(gap(O, O_2)": lambda fields: {"O_2": fields["O"]},
    "gap(column, P_1)": put(T=[["3/4", "1/4"], ["1/4", "3/4"]]),
    "difference = 0": put(T=[["3/4", "1/4"], ["1/4", "3/4"]]),
    "h ≤ m": put(h="401"),
    "k ≥ 1": put(k="0"),
    "m ≥ 1": put(m="0"),
    "h = 300": put(h="299"),
    "γ = 9/10": put(γ="1/2"),
    "ε = 1/2": put(ε="1"),
    "d = 3700": put(d="3701"),
    "ρ = 135": put(ρ="1"),
}
"""Breakers of premises that several claims have, by a piece of the premise."""

OWN: Mapping[str, Mapping[str, Breaker]] = {
    "lemma-9.optimal/staying": {
        "gap(r_true, r)": entry("r_true", "3/5", 0, 0, 0),
        "p(θ,s,a))·V(θʹ)": UNEVEN,
        "root(v_true": entry("v_true", "1/4", 0, 0, 0),
        "std(p_true(θ,s,a), V(θʹ))": WIDE,
        "V_true(θʹ)": WIDE,
    },
    "corollary-1.rate/endless-bandit": {"Ψ_max = 0": put(Δ="1/100")},
    "lemma-8.same-steps/silent-target": {
        "Ψ_max = Ψ_p_max": both(entry("r", "0", 0, 0, 0), entry("r", "1", 1, 0, 0))
    },
    "theorem-1.phases/least-sampled": {"size(tied) = SA": entry("r", "9/10", 1, 0, 5)},
    "lemma-8.display/three-rewards": {"Ψ_p_max = 0": _moving},
    "text-gamma-positive.identical/equal-values": {"Γ = 0": entry("r", "1", 1, 0, 0)},
    "text-theta-eps-meaning.policies/three-states": {"size(Θ_ε) = 0": entry("r", "0", 1, 0, 0)},
    "text-pair-constant-in-phase.constant/least-sampled": {
        "size(tied) ≥ 2": both(entry("r", "1/2", 1, 0, 1), entry("r", "1/2", 1, 0, 2))
    },
    "text-sparse-T-helps.rule/cycle": {
        "k ≥ 2": put(T=[["1"]], S_h=["1"]),
        "δ ≤": put(δ="1/100"),
        "min(T·S_h) = 0": _uniform,
    },
    "lemma-15.bound/sticky-tasks": {
        "diagonal(sets)": put(sets=[["0", "1"], ["1", "0"]]),
        "sum(next) = 1": put(next=["1", "1"]),
    },
    "assumption-5.experiments/empty-cells": {
        "gap(v_items": put(v_items=["0", "1/5", "1/2", "1"]),
        "f = 12/1000": put(f="1/2"),
    },
}


def breaker_of(check: str, premise: str) -> Breaker:
    """The one for a premise of the claim that a check is about."""
    for piece, breaker in {**OWN.get(check, {}), **COMMON}.items():
        if piece in premise:
            return breaker
    raise KeyError(f"no breaker for {premise} of {check}")
