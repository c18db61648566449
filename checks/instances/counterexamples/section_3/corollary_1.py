"""Against Corollary 1 and the sets that it speaks of (errata E06, E07, E14)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from math import prod

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import Between, compared, log
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.numbers import is_above
from ptum.checks.exact.terms import Situation, distances, gap_Gamma, theta_eps
from ptum.checks.instances.counterexamples.appendix_b import correctness
from ptum.checks.instances.counterexamples.appendix_b.correctness import ExactModels
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.shared import blocks, deterministic_runs, shown
from ptum.checks.instances.counterexamples.shared.deterministic_runs import (
    Algorithm1Inputs,
    arms,
    leads_to,
    literal_run,
    log_term,
)
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.arrays import ROUNDING
from ptum.reference.transfer.analysis.sample_complexity import corollary_1_rate
from ptum.spec.vocabulary import CheckKind, Version

# Corollary 1, second step (erratum E06): 8 has to be squared.
#
# One state, one arm that pays 0.5 in the target and 0.63 in the other model, γ = 0, ε = 1/2, Δ = 0.

PRINTED_CONSTANT = Fraction(1, 8)


def forgotten_square_instance(
    Gamma: Fraction = Fraction(13, 100), Delta: Fraction = Fraction(0)
) -> Situation:
    """Two deterministic arms at distance Γ."""
    half = Fraction(1, 2)
    return Situation(arms(Fraction(0), (half,), (half + Gamma,)), epsilon=half, Delta=Delta)


def forgotten_square_evaluation(
    situation: Situation, constant: Fraction = PRINTED_CONSTANT
) -> Evaluation:
    """max{Γ²,κ_ε²}(1-γ)² ≥ constant · max{Γ²,ε²}(1-γ)⁴."""
    Gamma = gap_Gamma(situation)
    assert isinstance(Gamma, Fraction)  # there are two models
    return step(Gamma, situation.epsilon, situation.Delta, situation.gamma, constant)


def step(
    Gamma: Fraction, epsilon: Fraction, Delta: Fraction, gamma: Fraction, constant: Fraction
) -> Evaluation:
    """The same inequality for given numbers."""
    kappa = mdp.kappa(epsilon, Delta, gamma)
    return Evaluation(
        premises=(
            formulas.transfer_mode(Delta, epsilon, gamma, Version.PRINTED),
            Statement("Γ", Gamma, ">", 0),
        ),
        conclusion=Statement(
            f"max{{Γ²,κ_ε²}}(1-γ)² against {constant} max{{Γ²,ε²}}(1-γ)⁴",
            max(Gamma, kappa) ** 2 * (1 - gamma) ** 2,
            "≥",
            constant * max(Gamma, epsilon) ** 2 * (1 - gamma) ** 4,
            formulas.TRANSFER
            + ("COROLLARY_1_CONSTANT" if constant == PRINTED_CONSTANT else "COROLLARY_1"),
            (("Gamma", Gamma), ("epsilon", epsilon), ("gamma", gamma)),
        ),
    )


REPAIRED_CONSTANT = Fraction(1, 64)


def forgotten_square_repaired_evaluation(situation: Situation) -> Evaluation:
    """The step with 8², for Δ up to the repaired threshold."""
    threshold = mdp.transfer_threshold(situation.epsilon, situation.gamma, mdp.SHARP_FACTOR)
    found = forgotten_square_evaluation(situation, REPAIRED_CONSTANT)
    small = Statement("Δ against the repaired threshold", situation.Delta, "≤", threshold)
    return Evaluation((*found.premises, small), found.conclusion)


CLOSER = forgotten_square_instance(Fraction(7, 100), Delta=Fraction(1, 40))

declare(
    check="corollary-1.constant/forgotten-square",
    says="The second step of the proof at Γ = 0.13, ε = 0.5, γ = Δ = 0",
    instance=forgotten_square_instance(),
    evaluate=forgotten_square_evaluation,
    fix="Γ = 1/5",
    fixed=forgotten_square_instance(Gamma=Fraction(1, 5)),
    broken={
        "transfer mode: Δ against its threshold": forgotten_square_instance(Delta=Fraction(1, 8)),
        "Γ": forgotten_square_instance(Gamma=Fraction(0)),
    },
    repaired=forgotten_square_repaired_evaluation,
    in_scope=CLOSER,
    # both models and what PTUM is given
    numbers=lambda case: (
        *tasks(zip(("the target", "the rival"), case.models, strict=True)),
        ("Γ", gap_Gamma(case)),
        ("κ_ε", case.kappa),
        ("γ", case.gamma),
        ("ε", case.epsilon),
        ("Δ", case.Delta),
    ),
)


# Corollary 1 for Δ > 0 (erratum E07): a run of zero index takes as long as one likes.
#
# One state, three arms with deterministic rewards, exact models, γ = 0. Target and rival disagree
# by 1/2 about arms 1 and 2, which is below 8Δ, and by Δ + x about arm 0, so that every index is 0.
# Ties go to the first arm, as the phases of Theorem 1's proof need it of some arm: test (1) sees
# the x after 7L/(3x) samples, and the run stops with the right policy. Γ and ε do not depend on x.

DELTA = Fraction(1, 10)
CONSTANT, POWER = 10**6, 6
"""How much room Õ is given: queries ≤ CONSTANT · rate · log(8SAn(|Θ|+1)/δ)^POWER."""
ROUNDED = 24 * ROUNDING
"""A dozen operations, the logarithm of 10 among them; doubled."""
EXCESS, BUDGET = Fraction(1, 10**20), 10**25
TRIED, PLAYED_BUDGET = (Fraction(1, 10), Fraction(1, 100)), 100_000
"""What the literal code can run."""


def bandit(
    x: Fraction = EXCESS, Delta: Fraction = Fraction(1, 10), epsilon: Fraction = Fraction(1, 2)
) -> ExactModels:
    """Target (0, 0.9, 0.4), rival (Δ + x, 0.4, 0.9)."""
    low, high = Fraction(2, 5), Fraction(9, 10)
    rows = (Fraction(0), high, low), (Delta + x, low, high)
    return ExactModels(arms(Fraction(0), *rows), epsilon, Delta)


def allowed(instance: ExactModels, n: int) -> Between:
    """CONSTANT · rate · L^POWER at budget n, with the literal rate as a second witness."""
    first, k = instance.models[0], len(instance.models)
    Gamma = Fraction(gap_Gamma(_situation(instance)))
    scale = max(Gamma, instance.epsilon) ** 2 * (1 - first.gamma) ** 4
    rate = min(first.S * first.A, k) * log(1 / DELTA) / scale
    literal = corollary_1_rate(
        first.S,
        first.A,
        k,
        gamma=float(first.gamma),
        epsilon=float(instance.epsilon),
        delta=float(DELTA),
        Gamma=float(Gamma),
    )
    if is_above(abs(literal / float(rate) - 1), ROUNDED):
        raise AssertionError(f"the literal rate is {literal}, not {float(rate)}")
    return CONSTANT * rate * prod([log_term(first.S, first.A, n, k, DELTA)] * POWER)


def endless_bandit_evaluation(instance: ExactModels, n: int = BUDGET) -> Evaluation:
    """Corollary 1 at budget n where every index is 0 and the run stops by itself."""
    confirm_by_literal_runs()
    run = deterministic_runs.transfer_mode(instance.models, told(instance, n))
    return Evaluation(
        premises=(
            *correctness.positive_index_evaluation(instance, Version.PRINTED).premises,
            Statement(
                "largest index, so that ties go to the first arm",
                mdp.largest_index(instance.models, instance.Delta),
                "=",
                0,
            ),
            Statement("the target stays active", 0 in run.active, "=", True),
            Statement("the run stops by itself: queries against n", run.queries, "<", n),
        ),
        conclusion=Statement(
            f"queries at n = {n:.0e} against {CONSTANT:.0e} · rate · L^{POWER}",
            *compared(run.queries, "≤", allowed(instance, n)),
        ),
    )


@cache
def confirm_by_literal_runs() -> None:
    """At an x that the literal code can run it takes as many queries as the run in rationals."""
    for x in TRIED:
        deterministic_runs.run(bandit(x).models, told(bandit(x), PLAYED_BUDGET))


def told(instance: ExactModels, n: int) -> Algorithm1Inputs:
    """What PTUM is given."""
    return Algorithm1Inputs(instance.epsilon, DELTA, n, instance.Delta)


def queries(instance: ExactModels, n: int) -> int:
    """What the algorithm does at a budget that can be run; the target is model 0."""
    return literal_run(instance.models, told(instance, n)).queries


def tiny_index(excess: Fraction = Fraction(1, 2000)) -> ExactModels:
    """At the repaired threshold: four states whose gaps exceed 8Δ by a small share only."""
    gamma, epsilon = Fraction(1, 2), Fraction(1)
    Delta = mdp.transfer_threshold(epsilon, gamma, mdp.SHARP_FACTOR)
    return ExactModels(
        correctness.sharp(Delta * (1 + excess), epsilon, gamma).models, epsilon, Delta
    )


def _situation(instance: ExactModels) -> Situation:
    return Situation(instance.models, instance.epsilon, instance.Delta)


def explicit_bound(instance: ExactModels, n: int) -> Between:
    """min{SA,|Θ|-1} L min{1000/((1-γ)²Γ²), 16000/((1-γ)⁴ε²)}."""
    first, k = instance.models[0], len(instance.models)
    Gamma = Fraction(gap_Gamma(_situation(instance)))
    by_gap = 1000 / ((1 - first.gamma) * Gamma) ** 2
    by_accuracy = 16_000 / ((1 - first.gamma) ** 2 * instance.epsilon) ** 2
    L = log_term(first.S, first.A, n, k, DELTA)
    return min(first.S * first.A, k - 1) * L * min(by_gap, by_accuracy)


def endless_bandit_repaired_evaluation(instance: ExactModels, n: int = PLAYED_BUDGET) -> Evaluation:
    """Repaired Corollary 1 on one run, whose rewards are deterministic."""
    lemma_7 = correctness.positive_index_evaluation(instance, Version.REPAIRED)
    gamma = instance.models[0].gamma
    return Evaluation(
        premises=(
            *lemma_7.premises,
            Statement("ε against 1/(1-γ)", instance.epsilon, "≤", 1 / (1 - gamma)),
        ),
        conclusion=Statement(
            f"queries of a run with n = {n} against the explicit bound",
            *compared(queries(instance, n), "≤", explicit_bound(instance, n)),
        ),
    )


@dataclass(frozen=True)
class BudgetedRun:
    """An instance with the budget of its run."""

    instance: ExactModels
    n: int = BUDGET


def endless_bandit_numbers(case: BudgetedRun) -> Numbers:
    """Both models, what PTUM is given, and how much Õ is allowed to hide."""
    instance = case.instance
    return (
        *tasks(zip(("the target", "the rival"), instance.models, strict=True)),
        ("γ", instance.models[0].gamma),
        ("ε", instance.epsilon),
        ("Δ", instance.Delta),
        ("δ", DELTA),
        ("budget n", case.n),
        ("constant in front of the rate", CONSTANT),
        ("power of the logarithm", POWER),
    )


declare(
    check="corollary-1.rate/endless-bandit",
    says="Where all indices are zero, the queries are bounded by Γ, ε and a power of log n",
    kind=CheckKind.ASYMPTOTIC,
    instance=BudgetedRun(bandit()),
    evaluate=lambda case: endless_bandit_evaluation(case.instance, case.n),
    numbers=endless_bandit_numbers,
    fix="x = 1/10, so that the first arm tells the models apart soon",
    fixed=BudgetedRun(bandit(Fraction(1, 10))),
    broken={
        "transfer mode: Δ against its threshold": BudgetedRun(bandit(Delta=Fraction(13, 100))),
        correctness.NO_STOP: BudgetedRun(bandit(epsilon=Fraction(9, 10))),
        "largest index, so that ties go to the first arm": BudgetedRun(
            bandit(Delta=Fraction(1, 100))
        ),
        "the run stops by itself: queries against n": BudgetedRun(bandit(), PLAYED_BUDGET),
    },
    always={"the target stays active": "models are exact, so that it passes every test"},
    repaired=lambda case: endless_bandit_repaired_evaluation(case.instance),
    in_scope=BudgetedRun(tiny_index(), PLAYED_BUDGET),
)


# What Θ_ε stands for (erratum E14): it is about the target's policy, not about the model's.
#
# States y, G, B, of which G and B are absorbing; γ = 0.9, ε = 0.4, Δ = 0, so that κ_ε = 0.01. From
# y action 0 leads to B; action 1 stays in y in the target and leads to G in the other model. The
# model finds G a little better than B and prefers action 1, which pays 0.19 less per step and never
# ends in the target.

GAMMA = Fraction(9, 10)
Y, G, B = range(3)


def _task(r_y: tuple[int, int], r_G: int, r_B: int, action_1: int) -> ExactMDP:
    """Rewards in ten-thousandths."""
    leads = ((B, action_1), (G, G), (B, B))
    p = [[leads_to(state, 3) for state in row] for row in leads]
    r = [[Fraction(x, 10_000) for x in row] for row in (list(r_y), [r_G, r_G], [r_B, r_B])]
    return mdp.deterministic(p, r, GAMMA)


def theta_eps_meaning_instance(bonus: int = 99) -> Situation:
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


def theta_eps_meaning_evaluation(
    situation: Situation, version: Version, model: int = 1
) -> Evaluation:
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
    situation = theta_eps_meaning_instance()
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
    check="text-theta-eps-meaning.policies/three-states",
    says="A model outside Θ_ε whose policy loses nearly 5ε in the target",
    instance=theta_eps_meaning_instance(),
    evaluate=partial(theta_eps_meaning_evaluation, version=Version.PRINTED),
    numbers=_numbers,
    fix="rewards differ by 0.0094 in place of 0.0099, and the model prefers action 0 as well",
    fixed=theta_eps_meaning_instance(94),
    broken={
        "κ_ε": replace(theta_eps_meaning_instance(), Delta=Fraction(1)),
        "reward gap against κ_ε": theta_eps_meaning_instance(101),
        "γ times transition gap against κ_ε": _lopsided(),
        "the model is in Θ_ε": theta_eps_meaning_instance(101),
    },
    repaired=partial(theta_eps_meaning_evaluation, version=Version.REPAIRED),
    in_scope=tight(),
)
