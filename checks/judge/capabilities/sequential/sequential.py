"""Algorithm 2 as a whole: the subject asks for samples of m tasks and reports what it did at each.

How the reports are judged is said in `ptum.checks.judge.capabilities.sequential.sequence_replay`.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.capabilities.sequential.sequence_replay import READINGS, History, first_wrong
from ptum.checks.judge.cases.tasks import bandit, certain_bandit, moves
from ptum.checks.judge.judging.hmms import nearest_order
from ptum.checks.judge.judging.readings import Capability, Case, Finding, Judge, Reading, Sampler
from ptum.checks.judge.judging.sequence import SequenceNumbers, by_task, numbers_of, reports_of
from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.messages.fields import Field, as_json
from ptum.checks.judge.messages.parsing import errors_fields, task_fields
from ptum.checks.judge.messages.transcript import Asked, Fields
from ptum.checks.judge.plain import views
from ptum.checks.judge.plain.algorithm_1 import EighteenForFour
from ptum.checks.judge.plain.algorithm_2 import Algorithm2, Sample
from ptum.reference.arrays import Floats
from ptum.reference.errors import InputError
from ptum.reference.repaired.sequential import algorithm as repaired_version
from ptum.reference.repaired.sequential.prediction import PerStep
from ptum.reference.sequential.algorithm import Setting, TaskRecord, sequential_transfer
from ptum.reference.sequential.hmm import VIEWS
from ptum.reference.sequential.lines import current_models
from ptum.reference.sequential.prediction import Theorem3
from ptum.reference.sequential.projection import project_columns
from ptum.reference.sequential.state import Estimate as LatestEstimate
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards
from ptum.reference.transfer.fallback import UniformSampling

FLAGS: Mapping[str, str] = {
    "k=1": "a single task, again and again",
    "S=2": "two states, so that transitions matter",
    "gamma=0": "only the first reward counts",
    "no-transfer": "line 2 of PTUM sends every task to the fallback",
    "too-few": "Algorithm 3 never has k triples",
    "confidence": "δk and the number of tasks decide whether Theorem 3 drops a task",
    "condition": "Theorem 2 does not speak of so few tasks yet: errors stay infinite",
    "prediction": "the rule of Theorem 3 drops a task",
    "asymmetric": "rows and columns of T predict different tasks",
    "certain": "rewards and next states are certain, so that estimates are exact",
    "noisy": "rewards are random",
    "signed": "T̂_h has a row of negative sum, as noise may make it",
    "orders": "three noisy tasks: each of the six orders of discovery has an estimate of its own",
    "subset": "PTUM runs on two of three models: |Θ| is two in its widths",
    "sum": "several tasks in Θ̄_h; their sum decides, neither the largest nor the mean",
    "unfinished": "PTUM drops a model and runs out of queries before it can stop",
    "four-constants": "the four constants of Theorem 2 differ",
    "drawn": "drawn at random from the seed",
}


def judge(request: Fields, answer: Fields, queries: Sequence[Asked]) -> Judge:
    """Go through the tasks; the first thing that does not follow is reported."""
    numbers = numbers_of(request)
    tasks = [asked.h for asked in queries]
    history = History(
        numbers,
        reports_of(answer, numbers),
        by_task(queries, numbers),
        in_order=tasks == sorted(tasks),
    )

    def wrong(reading: Reading) -> Finding | None:
        return first_wrong(history, reading)

    return wrong


def tolerance(_: Fields) -> dict[str, float]:
    """Errors are formulas, met to a 10⁻⁹ of their size.

    Models and T̂ are held to the bounds of `hmm_samples` for the samples that the subject took; a
    request alone does not tell them.
    """
    return {"errors": FLOOR}


# Conforming implementations


@dataclass(frozen=True)
class _Task:
    """Task h as a generative model."""

    sampler: Sample
    h: int

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """One sample of task h."""
        return self.sampler(self.h, s, a)


def _report(
    record: TaskRecord, models: tuple[MDP, ...] | None, T: Floats | None
) -> dict[str, object]:
    result = record.result
    return {
        "initial": record.initial,
        "errors": errors_fields(record.errors),
        "models": None if models is None else [task_fields(task) for task in models],
        "end": result.end.value,
        "queries": result.queries,
        "eliminations": [{"t": one.t, "theta": one.theta} for one in result.eliminations],
        "active": record.theta_bar,
        "policy": result.policy,
        "T": T,
    }


def _reports(records: Iterable[TaskRecord], setting: Setting) -> dict[str, object]:
    tasks: list[dict[str, object]] = []
    estimate: LatestEstimate | None = None
    for record in records:
        models = None if estimate is None else current_models(estimate, setting)
        estimate = record.after.estimate
        tasks.append(_report(record, models, None if estimate is None else estimate.T))
    return {"tasks": tasks}


def literal(sample: Sample, **request: object) -> dict[str, object]:
    """`ptum.reference.sequential.algorithm` with the rule of Theorem 3."""
    numbers = _numbers(request)
    rule = Theorem3(m=numbers.m, rho_T=numbers.rho_T)
    return _run(sequential_transfer, sample, numbers, rhos=numbers.rhos, rule=rule)


def repaired(sample: Sample, **request: object) -> dict[str, object]:
    """`ptum.reference.repaired.sequential.algorithm`, with views within each task."""
    numbers = _numbers(request)
    version, rule = repaired_version.sequential_transfer, PerStep(eta=numbers.eta)
    return _run(version, sample, numbers, rhos=numbers.repaired, rule=rule)


def _run(
    version: Callable[..., Iterator[TaskRecord]],
    sample: Sample,
    numbers: SequenceNumbers,
    **of_it: object,
) -> dict[str, object]:
    """Either version on the tasks behind `sample`, with constants and a rule of its own."""
    setting = numbers.setting
    records = version(
        [_Task(sample, h) for h in range(1, numbers.m + 1)],
        k=setting.k,
        S=setting.S,
        A=setting.A,
        u=setting.u,
        gamma=setting.gamma,
        epsilon=setting.epsilon,
        delta=setting.delta,
        n=setting.n,
        delta_prime=setting.delta_prime,
        n_post=setting.n_post,
        fallback=UniformSampling(),
        L=8,
        N=40,
        **of_it,
    )
    return _reports(records, setting)


def _numbers(request: Mapping[str, object]) -> SequenceNumbers:
    return numbers_of({name: as_json(value) for name, value in request.items()})


class OneConstant(Algorithm2):
    """The largest of the four errors stands for all (D02)."""

    one_constant = True


class LineTwoRepaired(Algorithm2):
    """PTUM with 18 for 4 in line 2, all else as printed (E01)."""

    ptum = EighteenForFour


class OnlyPostSamples(Algorithm2):
    """Observations from the post-samples alone, all else as printed (D46)."""

    only_post_samples = True


class Matched(Algorithm2):
    """Labels follow the estimate before (D55), and T̂ is projected (D54)."""

    def matched(self, O: Floats, T: Floats) -> tuple[Floats, Floats]:
        """Rows and columns of T̂ follow the columns of Ô."""
        order = np.arange(O.shape[1]) if self.O is None else nearest_order(O, self.O)
        return O[:, order], project_columns(T[np.ix_(order, order)])


class Lazy(Algorithm2):
    """A new estimate only when a new triple is complete; the old one and its errors until then."""

    def learn(self, h: int) -> None:
        """Lines 6-8 at every third task."""
        if h % VIEWS == 0:
            super().learn(h)

    def left_side(self, theta: int, known: list[int], h: int) -> float:
        """With the number of tasks that T̂ was estimated from."""
        return super().left_side(theta, known, h - h % VIEWS)


CONFORMING: Mapping[str, Implementation] = {
    "literal": literal,
    "repaired": repaired,
    "plain": views.sequential(Algorithm2),
    "18-for-4": views.sequential(LineTwoRepaired),
    "one-constant": views.sequential(OneConstant),
    "only-post-samples": views.sequential(OnlyPostSamples),
    "matched": views.sequential(Matched),
    "every-third-task": views.sequential(Lazy),
}


# Cases


def _bandit(*chances: float) -> MDP:
    """One state; arm a pays 1 with the given probability. γ = 0."""
    return bandit(0.0, *chances)


def _walk(*targets: Sequence[int]) -> MDP:
    """Two states; action a in state s leads to targets[s][a] for sure; only state 1 pays."""
    return deterministic_rewards(moves(*targets), np.array([[0.0, 0.0], [1.0, 1.0]]), 0.125)


USUAL: Fields = {
    "epsilon": 0.9375,
    "delta": 2.0**-12,
    "n": 400,
    "delta_prime": 0.75,
    "n_post": 12,
    "rho": 0.0,
    "rho_r": 0.01,
    "rho_p": 0.01,
    "rho_sigma_r": 0.01,
    "rho_sigma_p": 0.01,
    "rho_T": 1.0,
    "rho_3": 1e-6,
    "rho_4": 1e-4,
    "rho_6": 1e-3,
    "eta": 0.125,
}


def _case(
    name: str, tasks: Sequence[MDP], sequence: Sequence[int], *flags: str, **numbers: float
) -> Case:
    first = tasks[0]
    request: Fields = {
        "k": len(tasks),
        "S": first.S,
        "A": first.A,
        "u": first.u.tolist(),
        "gamma": first.gamma,
        **USUAL,
        **numbers,
        "m": len(sequence),
    }

    def sampler() -> Sampler:
        stream = {h: Simulator(tasks[j], h) for h, j in enumerate(sequence, start=1)}

        def sample(h: int, s: int, a: int) -> tuple[float, int]:
            if h not in stream:
                raise InputError("h", f"there are tasks 1 to {len(stream)}", value=h)
            return stream[h].sample(s, a)

        return sample

    return Case(f"sequential/{name}", request, flags, sampler)


LEFT, RIGHT = _bandit(1.0, 0.0), _bandit(0.0, 1.0)
ABSORBED = (0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0)
"""Its three triples say exactly: after task 0 always task 0, after task 1 either."""

TURNING = (1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0)
"""In the middle of three triples task 1 is the rarer one, in that of five task 0.

