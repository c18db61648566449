"""Slips in Algorithm 2; PTUM and Algorithm 3 themselves are right."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math

import numpy as np

from ptum.checks.judge.capabilities.sequential.sequence_replay import (
    FEEDBACK,
    LINE_1,
    LINE_5,
    LINE_7,
    LINE_7_T,
    LINE_8,
    LINE_9,
)
from ptum.checks.judge.capabilities.sequential.sequential import plainly
from ptum.checks.judge.judging.hmms import nearest_order
from ptum.checks.judge.judging.items import Item
from ptum.checks.judge.plain.sequential import NO_ERRORS, Errors, PlainSequential, Samples
from ptum.checks.judge.slips import Bad
from ptum.reference.arrays import Floats


class ErrorsOfNextTask(PlainSequential):
    """Δ_{h+1} with h+1 tasks, of which one has not been seen."""

    def model_errors(self, h: int) -> Errors:
        """One task too many."""
        return super().model_errors(h + 1)


class NoSquare(PlainSequential):
    """log(π²hSA(S+U)/δ')."""

    def rate(self, h: int) -> float:
        """h where h² is meant."""
        c = math.pi**2 * h * self.setting.d / self.setting.delta_prime
        return math.sqrt(math.log(c) / h)


class NoPi(PlainSequential):
    """log(2h²SA(S+U)/δ'), which is the logarithm of the condition."""

    def rate(self, h: int) -> float:
        """2 where π² is meant."""
        return math.sqrt(math.log(2 * h**2 * self.setting.d / self.setting.delta_prime) / h)


class NoCondition(PlainSequential):
    """Theorem 2 is taken to speak of every h."""

    def model_errors(self, h: int) -> Errors:
        """No look at ρ."""
        rhos = self.numbers.rhos
        sizes = {name: getattr(rhos, name) for name in NO_ERRORS}
        return {name: rho * self.rate(h) for name, rho in sizes.items()}


class StartsKnowing(PlainSequential):
    """Δ_1 = 0: the models of line 1 are believed."""

    def __init__(self, **request: object) -> None:
        super().__init__(**request)
        self.errors = dict.fromkeys(NO_ERRORS, 0.0)


class FeedsInitialSet(PlainSequential):
    """The prediction starts from Θ̃_h and not from Θ̄_h."""

    def predict(self, h: int, report: dict[str, object]) -> list[int]:
        """Θ̃_h for Θ̄_h."""
        return super().predict(h, {**report, "active": report["initial"]})


class ReportsInitialSet(PlainSequential):
    """Θ̄_h is taken to be Θ̃_h, so that PTUM's eliminations are forgotten."""

    def theta_bar(self, h: int, report: dict[str, object]) -> list[int]:  # noqa: ARG002
        """What PTUM was given."""
        return list(self.initial)


class GrowingSet(PlainSequential):
    """Θ̄_h keeps every label that any task before may have had."""

    seen: frozenset[int] = frozenset()

    def theta_bar(self, h: int, report: dict[str, object]) -> list[int]:
        """All that was ever active."""
        self.seen |= set(super().theta_bar(h, report))
        return sorted(self.seen)


class AllUnlessStopped(PlainSequential):
    """Θ̄_h is all of Θ whenever the fallback had to help, though PTUM has dropped models."""

    def theta_bar(self, h: int, report: dict[str, object]) -> list[int]:
        """What PTUM left only if it stopped."""
        stopped = report["end"] == "stopped"
        return super().theta_bar(h, report) if stopped else list(self.setting.labels)


class PredictsOnlyIfStopped(PlainSequential):
    """Θ̄_h is right, but Θ̃_{h+1} is all of Θ whenever the fallback had to help."""

    def predict(self, h: int, report: dict[str, object]) -> list[int]:
        """Line 9 only after a stop."""
        stopped = report["end"] == "stopped"
        return super().predict(h, report) if stopped else list(self.setting.labels)


class ShrinkingSet(PlainSequential):
    """A label that was once dropped never comes back."""

    def predict(self, h: int, report: dict[str, object]) -> list[int]:
        """Θ̃_{h+1} within Θ̃_h."""
        kept = [theta for theta in super().predict(h, report) if theta in self.initial]
        return kept or list(self.initial)


class ByRows(PlainSequential):
    """Predicts with the transpose of T̂_h."""

    def predicted(self, theta: int, known: list[int]) -> float:
        """Σ T̂_h(θ',θ)."""
        assert self.T is not None
        return float(sum(self.T[before, theta] for before in known))


class LargestForSum(PlainSequential):
    """Predicts with the likeliest way from a task of Θ̄_h."""

    def predicted(self, theta: int, known: list[int]) -> float:
        """max T̂_h(θ,θ')."""
        assert self.T is not None
        return float(max((self.T[theta, before] for before in known), default=0.0))


class MeanForSum(PlainSequential):
    """Predicts as if the tasks of Θ̄_h were equally likely."""

    def predicted(self, theta: int, known: list[int]) -> float:
        """Σ T̂_h(θ,θ')/|Θ̄_h|."""
        return super().predicted(theta, known) / max(len(known), 1)


class NeverPredicts(PlainSequential):
    """Line 9 is left out."""

    def predict(self, h: int, report: dict[str, object]) -> list[int]:  # noqa: ARG002
        """Always Θ."""
        return list(self.setting.labels)


class LearnsOnce(PlainSequential):
    """The first estimate is the last."""

    def learn(self, h: int) -> None:
        """Nothing once there are models."""
        if self.O is None:
            super().learn(h)


class ErrorsOfFirstEstimate(PlainSequential):
    """Line 8 only once, although the models are new."""

    def model_errors(self, h: int) -> Errors:
        """Those of the first estimate."""
        known = any(math.isfinite(size) for size in self.errors.values())
        return self.errors if known else super().model_errors(h)


class OldTransitions(PlainSequential):
    """Line 9 with T̂_{h-1}; labels follow the estimate before."""

    before: Floats | None = None

    def matched(self, O: Floats, T: Floats) -> tuple[Floats, Floats]:
        """Rows and columns of T̂ follow the columns of Ô."""
        order = np.arange(O.shape[1]) if self.O is None else nearest_order(O, self.O)
        return O[:, order], T[np.ix_(order, order)]

    def learn(self, h: int) -> None:
        """Remember the estimate that is replaced."""
        self.before = self.T
        super().learn(h)

    def predicted(self, theta: int, known: list[int]) -> float:
        """Σ T̂_{h-1}(θ,θ')."""
        assert self.T is not None
        T = self.T if self.before is None else self.before
        return float(sum(T[theta, previous] for previous in known))


class NextTaskInConfidence(PlainSequential):
    """√(log(9kdm²/δ')/(h+1)) in line 9."""

    def left_side(self, theta: int, known: list[int], h: int) -> float:
        """One task too many."""
        return super().left_side(theta, known, h + 1)


class EtaWithM(PlainSequential):
    """η = δ'/(3km)."""

    @property
    def eta(self) -> float:
        """m where m² is meant."""
        return super().eta * self.numbers.m


class LabelsOfRows(PlainSequential):
    """Columns of Ô are sorted by their first entry; T̂ follows in its columns alone."""

    def matched(self, O: Floats, T: Floats) -> tuple[Floats, Floats]:
        """One permutation too few."""
        order = np.argsort(O[0])
        return O[:, order], T[:, order]


class OldObservations(PlainSequential):
    """Every task is observed as the first one was."""

    def observation(self, taken: Samples) -> Floats:
        """Never looks again."""
        return self.observations[0] if self.observations else super().observation(taken)


class TransitionsFirst(PlainSequential):
    """p̂ before q̂ in the observation, but q before p when it is read."""

    def observation(self, taken: Samples) -> Floats:
        """Halves exchanged."""
        o = super().observation(taken)
        rewards = self.setting.S * self.setting.A * self.setting.U
        return np.concatenate([o[rewards:], o[:rewards]])


class NewestFirst(PlainSequential):
    """Lines 5-6 keep the observations in the opposite order."""

    def learn(self, h: int) -> None:
        """o_h, …, o_1."""
        self.observations.reverse()
        super().learn(h)
        self.observations.reverse()


class NeverLearns(PlainSequential):
    """Lines 6-8 are left out: every task is solved from scratch."""

    def learn(self, h: int) -> None:
        """Nothing."""


class NoPostSamples(PlainSequential):
    """No sample of a pair that PTUM did not query; such a pair is taken to be uniform."""

    def sample_each(self, count: int, ask: object) -> None:
        """Nothing after the first estimate."""
        if self.O is None:
            assert callable(ask)
            super().sample_each(count, ask)

    def observation(self, taken: Samples) -> Floats:
        """A filler for what is missing."""
        pairs = [(s, a) for s in range(self.setting.S) for a in range(self.setting.A)]
        filler = [(value, 0) for value in self.setting.u]
        return super().observation({pair: taken.get(pair) or filler for pair in pairs})


def _bad(slug: str, breaks: Item, variant: type[PlainSequential]) -> Bad:
    return Bad(slug, "sequential", breaks, plainly(variant))


BAD: tuple[Bad, ...] = (
    _bad("starts-knowing", LINE_1, StartsKnowing),
    _bad("errors-with-h-plus-1", LINE_8, ErrorsOfNextTask),
    _bad("errors-without-square", LINE_8, NoSquare),
    _bad("errors-without-pi", LINE_8, NoPi),
    _bad("no-condition", LINE_8, NoCondition),
    _bad("feeds-initial-set", LINE_9, FeedsInitialSet),
    _bad("forgets-eliminations", FEEDBACK, ReportsInitialSet),
    _bad("growing-set", FEEDBACK, GrowingSet),
    _bad("all-unless-stopped", FEEDBACK, AllUnlessStopped),
    _bad("predicts-only-if-stopped", LINE_9, PredictsOnlyIfStopped),
    _bad("shrinking-set", LINE_9, ShrinkingSet),
    _bad("predicts-by-rows", LINE_9, ByRows),
    _bad("largest-for-sum", LINE_9, LargestForSum),
    _bad("mean-for-sum", LINE_9, MeanForSum),
    _bad("never-predicts", LINE_9, NeverPredicts),
    _bad("next-task-in-confidence", LINE_9, NextTaskInConfidence),
    _bad("eta-with-m", LINE_9, EtaWithM),
    _bad("old-transitions", LINE_9, OldTransitions),
    _bad("errors-of-first-estimate", LINE_8, ErrorsOfFirstEstimate),
    _bad("learns-once", LINE_7, LearnsOnce),
    _bad("labels-of-rows", LINE_7_T, LabelsOfRows),
    _bad("old-observations", LINE_7, OldObservations),
    _bad("transitions-first", LINE_7, TransitionsFirst),
    _bad("newest-first", LINE_7, NewestFirst),
    _bad("never-learns", LINE_7, NeverLearns),
    _bad("no-post-samples", LINE_5, NoPostSamples),
)
