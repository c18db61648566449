"""The algebra of the proofs in Appendix B: identities proved by computer algebra, and the few
inequalities between constants in exact fractions.

Where a formula of the ledger takes part it is the ledger's own; the rest are the displays of the
proofs, with x for the gap beyond its shift, L for the logarithm and σ for a deviation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Outcome, Statement
from ptum.spec.algebra import Condition, Term, log, rational, sqrt, symbol
from ptum.spec.formulas import transfer
from ptum.spec.formulas.symbols import (
    A,
    Delta,
    S,
    delta,
    epsilon,
    gamma,
    k,
    kappa,
    log_term,
    log_term_sigma,
    n,
)
from ptum.spec.vocabulary import CheckKind, Verdict

L, x, sigma, count = symbol("L"), symbol("x"), symbol("sigma"), symbol("N")
LEAST_LOG = Fraction(277, 100)
"""Not above log 16, the least value of log(8SAn(|Θ|+1)/δ)."""


@dataclass(frozen=True)
class Identity:
    """Two formulas that a proof takes for the same."""

    text: str
    left: Term
    right: Term | int


def holds(identities: Sequence[Identity], statements: Sequence[Statement] = ()) -> Outcome:
    """Every identity is proved and every comparison of constants true."""
    told = [(identity.text, identity.left.equals(identity.right)) for identity in identities]
    told += [(str(statement), statement.holds) for statement in statements]
    wrong = sum(not good for _, good in told)
    return Outcome(
        verdict=Verdict.VIOLATED if wrong else Verdict.HOLDS,
        instances=len(told),
        trials=len(told),
        violations=wrong,
        explanation=tuple(f"{'proved' if good else 'NOT PROVED'}: {text}" for text, good in told),
    )


def right_side(formula: str) -> Term:
    """The right side of a formula of Section 3, which must be a number."""
    term: Term | Condition = getattr(transfer, formula).right
    if not isinstance(term, Term):
        raise TypeError(f"{formula} is a condition")
    return term


@check("lemma-3.widths/union-bound", CheckKind.SYMBOLIC)
def union_bound(_: Context, events: int = 2) -> Outcome:
    """2SAn(|Θ|+1) events of probability δ/(2SAn(|Θ|+1)) give the two logarithms.

    Lemma 3: 2(|Θ|+1) events per pair and count, so 2SAn(|Θ|+1) in all, share δ.
    """
    share = delta / (events * S * A * n * (k + 1))
    return holds(
        (
            Identity("all shares together are δ", 2 * S * A * n * (k + 1) * share, delta),
            Identity("log(4/share) is the logarithm of C^r and C^p", log(4 / share), log_term),
            Identity("log(2/share) is that of C^σ", log(2 / share), log_term_sigma),
        )
    )


@check("lemma-4.reward/algebra", CheckKind.SYMBOLIC)
def elimination(_: Context, factor: int = 32, of_values: bool = False) -> Outcome:
    """14/3 + 4 = 26/3, and with 32 each of the two terms takes at most half of the gap.

    Lemma 4: both halves of the gap at N = 32Lσ²/x² and N = 32L/(lin·x), lin = 1 or 1-γ.
    """
    lin = 1 - gamma if of_values else rational(1, 1)
    by_deviation = 2 * sqrt(2 * sigma**2 * L / (factor * L * sigma**2 / x**2))
    last_term = rational(26, 3) * L / (count * lin)
    return holds(
        (
            Identity("14/3 + 4 = 26/3", rational(14, 3) + 4, rational(26, 3)),
            Identity("2√(2L/N)·√(2L/N) = 4L/N", 2 * sqrt(2 * L / count) ** 2, 4 * L / count),
            Identity("the deviation takes half of x", by_deviation, x / 2),
            Identity(
                "2√(2L/N) at N = 32L is 1/2, below the 2 that the proof allows",
                2 * sqrt(2 * L / (factor * L)),
                rational(1, 2),
            ),
            Identity(
                "the last term takes 26/96 of x",
                last_term.substitute({"N": factor * L / (lin * x)}),
                rational(26, 96) * x,
            ),
        ),
        (
            # N - 1 instead of N: N > 32L ≥ 32 log 16, so N/(N-1) is at most 32l/(32l-1)
            Statement(
                "26/96 with N-1 in place of N, against 1/2",
                Fraction(26, 3 * factor) * (factor * LEAST_LOG / (factor * LEAST_LOG - 1)),
                "<",
                Fraction(1, 2),
            ),
        ),
    )


@check("lemma-4.transition/repaired-algebra", CheckKind.SYMBOLIC)
def elimination_of_values(context: Context) -> Outcome:
    """With 32 each of the two terms takes at most half of the gap, the last one with 1/(1-γ)."""
    return elimination(context, of_values=True)


@check("text-elimination-impossible.impossible/repaired-algebra", CheckKind.SYMBOLIC)
def sharp_elimination(_: Context, factor: int = 23, shift: Fraction = Fraction(26, 10)) -> Outcome:
    """The argument of Lemma 4 closes with 23 and 2.6Δ.

    Lemma 4 with 23 and 2.6Δ: 2√(2/23) + 26/(3·23)·N/(N-1) < 1 and 2 + 2√(2/23) ≤ 2.6.

    √(2/23) = √46/23, and √46 is below 6.79.
    """
    root = Fraction(679, 100) / factor
    last = Fraction(26, 3 * factor) * (factor * LEAST_LOG / (factor * LEAST_LOG - 1))
    return holds(
        (),
        (
            Statement("(23·root)² against 46", (factor * root) ** 2, "≥", 2 * factor),
            Statement("shares of x in all, against 1", 2 * root + last, "<", 1),
            Statement("shift against what the deviation costs", 2 + 2 * root, "≤", shift),
        ),
    )


@check("lemma-6.active/algebra", CheckKind.SYMBOLIC)
def slack_is_kappa(_: Context) -> Outcome:
    """The slack of line 14 is 4κ_ε/(1-γ)."""
    slack, kappa_eps = right_side("STOPPING_SLACK"), right_side("KAPPA")
    return holds(
        (
            Identity(
                "2(κ + γκ/γ)/(1-γ) = 4κ/(1-γ)",
                2 * (kappa + gamma * (kappa / gamma)) / (1 - gamma),
                4 * kappa / (1 - gamma),
            ),
            Identity("4κ_ε/(1-γ) is the slack", 4 * kappa_eps / (1 - gamma), slack),
        )
    )


@check("text-kappa-floor.floor/algebra", CheckKind.SYMBOLIC)
def kappa_at_threshold(_: Context) -> Outcome:
    """κ_ε decreases in Δ and is ε(1-γ)/8 at the printed threshold."""
    kappa_eps, slack = right_side("KAPPA"), right_side("STOPPING_SLACK")
    at_threshold = {"Delta": right_side("TRANSFER_THRESHOLD")}
    per_Delta = (kappa_eps - kappa_eps.substitute({"Delta": 0})) / Delta
    return holds(
        (
            Identity("κ_ε changes by -(1+γ)/2 per Δ", per_Delta, -(1 + gamma) / 2),
            Identity(
                "κ_ε at the threshold",
                kappa_eps.substitute(at_threshold),
                epsilon * (1 - gamma) / 8,
            ),
            Identity("slack at the threshold", slack.substitute(at_threshold), epsilon / 2),
        )
    )


@check("lemma-7.positive/repaired-algebra", CheckKind.SYMBOLIC)
def threshold_of_index(_: Context, formula: str = "TRANSFER_THRESHOLD_REPAIRED") -> Outcome:
    """Gaps of 8Δ cost exactly the slack at Δ = (1-γ)ε/(18(1+γ))."""
    threshold = right_side(formula)
    at_threshold = {"Delta": threshold}
    loss = 2 * (8 * Delta + gamma * (8 * Delta)) / (1 - gamma)
    slack = right_side("STOPPING_SLACK")
    return holds(
        (
            Identity(
                "loss and slack at the threshold",
                loss.substitute(at_threshold),
                slack.substitute(at_threshold),
            ),
            Identity("16 + 2 = 18", 18 * Delta * (1 + gamma) / (1 - gamma) - epsilon, loss - slack),
        )
    )


@check("lemma-8.bound/algebra", CheckKind.SYMBOLIC)
def fundamental_constant(_: Context) -> Outcome:
    """Four times 32 is 128, and with 23 the rounding of counts is absorbed.

    Lemma 8: 2G - 8Δ = 2(G - 4Δ); squared a factor 4, and 4·32 = 128; 4·23 + 1/log 16 < 128.
    """
    gap = symbol("Gamma")  # any positive number
    return holds(
        (
            Identity(
                "(2G - 8Δ)² = 4(G - 4Δ)²", (2 * gap - 8 * Delta) ** 2, 4 * (gap - 4 * Delta) ** 2
            ),
            Identity("4·32 = 128", rational(4, 1) * 32, 128),
        ),
        (
            # N ≤ 92L/I and one more query; I ≤ 1 and L ≥ log 16 let 1 ≤ (1/log 16) L/I
            Statement("4·23 + 1/log 16 against 128", 4 * 23 + 1 / LEAST_LOG, "<", 128),
        ),
    )


@check("lemma-9.optimal/repaired-algebra", CheckKind.SYMBOLIC)
def three_terms(_: Context) -> Outcome:
    """The three terms of the proof add up to ε."""
    one_model = (Delta + gamma * Delta) / (1 - gamma)
    return holds(
        (
            Identity("Σν(Δ + γΔ) = Δ(1+γ)/(1-γ)", one_model, Delta * (1 + gamma) / (1 - gamma)),
            Identity("the three terms", 2 * one_model + right_side("STOPPING_SLACK"), epsilon),
        )
    )