The rarer a task, the larger its λ̂: restarts meet the two in one order, then in the other.
"""

CHANGED = (1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1)
"""Three triples say that tasks alternate, a fourth that task 0 may follow itself.

With ρ_T = 1.34e-4 the rule of Theorem 3 keeps a task of predicted probability 0 after 11 tasks, and
would drop it after 12, each by a margin of two percent.
"""

THREE_ROOMS = _bandit(1.0, 0.0, 0.0, 0.0), _bandit(0.0, 1.0, 0.0, 0.0), _bandit(0.0, 0.0, 1.0, 1.0)
ROUND = (0, 1, 2, 1, 2, 0, 2, 0, 1, 1, 2)
"""Its three triples say exactly that 1 follows 0, 2 follows 1 and 0 follows 2.

A room tells itself from the others after 45 queries of an arm that pays in it alone; with n = 60
the other two are not told from each other.
"""

SOME_PAY = tuple(certain_bandit(0.0, *np.where(np.eye(3)[j] > 0, 0.5, 0.0)) for j in range(3))
BRANCHING = (1, 0, 1, 1, 0, 2, 0, 1, 0, 2, 1, 0, 0, 2, 1, 0, 1)
"""Its five triples say exactly that 1 or 2 follows 0, 0 follows 1 and 1 follows 2.

