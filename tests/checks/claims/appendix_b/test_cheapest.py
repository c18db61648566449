"""The cheapest repair: its constants are proved, and moved ones are rejected where sharp."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from ptum.checks.claims.open_questions import cheapest, constants
from ptum.checks.claims.section_3 import runs
from ptum.checks.exact import mdp
from ptum.checks.instances.counterexamples.appendix_b.correctness import ExactModels
from ptum.checks.instances.counterexamples.shared import blocks
from ptum.checks.instances.families import sets
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import Outcome
from ptum.checks.verdicts.search import search
from ptum.reference.repaired.transfer.analysis import lemmas as repaired_lemmas
from ptum.reference.repaired.transfer.analysis.sample_complexity import (
    corollary_1_bound,
    fundamental_bound,
    theorem_1_bound,
)
from ptum.reference.repaired.transfer.ptum import (
    CHEAPEST,
    PRINTED_SHIFT,
    End,
    TransferConstants,
    ptum,
)
from ptum.reference.repaired.transfer.stopping import enters_transfer_mode, transfer_threshold
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.analysis import lemmas
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.confidence import log_term
from ptum.reference.transfer.information import SHIFT, index
from ptum.spec.vocabulary import Verdict
from tests.support.closeness import near
from tests.support.instances import bernoulli_bandit

QUICK = Context(Profile.QUICK, seed=1)
PAGE = (Path(__file__).parents[4] / "docs" / "repaired_transfer.md").read_text()


@pytest.mark.parametrize(
    ("check", "moved"),
    [
        (cheapest.positive, replace(CHEAPEST, line_2=7.1)),
        (cheapest.positive, replace(CHEAPEST, shift=2.7)),
        (cheapest.hidden_numbers, replace(CHEAPEST, lemma_8=21)),
        (cheapest.hidden_numbers, replace(CHEAPEST, shift=2.1)),
        (cheapest.both_active, replace(CHEAPEST, lemma_8=2)),
        (cheapest.queries, replace(CHEAPEST, theorem_1=1)),
        (cheapest.explicit_queries, replace(CHEAPEST, by_gap=1, by_accuracy=1)),
    ],
    ids=["line-2", "shift", "lemma-8", "shift-of-lemma-8", "models", "runs", "explicit"],
)
def test_moved_constants_are_rejected(
    check: Callable[..., Outcome], moved: TransferConstants
) -> None:
    assert check(QUICK, moved).verdict is Verdict.VIOLATED


def test_losses_reject_the_printed_errors() -> None:
    """The same evaluation, given the errors of Assumption 1 as printed, finds what E02 says."""
    found = search(
        QUICK,
        sets.kernel_sets(2),
        lambda drawn: runs.stop_at_once(drawn, drawn.printed_errors().Delta, CHEAPEST.line_2),
        400,
    )
    assert found.verdict is Verdict.VIOLATED


class TestConstants:
    """What the proofs give for a shift of 2.61."""

    def test_lemma_7(self) -> None:
        for repair in (PRINTED_SHIFT, CHEAPEST):
            assert repair.line_2 == near(constants.threshold_factor(repair.shift))

    def test_lemma_8_and_theorem_1(self) -> None:
        factor = constants.factor_for(CHEAPEST.shift)
        assert factor == constants.LEAST_FACTOR <= CHEAPEST.lemma_8 < factor + 1
        assert constants.counted(factor) <= CHEAPEST.theorem_1 < constants.counted(factor) + 1
        assert constants.LEAST_SHIFT <= CHEAPEST.shift < constants.LEAST_SHIFT + 0.01

    def test_corollary_1(self) -> None:
        """Half of what the shift has above 2 goes into the factor, half is kept of Δ."""
        kept = (CHEAPEST.shift - 2) / 2
        found = constants.explicit_constants(8 / kept**2, kept, CHEAPEST.shift)
        for proved, told in zip(found, (CHEAPEST.by_gap, CHEAPEST.by_accuracy), strict=True):
            assert proved <= told < 1.01 * proved

    def test_the_page_has_them(self) -> None:
        row = "| `CHEAPEST` | 2.61 | 7.22 | 22 | 23 | 6300 | 193000 |"
        assert row in PAGE
        assert "| `PRINTED_SHIFT` | 8 | 18 | 128 | 128 | 1000 | 16000 |" in PAGE
        assert TransferConstants(2.61, 7.22, 22, 23, 6300, 193000) == CHEAPEST
        assert TransferConstants(SHIFT, 18, 128, 128, 1000, 16000) == PRINTED_SHIFT


class TestReference:
    """Every function that takes a repair uses it."""

    MODELS = approximate_models(
        [bernoulli_bandit([0.5, 0.8], 0.5), bernoulli_bandit([0.8, 0.5], 0.5)]
    )

    def test_line_2(self) -> None:
        assert transfer_threshold(1.0, 0.5, CHEAPEST) == near(0.5 / (7.22 * 1.5))
        assert transfer_threshold(1.0, 0.5) == near(0.5 / (18 * 1.5))
        assert enters_transfer_mode(0.04, 1.0, 0.5, CHEAPEST)
        assert not enters_transfer_mode(0.04, 1.0, 0.5)
        assert not enters_transfer_mode(0.047, 1.0, 0.5, CHEAPEST)

    def test_index_and_bounds(self) -> None:
        """Gaps of 0.3, Δ = 0.03, σ² = 1/4: x = 0.3 - 0.0783 = 0.2217 against 0.06."""
        x, far = 0.3 - 2.61 * 0.03, 0.3 - 0.24
        assert index((0, 1), self.MODELS, 0.03, CHEAPEST.shift).max() == near(min(x, x**2 / 0.16))
        assert index((0, 1), self.MODELS, 0.03).max() == near(far**2 / 0.16)
        L = log_term(1, 2, 9, 2, 0.1)
        cheap, full = (
            fundamental_bound((0, 1), self.MODELS, 0.03, L, repair)
            for repair in (CHEAPEST, PRINTED_SHIFT)
        )
        assert (cheap, full) == (near(22 * L / x), near(128 * L * 0.16 / far**2))
        bound = theorem_1_bound(
            self.MODELS, target=0, epsilon=0.5, delta=0.1, n=9, Delta=0.03, repair=CHEAPEST
        )
        assert (bound.factor, bound.bound) == (23, near(23 * L / x))
        explicit = corollary_1_bound(
            1, 2, 2, gamma=0.5, epsilon=0.5, delta=0.1, n=9, Gamma=0.3, repair=CHEAPEST
        )
        assert explicit == near(L * min(6300 / (0.25 * 0.09), 193000 / (0.0625 * 0.25)))

    def test_lemma_8(self) -> None:
        """22 L/x samples are too many, and they are those of the pair that is queried."""
        L = 1.0
        bound = fundamental_bound((0, 1), self.MODELS, 0.03, L, CHEAPEST)
        for N, holds in ((math.floor(bound), True), (math.ceil(bound), False)):
            counts = np.array([[N, 0]])
            found = repaired_lemmas.fundamental_lemma(
                Iteration(self.MODELS, 0, (0, 1), 0.03), N=counts, L=L, repair=CHEAPEST
            )
            assert found.holds is holds

    def test_a_run_that_the_default_hands_over(self) -> None:
        """Δ = 0.02 at ε = 0.45: between (1-γ)ε/(18(1+γ)) and (1-γ)ε/(7.22(1+γ))."""
        tasks = self.MODELS.tasks
        ends = {}
        for name, repair in (("default", PRINTED_SHIFT), ("cheapest", CHEAPEST)):
            run = ptum(
                self.MODELS,
                Simulator(tasks[0], 1),
                epsilon=0.45,
                delta=0.1,
                n=20_000,
                Delta=0.02,
                repair=repair,
            )
            ends[name] = run.end, None if run.policy is None else run.policy.tolist()
        assert ends == {
            "default": (End.MODELS_TOO_INACCURATE, None),
            "cheapest": (End.STOPPED, [1]),
        }


@given(cheapest.barely_not_stopping(CHEAPEST))
@settings(max_examples=30, deadline=None)
def test_lemma_7_in_doubles(instance: ExactModels) -> None:
    """The function of the reference on rounded instances: what is met is not refuted."""
    models = approximate_models([mdp.rounded(model) for model in instance.models])
    active = tuple(range(models.k))
    found = repaired_lemmas.positive_index(
        Iteration(models, 0, active, float(instance.Delta)),
        epsilon=float(instance.epsilon),
        repair=CHEAPEST,
    )
    assert not found.refutes


def test_lemma_7_with_the_wrong_line_2_is_seen_in_doubles() -> None:
    """The blocks with gaps of 2.61Δ, Δ two per cent above the threshold."""
    gamma, epsilon = Fraction(9, 10), Fraction(2)
    Delta = Fraction(102, 100) * mdp.transfer_threshold(epsilon, gamma, Fraction(722, 100))
    gap = Fraction(261, 100) * Delta
    models = approximate_models([mdp.rounded(model) for model in blocks.mirrored(gap, gap, gamma)])
    for repair, refutes in ((CHEAPEST, False), (replace(CHEAPEST, line_2=7.0), True)):
        found = repaired_lemmas.positive_index(
            Iteration(models, 0, (0, 1), float(Delta)), epsilon=float(epsilon), repair=repair
        )
        assert found.premises[lemmas.NO_STOP]
        assert not found.holds
        assert found.refutes is refutes
