"""What Θ_ε stands for (erratum E14): it is about the target's policy, not about the model's.

States y, G, B, of which G and B are absorbing; γ = 0.9, ε = 0.4, Δ = 0, so that κ_ε = 0.01. From y
action 0 leads to B; action 1 stays in y in the target and leads to G in the other model. The model
finds G a little better than B and prefers action 1, which pays 0.19 less per step and never ends
in the target.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.terms import Situation, distances, theta_eps
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared import blocks, shown
from ptum.checks.instances.counterexamples.shared.deterministic_runs import leads_to
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.spec.vocabulary import Version

GAMMA = Fraction(9, 10)
Y, G, B = range(3)


def _task(r_y: tuple[int, int], r_G: int, r_B: int, action_1: int) -> ExactMDP:
    """Rewards in ten-thousandths."""
    leads = ((B, action_1), (G, G), (B, B))
    p = [[leads_to(state, 3) for state in row] for row in leads]
    r = [[Fraction(x, 10_000) for x in row] for row in (list(r_y), [r_G, r_G], [r_B, r_B])]
    return mdp.deterministic(p, r, GAMMA)


def instance(bonus: int = 99) -> Situation:
    """The target, and a model whose rewards differ by `bonus` ten-thousandths."""
    target = _task((5000, 3100), 5000, 5000, Y)
    model = _task((5000 - bonus, 3100 + bonus), 5000 + bonus, 5000 - bonus, G)
    return Situation((target, model), epsilon=Fraction(4, 10))


def tight(
    kappa: Fraction = Fraction(1, 1000),
    gamma: Fraction = Fraction(1, 2),
    tiny: Fraction = Fraction(1, 10**9),
) -> Situation:
    """Five states on which the model's policy loses slack/(1-γ), up to tiny/(1-γ).

    State 0 is y; states 1, 2 are the block G and 3, 4 the block B. In the target both blocks and y
    have the same value. The model raises G and lowers B by κ_ε in reward and κ_ε/γ in value, and
    likewise the two actions of y, of which action 1 leads to G instead of back to y.
    """
    shift, half = kappa / gamma, blocks.HALF
    slack = 4 * kappa / (1 - gamma)

    def task(sign: int) -> ExactMDP:
        to_B = blocks.row(5, 3, -sign * shift)
        aside = blocks.row(5, 1, sign * shift) if sign else leads_to(0, 5)
        p = [[to_B, aside]]
        r = [[half - sign * kappa, half - slack + tiny + sign * kappa]]
        for state in range(1, 5):
            up = sign if state <= 2 else -sign
            p.append([blocks.row(5, 1 if state <= 2 else 3, up * shift)] * 2)
            r.append([blocks.rewards(up * kappa)[(state - 1) % 2]] * 2)
        return mdp.deterministic(p, r, gamma)

    return Situation((task(0), task(1)), epsilon=slack)


def evaluation(situation: Situation, version: Version, model: int = 1) -> Evaluation:
    """Outside Θ_ε, how much does the model's policy lose in the target?

    As printed at most ε; repaired at most (ε - 2Δ(1+γ)/(1-γ))/(1-γ).
    """
    target, theta = situation.models[0], situation.models[model]
    allowed = (
        situation.epsilon if version is Version.PRINTED else situation.slack / (1 - situation.gamma)
    )
    return Evaluation(
        premises=outside(situation, model),
        conclusion=Statement(
            "loss of the model's policy in the target",
            mdp.loss(target, mdp.optimal_policy(theta)),
            "≤",
            allowed,
        ),
    )


def own_policy(situation: Situation, model: int = 1) -> Evaluation:
    """Repair, first half: outside Θ_ε the target's policy loses at most the slack in the model."""
    target, theta = situation.models[0], situation.models[model]
    return Evaluation(
        premises=outside(situation, model),
        conclusion=Statement(
            "loss of the target's policy in the model",
            mdp.loss(theta, mdp.optimal_policy(target)),
            "≤",
            situation.slack,
        ),
    )


def outside(situation: Situation, model: int) -> tuple[Statement, ...]:
    """θ ∉ Θ_ε, with its two distances."""
    G_r, G_p = distances(situation)[model]
    return (
        Statement("κ_ε", situation.kappa, "≥", 0),
        Statement("reward gap against κ_ε", G_r, "≤", situation.kappa),
        Statement(
            "γ times transition gap against κ_ε", situation.gamma * G_p, "≤", situation.kappa
        ),
        Statement("the model is in Θ_ε", model in theta_eps(situation), "=", False),
    )


# What the instance shows


def _lopsided() -> Situation:
    """The target finds G better than y, so that the model's other move counts."""
    situation = instance()
    target = _task((5000, 3100), 6000, 5000, Y)
    return replace(situation, models=(target, situation.models[1]))


STATES = {3: "y, G, B", 5: "y, two of G, two of B"}


def _numbers(situation: Situation) -> Numbers:
    named = zip(("the target", "the model"), situation.models, strict=True)
    return (
        ("γ", situation.gamma),
        ("ε, Δ", (situation.epsilon, situation.Delta)),
        ("κ_ε", situation.kappa),
        ("states", STATES[situation.models[0].S]),
        *shown.tasks(named),
    )


declare(
    Counterexample(
        checks={
            "text-theta-eps-meaning.policies/three-states": (
                "A model outside Θ_ε whose policy loses nearly 5ε in the target"
            ),
        },
        instance=instance(),
        evaluate=partial(evaluation, version=Version.PRINTED),
        numbers=_numbers,
        fix="rewards differ by 0.0094 in place of 0.0099, and the model prefers action 0 as well",
        fixed=instance(94),
        broken={
            "κ_ε": replace(instance(), Delta=Fraction(1)),
            "reward gap against κ_ε": instance(101),
            "γ times transition gap against κ_ε": _lopsided(),
            "the model is in Θ_ε": instance(101),
        },
        repaired=partial(evaluation, version=Version.REPAIRED),
        in_scope=tight(),
    )
)