A task that pays 1/2 is told from the others after some 87 queries of an arm, and after one or two
more if all three models are counted where two are active.
"""


def _noisy(good: int) -> MDP:
    """Two states, random moves and rewards: action `good` in state 0 and the other one in state 1
    pay with probability 7/8, and `good` leads to state 1 with as much. γ = 1/8."""
    p = np.array([[[0.125, 0.875], [0.875, 0.125]]] * 2)
    r = np.array([[0.875, 0.0625], [0.0625, 0.875]])
    turn = [0, 1] if good == 0 else [1, 0]
    return bernoulli_rewards(p[:, turn], r[:, turn], 0.125)


def _preferring(*good: int) -> MDP:
    """Two states; in state s action good[s] pays with probability 7/8 and leads to state 1 with as
    much, the other one pays with probability 1/16. γ = 1/8."""
    right = np.eye(2)[list(good)] > 0
    p = np.where(right[:, :, np.newaxis], [0.125, 0.875], [0.75, 0.25])
    return bernoulli_rewards(p, np.where(right, 0.875, 0.0625), 0.125)


NOISY_ROOMS = _preferring(0, 0), _preferring(0, 1), _preferring(1, 0)
NOISY_ROUND = (0, 1, 2, 1, 2, 0, 2, 0, 1, 0, 1)
"""Three tasks whose noise makes Ô depend on the order in which restarts meet the components."""

SIGNED = (1, 0, 0, 1, 0, 0, 1)
"""Two triples of noisy tasks make a row of T̂_6 that sums to -1/2.

