"""Slips in Algorithm 2; PTUM and Algorithm 3 themselves are right."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ptum.checks.judge.capabilities.sequential.sequence_replay import (
    FEEDBACK,
    LABELS,
    LINE_1,
    LINE_4,
    LINE_5,
    LINE_7,
    LINE_7_T,
    LINE_8,
    LINE_9,
    POST,
)
from ptum.checks.judge.capabilities.sequential.sequential import repaired
from ptum.checks.judge.judging.hmms import nearest_order
from ptum.checks.judge.judging.items import (
    DEFINITION_1,
    DEVIATIONS,
    LEMMA_3,
    LINE_2,
    LINE_14,
    Item,
    equations,
)
from ptum.checks.judge.plain.algorithm_1 import Algorithm1
from ptum.checks.judge.plain.algorithm_2 import NO_ERRORS, Algorithm2, Errors, Samples
from ptum.checks.judge.slips import slip
from ptum.checks.judge.slips.transfer.definition_1 import FourForEight
from ptum.checks.judge.slips.transfer.elimination import NoEquation2, NoEquation3, NoEquation4
from ptum.checks.judge.slips.transfer.lemma_3 import LogOfEight
from ptum.checks.judge.slips.transfer.stopping import NoErrorTerm, TwoNotFour
from ptum.reference.arrays import Floats

WIDTHS_OF_LINE_4 = Item("line 4, Lemma 3 in PTUM", *LINE_4.places, *LEMMA_3.places)
LABELS_OR_LINE_9 = Item("lines 6-9, labels", *LABELS.places, *LINE_9.places)


@slip("sequential/errors-with-h-plus-1", breaks=LINE_8)
class _ErrorsOfNextTask(Algorithm2):
    """Δ_{h+1} with h+1 tasks, of which one has not been seen."""

    def model_errors(self, h: int) -> Errors:
        return super().model_errors(h + 1)


@slip("sequential/errors-without-square", breaks=LINE_8)
class _NoSquare(Algorithm2):
    """log(π²hSA(S+U)/δ')."""

    def rate(self, h: int) -> float:
        c = math.pi**2 * h * self.setting.d / self.setting.delta_prime
        return math.sqrt(math.log(c) / h)


@slip("sequential/errors-without-pi", breaks=LINE_8)
class _NoPi(Algorithm2):
    """log(2h²SA(S+U)/δ'), which is the logarithm of the condition."""

    def rate(self, h: int) -> float:
        return math.sqrt(math.log(2 * h**2 * self.setting.d / self.setting.delta_prime) / h)


@slip("sequential/no-condition", breaks=LINE_8)
class _NoCondition(Algorithm2):
    """Theorem 2 is taken to speak of every h."""

    def model_errors(self, h: int) -> Errors:
        rhos = self.numbers.rhos
        sizes = {name: getattr(rhos, name) for name in NO_ERRORS}
        return {name: rho * self.rate(h) for name, rho in sizes.items()}


@slip("sequential/starts-knowing", breaks=LINE_1)
class _StartsKnowing(Algorithm2):
    """Δ_1 = 0: the models of line 1 are believed."""

    def __init__(self, **request: object) -> None:
        super().__init__(**request)
        self.errors = dict.fromkeys(NO_ERRORS, 0.0)


@slip("sequential/feeds-initial-set", breaks=LINE_9)
class _FeedsInitialSet(Algorithm2):
    """The prediction starts from Θ̃_h and not from Θ̄_h."""

    def predict(self, h: int, report: dict[str, object]) -> list[int]:
        return super().predict(h, {**report, "active": report["initial"]})


@slip("sequential/forgets-eliminations", breaks=FEEDBACK)
class _ReportsInitialSet(Algorithm2):
    """Θ̄_h is taken to be Θ̃_h, so that PTUM's eliminations are forgotten."""

    def theta_bar(self, h: int, report: dict[str, object]) -> list[int]:  # noqa: ARG002
        return list(self.initial)


@slip("sequential/growing-set", breaks=FEEDBACK)
class _GrowingSet(Algorithm2):
    """Θ̄_h keeps every label that any task before may have had."""

    seen: frozenset[int] = frozenset()

    def theta_bar(self, h: int, report: dict[str, object]) -> list[int]:
        self.seen |= set(super().theta_bar(h, report))
        return sorted(self.seen)


@slip("sequential/all-unless-stopped", breaks=FEEDBACK)
class _AllUnlessStopped(Algorithm2):
    """Θ̄_h is all of Θ whenever the fallback had to help, though PTUM has dropped models."""

    def theta_bar(self, h: int, report: dict[str, object]) -> list[int]:
        stopped = report["end"] == "stopped"
        return super().theta_bar(h, report) if stopped else list(self.setting.labels)


@slip("sequential/predicts-only-if-stopped", breaks=LINE_9)
class _PredictsOnlyIfStopped(Algorithm2):
    """Θ̄_h is right, but Θ̃_{h+1} is all of Θ whenever the fallback had to help."""

    def predict(self, h: int, report: dict[str, object]) -> list[int]:
        stopped = report["end"] == "stopped"
        return super().predict(h, report) if stopped else list(self.setting.labels)


@slip("sequential/shrinking-set", breaks=LINE_9)
class _ShrinkingSet(Algorithm2):
    """A label that was once dropped never comes back."""

    def predict(self, h: int, report: dict[str, object]) -> list[int]:
        kept = [theta for theta in super().predict(h, report) if theta in self.initial]
        return kept or list(self.initial)


@slip("sequential/predicts-by-rows", breaks=LINE_9)
class _ByRows(Algorithm2):
    """Predicts with the transpose of T̂_h."""

    def predicted(self, theta: int, known: list[int]) -> float:
        assert self.T is not None
        return float(sum(self.T[before, theta] for before in known))


@slip("sequential/largest-for-sum", breaks=LINE_9)
class _LargestForSum(Algorithm2):
    """Predicts with the likeliest way from a task of Θ̄_h."""

    def predicted(self, theta: int, known: list[int]) -> float:
        assert self.T is not None
        return float(max((self.T[theta, before] for before in known), default=0.0))


@slip("sequential/mean-for-sum", breaks=LINE_9)
class _MeanForSum(Algorithm2):
    """Predicts as if the tasks of Θ̄_h were equally likely."""

    def predicted(self, theta: int, known: list[int]) -> float:
        return super().predicted(theta, known) / max(len(known), 1)


@slip("sequential/never-predicts", breaks=LINE_9)
class _NeverPredicts(Algorithm2):
    """Line 9 is left out."""

    def predict(self, h: int, report: dict[str, object]) -> list[int]:  # noqa: ARG002
        return list(self.setting.labels)


@slip("sequential/learns-once", breaks=LINE_7)
class _LearnsOnce(Algorithm2):
    """The first estimate is the last."""

    def learn(self, h: int) -> None:
        if self.O is None:
            super().learn(h)


@slip("sequential/errors-of-first-estimate", breaks=LINE_8)
class _ErrorsOfFirstEstimate(Algorithm2):
    """Line 8 only once, although the models are new."""

    def model_errors(self, h: int) -> Errors:
        known = any(math.isfinite(size) for size in self.errors.values())
        return self.errors if known else super().model_errors(h)


@slip("sequential/old-transitions", breaks=LINE_9)
class _OldTransitions(Algorithm2):
    """Line 9 with T̂_{h-1}; labels follow the estimate before."""

    before: Floats | None = None

    def matched(self, O: Floats, T: Floats) -> tuple[Floats, Floats]:
        order = np.arange(O.shape[1]) if self.O is None else nearest_order(O, self.O)
        return O[:, order], T[np.ix_(order, order)]

    def learn(self, h: int) -> None:
        self.before = self.T
        super().learn(h)

    def predicted(self, theta: int, known: list[int]) -> float:
        assert self.T is not None
        T = self.T if self.before is None else self.before
        return float(sum(T[theta, previous] for previous in known))


@slip("sequential/next-task-in-confidence", breaks=LINE_9)
class _NextTaskInConfidence(Algorithm2):
    """√(log(9kdm²/δ')/(h+1)) in line 9."""

    def left_side(self, theta: int, known: list[int], h: int) -> float:
        return super().left_side(theta, known, h + 1)


@slip("sequential/eta-with-m", breaks=LINE_9)
class _EtaWithM(Algorithm2):
    """η = δ'/(3km)."""

    @property
    def eta(self) -> float:
        return super().eta * self.numbers.m


@slip("sequential/labels-of-rows", breaks=LINE_7_T)
class _LabelsOfRows(Algorithm2):
    """Columns of Ô are sorted by their first entry; T̂ follows in its columns alone."""

    def matched(self, O: Floats, T: Floats) -> tuple[Floats, Floats]:
        order = np.argsort(O[0])
        return O[:, order], T[:, order]


@slip("sequential/transitions-keep-labels", breaks=LINE_7_T)
class TransitionsKeepLabels(Algorithm2):
    """Columns of Ô follow the estimate before, T̂ stays as it was found."""

    def matched(self, O: Floats, T: Floats) -> tuple[Floats, Floats]:
        """No permutation."""
        return O if self.O is None else O[:, nearest_order(O, self.O)], T


@slip("sequential/old-observations", breaks=LINE_7)
class _OldObservations(Algorithm2):
    """Every task is observed as the first one was."""

    def observation(self, taken: Samples) -> Floats:
        return self.observations[0] if self.observations else super().observation(taken)


@slip("sequential/transitions-first", breaks=LINE_7)
class _TransitionsFirst(Algorithm2):
    """p̂ before q̂ in the observation, but q before p when it is read."""

    def observation(self, taken: Samples) -> Floats:
        o = super().observation(taken)
        rewards = self.setting.S * self.setting.A * self.setting.U
        return np.concatenate([o[rewards:], o[:rewards]])


@slip("sequential/newest-first", breaks=LINE_7)
class _NewestFirst(Algorithm2):
    """Lines 5-6 keep the observations in the opposite order."""

    def learn(self, h: int) -> None:
        self.observations.reverse()
        super().learn(h)
        self.observations.reverse()


@slip("sequential/never-learns", breaks=LINE_7)
class _NeverLearns(Algorithm2):
    """Lines 6-8 are left out: every task is solved from scratch."""

    def learn(self, h: int) -> None:
        """Nothing."""


@slip("sequential/no-post-samples", breaks=LINE_5)
class _NoPostSamples(Algorithm2):
    """No sample of a pair that PTUM did not query; such a pair is taken to be uniform."""

    def sample_each(self, count: int, ask: object) -> None:
        if self.O is None:
            assert callable(ask)
            super().sample_each(count, ask)

    def observation(self, taken: Samples) -> Floats:
        pairs = [(s, a) for s in range(self.setting.S) for a in range(self.setting.A)]
        filler = [(value, 0) for value in self.setting.u]
        return super().observation({pair: taken.get(pair) or filler for pair in pairs})


@slip("sequential/fewer-post-samples", breaks=POST)
class _OnePostSampleLess(Algorithm2):
    """n_post - 1 samples of every pair, or one."""

    def post_samples(self) -> int:
        return max(super().post_samples() - 1, 1)


@slip("sequential/columns-not-normalised", breaks=LINE_7_T)
class _ClippedOnly(Algorithm2):
    """Negative entries of T̂_h are set to zero, and its columns do not sum to one any more."""

    def matched(self, O: Floats, T: Floats) -> tuple[Floats, Floats]:
        return O, np.maximum(T, 0.0)


class _LargerTheta(Algorithm1):
    """More models in the logarithms than there are."""

    size = 0

    def log_term(self, factor: int) -> float:
        return super().log_term(factor) + math.log((self.size + 1) / (self.k + 1))


@slip("sequential/all-models-in-widths", breaks=WIDTHS_OF_LINE_4)
class _AllModelsInWidths(Algorithm2):
    """|Θ| = k in PTUM's widths, though it runs on the models of Θ̃_h."""

    def transfer(self, **inputs: Any) -> Algorithm1:
        run = _LargerTheta(**inputs)
        run.size = self.setting.k
        return run


class _HalfEpsilon(Algorithm1):
    """ε/2 for ε."""

    def __init__(self, **inputs: Any) -> None:
        super().__init__(**{**inputs, "epsilon": inputs["epsilon"] / 2})


class _FourForEightInRewards(Algorithm1):
    """4Δ for 8Δ at the gap of rewards."""

    def shift(self, gap: str) -> float:
        return super().shift(gap) / (2 if gap == "r" else 1)


class _EightForFour(Algorithm1):
    """Line 2 with 8 for 4."""

    def threshold(self) -> float:
        return super().threshold() / 2


for _slug, _ptum, _breaks in (
    ("half-epsilon", _HalfEpsilon, (LINE_2, LINE_14)),
    ("line-2-with-2", TwoNotFour, (LINE_2,)),
    ("line-2-with-8", _EightForFour, (LINE_2,)),
    ("without-test-2", NoEquation2, (equations(2),)),
    ("without-test-3", NoEquation3, (equations(3),)),
    ("without-test-4", NoEquation4, (equations(4),)),
    ("log-8-for-4", LogOfEight, (DEVIATIONS,)),
    ("4-for-8-errors", FourForEight, (DEFINITION_1,)),
    ("4-for-8-errors-in-rewards", _FourForEightInRewards, (DEFINITION_1,)),
    ("no-errors-in-line-14", NoErrorTerm, (LINE_14,)),
):
    _places = (place for broken in _breaks for place in broken.places)
    slip(f"sequential/ptum-{_slug}", breaks=Item("line 4, PTUM", *LINE_4.places, *_places))(
        type(_ptum.__name__, (Algorithm2,), {"ptum": _ptum, "__doc__": _ptum.__doc__})
    )


@slip("sequential/transfer-samples-twice", breaks=LINE_7)
class _TransferSamplesTwice(Algorithm2):
    """PTUM's samples count twice in o_h."""

    def solve(self, h: int, ask: Any, taken: Samples) -> dict[str, object]:
        report = super().solve(h, ask, taken)
        for pair, samples in taken.items():
            taken[pair] = samples * 2
        return report

    def fallback_samples(self) -> int:
        return 0


class _OtherCondition(Algorithm2):
    """Another logarithm in the condition of Theorem 2."""

    def inside(self, h: int) -> float:
        raise NotImplementedError

    def speaks(self, h: int) -> bool:
        return h > self.numbers.rhos.condition * math.log(self.inside(h))


@slip("sequential/condition-without-square", breaks=LINE_8)
class _ConditionWithoutSquare(_OtherCondition):
    """Theorem 2 speaks if h > ρ log(2hSA(S+U)/δ'), with h for h²."""

    def inside(self, h: int) -> float:
        return 2 * h * self.setting.d / self.setting.delta_prime


@slip("sequential/condition-without-d", breaks=LINE_8)
class _ConditionWithoutD(_OtherCondition):
    """Theorem 2 speaks if h > ρ log(2h²/δ'), without SA(S+U)."""

    def inside(self, h: int) -> float:
        return 2 * h**2 / self.setting.delta_prime


@slip("sequential/condition-with-c", breaks=LINE_8)
class _ConditionWithC(_OtherCondition):
    """Theorem 2 speaks if h > ρ log c_h, with π² for 2."""

    def inside(self, h: int) -> float:
        return math.pi**2 * h**2 * self.setting.d / self.setting.delta_prime


@slip("sequential/h-for-m-in-confidence", breaks=LINE_9)
class _HForM(Algorithm2):
    """log(9kdh²/δ') for log(9kdm²/δ') in line 9."""

    def inside_of_line_9(self, h: int) -> float:
        return super().inside_of_line_9(h) * h**2 / self.numbers.m**2


@slip("sequential/labels-not-matched", breaks=LABELS_OR_LINE_9, view=lambda code: code)
def labels_not_matched(**request: Any) -> dict[str, object]:
    """The repaired version, whose estimates come in the opposite order at every second task."""
    answer = repaired(**request)
    tasks: Any = answer["tasks"]
    return {"tasks": [_renamed(task, h) for h, task in enumerate(tasks, start=1)]}


def _renamed(task: dict[str, Any], h: int) -> dict[str, object]:
    """Labels of task h reversed if h is even, those of T̂_h as in task h+1."""
    last = None if task["models"] is None else len(task["models"]) - 1
    T = None if task["T"] is None else np.array(task["T"])
    if h % 2 == 1 and T is not None:
        T = T[::-1, ::-1]
    if h % 2 == 1 or last is None:
        return {**task, "T": T}
    gone = [{**one, "theta": last - one["theta"]} for one in task["eliminations"]]
    return {
        **task,
        "T": T,
        "models": task["models"][::-1],
        "initial": sorted(last - theta for theta in task["initial"]),
        "active": sorted(last - theta for theta in task["active"]),
        "eliminations": gone,
    }
