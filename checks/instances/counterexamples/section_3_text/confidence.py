"""Against what is said of widths, and of ε = 0 (errata E12, E23)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import Between, compared, largest, root, shortened
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.numbers import max_of
from ptum.checks.exact.terms import Situation, gap_Gamma
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.deterministic_runs import Algorithm1Inputs
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.attempts.names import stored_as
from ptum.checks.verdicts.outcome import Evaluation, Formed, Statement
from ptum.reference.arrays import ROUNDING
from ptum.reference.repaired.transfer.ptum import ptum as repaired_ptum
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.confidence import width_p, width_r
from ptum.reference.transfer.ptum import PtumResult, ptum
from ptum.spec.vocabulary import CheckKind, Version

# Confidence widths "of the form √(log(c/δ)/N)" (erratum E23).
#
# A quantity of that form halves when N is quadrupled. The width of a mean does not when there is a
# model error (it tends to the error) nor when there is no spread (it falls to a quarter). As an
# order of magnitude for what the samples add, the form is right.

LOW, HIGH = Fraction(2, 5), Fraction(3, 5)
"""What counts as a half."""
ROUNDED = 16 * ROUNDING
"""Three sums and a handful of products; nothing is subtracted inside the width."""


@stored_as("Term")
@dataclass(frozen=True)
class WidthTerm:
    """The arguments of a width: sample deviation, model error, discount, count and logarithm."""

    sigma: float
    error: float
    gamma: float
    N: int
    L: float = 10.0


def width(term: WidthTerm) -> float:
    """C^r where γ = 0, else C^p."""
    sigma, N = np.array(term.sigma), np.array(term.N)
    if term.gamma == 0:
        return float(width_r(sigma, N, term.L, term.error))
    return float(width_p(sigma, N, term.L, term.gamma, term.error))


# The instances, in rational numbers


@dataclass(frozen=True)
class ExactTerm:
    """The same arguments as rational numbers; L too, since the claim is about any c and δ."""

    sigma: Fraction
    error: Fraction
    gamma: Fraction
    N: int
    L: Fraction = Fraction(10)


def with_model_error(error: Fraction = Fraction(1, 100)) -> ExactTerm:
    """A spread of 1/2 and a hundred million samples: what is left is the error."""
    return ExactTerm(sigma=Fraction(1, 2), error=error, gamma=Fraction(0), N=10**8)


def without_spread(sigma: Fraction = Fraction(0)) -> ExactTerm:
    """All samples alike."""
    return ExactTerm(sigma=sigma, error=Fraction(0), gamma=Fraction(0), N=10**8)


def exact_width(term: ExactTerm) -> Between:
    """σ̂√(2L/N) + 7L/(3(N-1)(1-γ)) + Δ_max, with the literal width as a second witness."""
    found = term.sigma * root(2 * term.L / term.N) + range_term(term) + term.error
    sigma, error, gamma, L = map(float, (term.sigma, term.error, term.gamma, term.L))
    literal = width(WidthTerm(sigma, error, gamma, term.N, L))
    if abs(Fraction(literal) - found.low) > Fraction(ROUNDED * literal):
        raise AssertionError(f"the literal width is {literal}, not {float(found)}")
    return found


def range_term(term: ExactTerm) -> Fraction:
    """7L/(3(N-1)(1-γ))."""
    return 7 * term.L / (3 * (term.N - 1) * (1 - term.gamma))


def width_form_evaluation(term: ExactTerm) -> Evaluation:
    """Four times the samples, half the width; a declared test with room from 0.4 to 0.6."""
    ratio = exact_width(replace(term, N=4 * term.N)) / exact_width(term)
    distance = largest(LOW - ratio, ratio - HIGH, 0)
    return Evaluation(
        premises=(
            Statement("samples", term.N, "≥", 10**6),
            Statement("deviation, at most half the range", term.sigma, "≤", Fraction(1, 2)),
        ),
        conclusion=Statement(
            f"distance from [{LOW},{HIGH}] of width(4N)/width(N) = {float(ratio):.4f}",
            *compared(distance, "=", 0),
        ),
    )


def three_terms_evaluation(term: ExactTerm) -> Evaluation:
    """Width - √(2σ̂²L/N) - Δ_max lies between 7/3 and 14/3 of L/(N(1-γ)), where N ≥ 2."""
    unit = term.L / (term.N * (1 - term.gamma))
    rest = (exact_width(term) - term.sigma * root(2 * term.L / term.N) - term.error) / unit
    beyond = largest(Fraction(7, 3) - rest, rest - Fraction(14, 3))
    return Evaluation(
        premises=(Statement("samples", term.N, "≥", 2),),
        conclusion=Statement(
            "range term beyond [7/3, 14/3], in units of L/(N(1-γ))", *compared(beyond, "≤", 0)
        ),
    )


# Drawn widths, in doubles


def repaired_evaluation(term: WidthTerm) -> Evaluation:
    """Width = √(2σ̂²L/N) + range term + Δ_max, the range term being (7/3 to 14/3) L/(N(1-γ))."""
    by_deviation = term.sigma * math.sqrt(2 * term.L / term.N)
    unit = term.L / (term.N * (1 - term.gamma))
    found = width(term)
    rounding = ROUNDED * found
    rest = found - by_deviation - term.error
    return Evaluation(
        premises=(Statement("samples", term.N, "≥", 2),),
        conclusion=Statement(
            "range term beyond [7/3, 14/3] L/(N(1-γ))",
            max_of((7 / 3 * unit - rest, rest - 14 / 3 * unit)),
            "≤",
            rounding,
            *formula(term),
        ),
    )


LEADING = 17 / 3
"""√2 for a deviation of half the range, at most 1 for any, and 14/3 for the range term."""


def leading_evaluation(term: WidthTerm, constant: float = LEADING) -> Evaluation:
    """Beyond Δ_max the width is at most 17/3 √(L/N)/(1-γ), where N is at least L and 2.

    √(2σ̂²L/N) ≤ √(L/N)/(1-γ), since no sample deviation exceeds 1/√2 of the range, and
    7L/(3(N-1)) ≤ 14L/(3N) ≤ 14/3 √(L/N).
    """
    found = width(term)
    return Evaluation(
        premises=(Statement("samples against L and 2", term.N, "≥", max_of((term.L, 2.0))),),
        conclusion=Statement(
            "width beyond the model error against 17/3 √(L/N)/(1-γ)",
            found - term.error,
            "≤",
            constant * math.sqrt(term.L / term.N) / (1 - term.gamma),
            *formula(term),
            tolerance=ROUNDED * found,
        ),
    )


def formula(term: WidthTerm) -> Formed:
    """The width; sizes and n enter through L only, which is given."""
    if term.gamma == 0:
        known = (("sigma_r_hat", term.sigma), ("Delta_r", term.error))
        return formulas.APPENDIX_B + "WIDTH_R", (("N", term.N), *known)
    given = (("sigma_p_hat", term.sigma), ("Delta_p", term.error), ("gamma", term.gamma))
    return formulas.APPENDIX_B + "WIDTH_P", (("N", term.N), *given)


def _numbers(term: ExactTerm) -> Numbers:
    widths = (exact_width(term), exact_width(replace(term, N=4 * term.N)))
    return (
        ("γ", term.gamma),
        ("sample deviation", term.sigma),
        ("Δ_max", term.error),
        ("N, 4N", (term.N, 4 * term.N)),
        ("L", term.L),
        ("widths at N and 4N", tuple(map(shortened, widths))),
    )


def _broken(term: ExactTerm) -> dict[str, ExactTerm]:
    return {
        "samples": replace(term, N=1000),
        "deviation, at most half the range": replace(term, sigma=Fraction(3, 5)),
    }


OF_VALUES = ExactTerm(sigma=Fraction(1), error=Fraction(1, 10), gamma=Fraction(9, 10), N=1000)
TWO_SAMPLES = ExactTerm(sigma=Fraction(0), error=Fraction(0), gamma=Fraction(1, 2), N=2)

declare(
    check="text-width-form.form/model-error",
    says="With a model error the width does not halve when N is quadrupled",
    kind=CheckKind.ASYMPTOTIC,
    instance=with_model_error(),
    evaluate=width_form_evaluation,
    numbers=_numbers,
    fix="no model error",
    fixed=with_model_error(Fraction(0)),
    broken=_broken(with_model_error()),
    repaired=three_terms_evaluation,
    in_scope=OF_VALUES,
)
declare(
    check="text-width-form.form/no-spread",
    says="Without spread and error the width falls to a quarter when N is quadrupled",
    kind=CheckKind.ASYMPTOTIC,
    instance=without_spread(),
    evaluate=width_form_evaluation,
    numbers=_numbers,
    fix="a sample deviation of 1/2",
    fixed=without_spread(Fraction(1, 2)),
    broken=_broken(without_spread()),
    repaired=three_terms_evaluation,
    in_scope=TWO_SAMPLES,
)


# ε = 0 with perfect models (erratum E12): line 2 asks whether 0 ≥ 0 and falls back.
#
# Rewards are deterministic, so that a run is a sequence of whole numbers and nothing is left to
# chance.

DELTA, N_BUDGET = Fraction(1, 10), 5000
PERFECT = Algorithm1Inputs(Fraction(0), DELTA, N_BUDGET)
"""ε = Δ = 0."""

Models = tuple[ExactMDP, ...]


def instance() -> Models:
    """Two arms whose order the two models disagree about, far enough to be told apart soon."""
    return _swapped(Fraction(9, 10), Fraction(1, 10))


def _swapped(better: Fraction, other: Fraction, *rest: Fraction) -> Models:
    return deterministic_runs.arms(Fraction(1, 2), (better, other, *rest), (other, better, *rest))


def stops_optimally(models: Models, told: Algorithm1Inputs, version: Version) -> bool:
    """Whether Algorithm 1 without a fallback stops with an optimal policy of model 0."""
    if not deterministic_runs.enters(told, models[0].gamma, version).holds:
        return False
    theta = deterministic_runs.transfer_mode(models, told).theta
    best = mdp.optimal_policy(models[0])
    return theta is not None and mdp.optimal_policy(models[theta]) == best


def literal(models: Models, told: Algorithm1Inputs, version: Version) -> PtumResult:
    """The literal code in doubles."""
    algorithm = ptum if version is Version.PRINTED else repaired_ptum
    rounded = approximate_models([mdp.rounded(theta) for theta in models])
    return algorithm(
        rounded,
        Simulator(rounded.tasks[0], seed=0),
        epsilon=float(told.epsilon),
        delta=float(told.delta),
        n=told.n,
        Delta=float(told.Delta),
    )


def epsilon_zero_evaluation(
    models: Models, version: Version, told: Algorithm1Inputs = PERFECT
) -> Evaluation:
    """Perfect models that can be told apart: the run stops with an optimal policy.

    Twice: in rational arithmetic, and by the literal code.
    """
    found = literal(models, told, version)
    best = mdp.optimal_policy(models[0])
    optimal = found.policy is not None and tuple(found.policy.tolist()) == best
    return Evaluation(
        premises=(
            Statement("Δ", told.Delta, "=", 0),
            Statement("Γ", gap_Gamma(Situation(models, told.epsilon)), ">", 0),
        ),
        conclusion=Statement(
            f"runs at ε = {told.epsilon} that stop with the target's policy, one in rationals and "
            f"one in doubles ({found.end.value})",
            stops_optimally(models, told, version) + optimal,
            "=",
            2,
            *formulas.threshold(told.epsilon, models[0].gamma, version),
        ),
    )


@dataclass(frozen=True)
class PtumInputs:
    """Models of which number 0 is the target, and what PTUM is given besides."""

    models: Models
    inputs: Algorithm1Inputs = PERFECT


def evaluated(case: PtumInputs, version: Version) -> Evaluation:
    """The claim about a run."""
    return epsilon_zero_evaluation(case.models, version, case.inputs)


def numbers(case: PtumInputs) -> Numbers:
    """Both models and what PTUM is given."""
    return (
        *tasks(zip(("the target", "the rival"), case.models, strict=True)),
        ("γ", case.models[0].gamma),
        ("ε", case.inputs.epsilon),
        ("Δ", case.inputs.Delta),
        ("δ", case.inputs.delta),
        ("budget n", case.inputs.n),
    )


THREE_ARMS = _swapped(Fraction(4, 5), Fraction(1, 5), Fraction(1, 2))
LITTLE = Algorithm1Inputs(Fraction(1, 100), DELTA, N_BUDGET)
ROUGH = Algorithm1Inputs(Fraction(0), DELTA, N_BUDGET, Delta=Fraction(1, 10))

declare(
    check="text-epsilon-zero.enters/falls-back",
    says="At ε = Δ = 0 a run stops with the target's policy",
    also={
        "text-piecewise-constant-in-epsilon.zero/falls-back": "ε = Δ = 0 never enters transfer mode"
    },
    instance=PtumInputs(instance()),
    evaluate=partial(evaluated, version=Version.PRINTED),
    numbers=numbers,
    fix="ε = 0.01",
    fixed=PtumInputs(instance(), LITTLE),
    broken={"Δ": PtumInputs(instance(), ROUGH), "Γ": PtumInputs((instance()[0],) * 2)},
    repaired=partial(evaluated, version=Version.REPAIRED),
    in_scope=PtumInputs(THREE_ARMS),
)