With ρ_T = 0.15 a task is dropped if what is predicted is less than -0.36: the sum is, half of it is
not, and neither is the larger of the two entries.
"""

ERROR_CONSTANTS = ("rho_r", "rho_p", "rho_sigma_r", "rho_sigma_p")
FOUR_CONSTANTS = {"rho_r": 0.01, "rho_p": 0.02, "rho_sigma_r": 0.015, "rho_sigma_p": 0.005}


def _edge_cases() -> Iterator[Case]:
    two = (LEFT, RIGHT)
    yield _case("one-task", [LEFT], [0] * 17, "k=1", "gamma=0", "certain")
    yield _case("first-task", two, [1], "too-few", "no-transfer", "gamma=0", "certain")
    yield _case("too-few", two, [0, 1, 1, 0, 1], "too-few", "no-transfer", "gamma=0", "certain")
    sure = {"rho_T": 0.0}
    yield _case("absorbed", two, ABSORBED, "prediction", "asymmetric", "certain", **sure)
    yield _case("labels-turn", two, TURNING, "asymmetric", "certain", "gamma=0")
    yield _case("changed", two, CHANGED, "prediction", "confidence", "certain", rho_T=1.34e-4)
    swap = [0, 1, 0, 1, 0, 1, 0, 1, 0]
    yield _case("swap", two, swap, "prediction", "four-constants", **sure, **FOUR_CONSTANTS)
    large = {"rho_r": 1.0, "rho_4": 10.0}
    yield _case("large-errors", two, swap[:7], "no-transfer", "certain", **large)
    late = {"rho": 10.0, "rho_3": 10.0}
    yield _case("condition", two, swap[:7], "condition", "no-transfer", "certain", **late)
    walks = (_walk((0, 1), (1, 0)), _walk((1, 0), (0, 1)))
    yield _case("walks", walks, swap[:7], "S=2", "certain", "four-constants", **FOUR_CONSTANTS)
    yield from _turning_points(two, (*swap, 1))
    noisy = [_bandit(0.75, 0.25)]
    yield _case("one-noisy-task", noisy, [0] * 7, "k=1", "noisy", "gamma=0")
    scarce = {"n": 60, "delta": 2.0**-14, **sure}
    flags: tuple[str, ...] = ("unfinished", "prediction", "asymmetric", "certain")
    yield _case("unfinished", THREE_ROOMS, ROUND, *flags, **scarce)
    unlike = _bandit(0.875, 0.125), _bandit(0.125, 0.875)
    flags = ("sum", "signed", "prediction", "noisy", "no-transfer", "gamma=0")
    noise = {"epsilon": 0.5, "n": 600, "rho_T": 0.0}
    tasks = _noisy(1), _noisy(0)
    yield _shifts((*swap, 1))
    yield from _noisy_pairs((*swap, 1))
    flags_of = ("S=2", "noisy", "signed", "prediction", "asymmetric")
    yield _case("noisy-absorbed", tasks, ABSORBED, *flags_of, **noise)
    orders = {**noise, "n_post": 24}
    yield _case("noisy-orders", NOISY_ROOMS, NOISY_ROUND, "S=2", "noisy", "orders", **orders)
    subset = {"epsilon": 0.4, "delta": 2.0**-16, **sure}
    yield _case("two-of-three", SOME_PAY, BRANCHING, "subset", "certain", "gamma=0", **subset)
    few = {"epsilon": 2.0, "n_post": 6, "rho_T": 0.15}
    yield _case("signed-sum", unlike, SIGNED, *flags, **few, **large)


def _turning_points(tasks: Sequence[MDP], swap: Sequence[int]) -> Iterator[Case]:
    """Numbers between what is right and what is not, with estimates after 6 and after 9 tasks."""
    # h/log(2h²d/δ') is 0.94 for h = 6 and 1.26 for h = 9, with π² for 2 it is 1.03
    turns = {"rho": 1.13, "rho_3": 0.9}
    yield _case("condition-turns", tasks, swap, "condition", "certain", "gamma=0", **turns)
    # √(log(c_h)/h) is 1.15 for h = 6 and 0.99 for h = 9: Δ is above ε/4, then below, never ε/8
    between = dict.fromkeys(ERROR_CONSTANTS, 0.2211)
    late = {**between, "n": 4, "rho_T": 0.0}
    yield _case("line-2-turns", tasks, swap, "no-transfer", "certain", "gamma=0", **late)
    # k √(log(9kdm²/δ')/7) is 2.34 for m = 10, with h for m 2.25; η - δk is 0.00125. Δ is between
    # ε/18 and ε/8, and the loss of 1 between ε - 2Δ and ε
    even = dict.fromkeys(between, 0.08)
    few = {**even, "epsilon": 1.1, "delta": 2.0**-20, "rho_T": 5.437e-4}
    yield _case("tasks-to-come", tasks, swap, "prediction", "confidence", "certain", **few)


def _paid(values: Sequence[float], chances: Sequence[float], certain: float) -> MDP:
    """One state; the first arm pays values[i] with chances[i], the second a certain one. γ = 0."""
    q = np.array([[chances, np.equal(values, certain)]], dtype=np.float64)
    return MDP(np.ones((1, 2, 1)), q, np.array(values), 0.0)


def _lottery(chance: float, good: int) -> MDP:
    """Action 0 leads from state 0 to state 1 with such a chance, all else back to state 0. γ = 0.

    State 0 pays nothing, state 1 pays 1 for the good action and 0.58 for the other.
    """
    p, r = np.zeros((2, 2, 2)), np.array([[0.0, 0.0], [0.58, 0.58]])
    p[:, :, 0], p[0, 0] = 1.0, (1 - chance, chance)
    r[1, good] = 1.0
    return deterministic_rewards(p, r, 0.0)


def _pays(good: int) -> MDP:
    """State 0 is never left, and its good action pays 1. γ = 1/8.

    Action 0 in state 1 pays 9/256 and leads to state 0 if 1 is good, all else there leads nowhere.
    """
    r, u = np.array([[0.0, 0.0], [0.03515625, 0.0]]), np.array([0.0, 0.03515625, 1.0])
    r[0, good] = 1.0
    return MDP(moves((0, 0), (1 - good, 1)), np.equal.outer(r, u).astype(np.float64), u, 0.125)


def _shifts(swap: Sequence[int]) -> Case:
    """8Δ in both parts of Definition 1.

    The rewards of state 0 tell 1 - 8Δ, the move of (1,0) tells (1-γ)(8/7 - 9/224 - 8Δ), which is
    more by Δ - 9/256. That is positive after 6 tasks, and would not be with 4Δ for 8Δ in the
    reward, or in both; it is negative from 7 tasks on, and would not be with 4Δ in the move.
    """
    numbers = dict.fromkeys(ERROR_CONSTANTS, 0.03)
    return _case("pay-or-lead", (_pays(0), _pays(1)), swap, "S=2", "certain", **numbers)


def _noisy_pairs(swap: Sequence[int]) -> Iterator[Case]:
    """Random rewards or moves beside certain ones, so that each test of PTUM decides somewhere."""
    numbers = {"rho_T": 0.0, "delta": 2.0**-10}
    # equation (4) drops the certain move where the move is random, equation (2) the other one
    moved = _lottery(0.5, 0), _lottery(1.0, 1)
    flags: tuple[str, ...] = ("noisy", "prediction", "gamma=0")
    yield _case("noisy-swap", moved, swap, "S=2", *flags, **numbers, epsilon=0.4)
    # the same with rewards, and equations (3) and (1)
    values = (0.0, 0.5, 0.95, 1.0)
    paid = _paid(values, (0.5, 0, 0, 0.5), 0.95), _paid(values, (0, 0, 0, 1), 0.5)
    yield _case("coin-or-certain", paid, swap, *flags, **numbers, epsilon=0.4)


def _drawn_cases(seed: int) -> Iterator[Case]:
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(16,)))
    last = [int(j) for j in rng.integers(0, 2, size=2)]
    sequence = [*ABSORBED[:9], *last]
    yield _case(f"drawn-{seed}-1", (LEFT, RIGHT), sequence, "drawn", rho_T=0.0)


def cases(seed: int) -> Iterator[Case]:
    """Short sequences of small tasks, most of them certain, so that estimates are exact."""
    yield from _edge_cases()
    yield from _drawn_cases(seed)


def _number(name: str, says: str) -> Field:
    return Field(name, "real", (), says)


CAPABILITY = Capability(
    name="sequential",
    item="algorithm-2",
    says="sequential transfer over m tasks, each with samples of its own; the answer reports every"
    " task",
    input=(
        Field("k", "integer", (), "number of tasks that there are"),
        Field("S", "integer", (), "states"),
        Field("A", "integer", (), "actions"),
        Field("u", "real", ("U",), "reward values"),
        _number("gamma", "discount factor"),
        _number("epsilon", "accuracy ε of PTUM"),
        _number("delta", "confidence δ of PTUM; at most δ'/(3m²)"),
        Field("n", "integer", (), "largest number of PTUM's queries in a task"),
        _number("delta_prime", "confidence δ' of Theorems 2 and 3"),
        Field("n_post", "integer", (), "samples of every pair when a task is over"),
        _number("rho", "ρ in the condition of Theorem 2"),
        _number("rho_r", "ρ_r of Theorem 2"),
        _number("rho_p", "ρ_p of Theorem 2"),
        _number("rho_sigma_r", "ρ_{σ_r} of Theorem 2"),
        _number("rho_sigma_p", "ρ_{σ_p} of Theorem 2"),
        _number("rho_T", "ρ_T of Theorem 3"),
        _number(
            "rho_3",
            "ρ_3 and ρ_5, repaired version only: Theorem 2 speaks of Ô_h and of T̂_h if "
            "h ≥ ρ_3 log c_h",
        ),
        _number("rho_4", "ρ_4, repaired version only: error of a column of Ô_h"),
        _number("rho_6", "ρ_6, repaired version only: error of a column of T̂_h"),
        _number("eta", "η, repaired version only: probability of a miss per step"),
        Field("m", "integer", (), "number of tasks in the sequence"),
    ),
    output=(
        Field(
            "tasks",
            "list of objects",
            ("m",),
            "m reports, one for each task: objects with initial, errors, models, end, queries,"
            " eliminations, active, policy and T",
        ),
    ),
    readings=READINGS,
    cases=cases,
    judge=judge,
    tolerance=tolerance,
    flags=FLAGS,
    samples=True,
    notes=(
        "a `query` names the task in `h`; all samples of a task are taken before the first of "
        "the next: those of PTUM first, then those of a fallback, if there is one, and at "
        "last n_post samples of every pair",
        "a report has all these fields: `initial`, the labels Θ̃_h; `errors`, an object with r, p, "
        'sigma_r and sigma_p, those that task h starts with, "inf" allowed; `models`, the k tasks '
        "that task h starts with, each with p and q (a `u` is not read), or null; `end`, as in "
        "`ptum`; `queries`, how many of the first samples "
        "are PTUM's own; `eliminations`, objects with t and theta; `active`, the labels Θ̄_h; "
        "`policy`, or null; `T`, T̂_h when task h is over, or null",
        "as long as there is no estimate `models` and `T` are null, errors infinite, "
        "`initial` has all labels, `end` is models-too-inaccurate and `queries` 0; where "
        "Algorithm 3 fails later, models, errors and T of the task before stay",
        "models are distributions up to 10⁻⁹: blocks of Ô_h projected on the simplex, or "
        "clipped at 0 and divided by their sum (D92); T̂_h is raw, or made into probabilities "
        "in one of these ways (D54)",
        "labels are matched from task to task (D55): T̂_h is in the labels of the models of "
        "task h+1, Θ̄_h and the rest of a report in those of task h, and line 9 uses both "
        "together",
        "PTUM runs on the models of Θ̃_h alone: |Θ| in its widths is their number, and θ and θ' "
        "range over them; line 9 then ranges over all k labels, and may take one back that Θ̃_h "
        "did not have",
        "while the condition of Theorem 2 fails all four errors are infinite, though `models` and "
        "`T` are reported; PTUM then ends with models-too-inaccurate and 0 queries",
        "the rule of line 9 acts from the first T̂_h on, whether the condition of Theorem 2 holds "
        "or not; the repaired rule drops nothing until h ≥ ρ_3 log c_h",
        "where Algorithm 3 fails at task h, or no new triple is complete, the last T̂ stays, and "
        "the rule may use h or the number of tasks that this T̂ was estimated from (D96); its "
        "errors stay too, or are those of h tasks",
        "`policy` is judged where `end` is stopped; with another end it may be null or what a "
        "fallback found",
        "`active` is what PTUM left of Θ̃_h, and all labels or none if that is nothing (D44); where "
        "PTUM did not start (models-too-inaccurate) all k labels, or Θ̃_h; in the repaired "
        "version always what the post-samples leave of all k",
        "a Θ̃_h without labels (D91) ends PTUM at once: active-set-empty with 0 queries",
        "c_h is π²h²SA(S+U)/δ'",
        "o_h is of all samples of task h, or of the n_post last ones of every pair alone (D46)",
        "the choices that `ptum` has are made once, for the PTUM of all tasks",
        "“repaired (line 2 of PTUM alone)” is 18 for 4 in line 2, all else as printed; the other "
        "repaired version has that line, errors and rule of `ptum show theorem-2` and `ptum show "
        "theorem-3`, Algorithm 3 as in `hmm_samples` or with three views within each task, and "
        "Θ̄_h from the post-samples: `ptum show algorithm-2`",
    ),
)
