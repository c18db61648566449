"""Algorithm 1 on simulated tasks, many samples at a time, with the results of the literal code.

While the active set stays the same, PTUM queries the same pair (its index depends on the active set
alone), and only that pair's tests can change: a phase. The samples of a phase are looked at in
blocks, drawn ahead. The first blocks of a phase are short and looked at sample by sample, those of
many runs at once where they have the same active set; later blocks are cut into pieces, and a piece
is looked into only if `slack.passes` does not rule out that a test fails inside. A sample after
which a test may have failed goes to `decision.eliminated`, which decides as the literal code does.

Memory: the tables of `problem`; counts of outcomes and up to four bytes per sample for every pair
that was queried; and about `BLOCK` (12 + 1 + k) doubles while a block is looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache, partial

import numpy as np

from ptum.checks.engine.blocks import BlockSimulator
from ptum.checks.engine.decision import OutcomeCounts, eliminated
from ptum.checks.engine.problem import ActiveStep, Problem, RunNumbers, problem
from ptum.checks.engine.runs import Samples, SimulatedRun
from ptum.checks.engine.slack import moments, passes
from ptum.reference.arrays import Bools, Floats, Ints
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.information import SHIFT
from ptum.reference.transfer.ptum import PtumResult
from ptum.reference.transfer.transcript import Elimination

SHORT, BLOCK = 64, 32768
"""Length of the first blocks of a phase, and of the longest."""
PIECES = 512
"""Into how many pieces a long block is cut, unless they were shorter than `SHORT`."""
AT_ONCE = 32
"""Pieces that are looked into together."""


def simulated_run(
    models: ApproximateModels,
    task: MDP,
    seed: int,
    numbers: RunNumbers,
    *,
    end_on_zero_index: bool = False,
) -> PtumResult:
    """Lines 3-21 of Algorithm 1 on a simulated task, whose samples depend on the seed alone."""
    (result,) = _play(models, numbers, [BlockSimulator(task, seed)], end_on_zero_index)
    return result


def simulated_runs(
    models: ApproximateModels,
    task: MDP,
    seeds: Sequence[int],
    numbers: RunNumbers,
    *,
    end_on_zero_index: bool = False,
) -> list[PtumResult]:
    """`simulated_run` for every seed; short runs are carried out together."""
    simulators = [BlockSimulator(task, seed) for seed in seeds]
    return _play(models, numbers, simulators, end_on_zero_index)


def transfer_mode(
    models: ApproximateModels,
    simulator: BlockSimulator,
    *,
    epsilon: float,
    delta: float,
    n: int,
    errors: ModelErrors,
    end_on_zero_index: bool = False,
    shift: float = SHIFT,
) -> PtumResult:
    """Lines 3-21 of Algorithm 1, with the result of the literal `transfer_mode`."""
    numbers = RunNumbers(epsilon, delta, n, errors, shift)
    (result,) = _play(models, numbers, [simulator], end_on_zero_index)
    return result


def _play(
    models: ApproximateModels,
    numbers: RunNumbers,
    simulators: Sequence[BlockSimulator],
    end_on_zero_index: bool,
) -> list[PtumResult]:
    """All runs to their ends; those with the same active set take their next block together."""
    posed = problem(models, numbers)
    playing = {
        number: SimulatedRun(posed, simulator) for number, simulator in enumerate(simulators)
    }
    ended: dict[int, PtumResult] = {}
    while playing:
        groups: dict[tuple[int, ...], list[SimulatedRun]] = defaultdict(list)
        for number, run in list(playing.items()):
            result = run.result(end_on_zero_index)
            if result is None:
                groups[run.active].append(run)
            else:
                ended[number] = result
                del playing[number]
        for active, together in groups.items():
            _next_block(posed, posed.step(active), together)
    return [ended[number] for number in range(len(simulators))]


def _next_block(posed: Problem, step: ActiveStep, runs: list[SimulatedRun]) -> None:
    """One block for every run: short ones together, long ones each by itself."""
    short = [run for run in runs if run.in_phase < 2 * SHORT]
    if short:
        _short_blocks(posed, step, short)
    for run in runs:
        if run not in short:
            _long_block(posed, step, run)


def _short_blocks(posed: Problem, step: ActiveStep, runs: list[SimulatedRun]) -> None:
    """The next samples of every run, all looked at."""
    size = min(SHORT, max(run.left for run in runs))
    drawn = [run.simulator.peek(*step.pair, size) for run in runs]
    seen = [run.seen(step.pair) for run in runs]
    x = _values(posed, runs[0].u, *(np.stack(part) for part in zip(*drawn, strict=True)))
    center = x[:, 0, 0]
    S1, S2 = _sums(
        moments(np.stack([pair.rewards for pair in seen]), runs[0].u[np.newaxis] - center[0]),
        moments(
            np.stack([pair.successors for pair in seen]),
            posed.models.V_star - center[1:, np.newaxis],
        ),
    )
    N = np.array([pair.N for pair in seen])
    suspect = _suspects(posed, step, N, (center, S1, S2), x)
    suspect &= np.arange(size) < np.array([[run.looked_at(size)] for run in runs])
    _decide(posed, step, runs, drawn, suspect)


def _decide(
    posed: Problem, step: ActiveStep, runs: list[SimulatedRun], drawn: list[Samples], suspect: Bools
) -> None:
    """Every run up to its first suspect at which a model fails, or to the end of its block."""
    deciding = [i for i in range(len(runs)) if suspect[i].any()]
    clear = [i for i in range(len(runs)) if not suspect[i].any()]
    while deciding:
        ends = (suspect[deciding].argmax(axis=1) + 1).tolist()
        samples = [(drawn[i][0][:m], drawn[i][1][:m]) for i, m in zip(deciding, ends, strict=True)]
        failed = _failed(posed, step, [runs[i] for i in deciding], samples)
        for i, taken, gone in zip(tuple(deciding), samples, failed, strict=True):
            if gone:
                runs[i].take(step.pair, taken)
                runs[i].eliminate(gone)
                deciding.remove(i)
                continue
            suspect[i, taken[0].size - 1] = False
            if not suspect[i].any():
                deciding.remove(i)
                clear.append(i)
    for i in clear:
        runs[i].take(step.pair, drawn[i])


def _failed(
    posed: Problem, step: ActiveStep, runs: list[SimulatedRun], samples: list[Samples]
) -> list[list[Elimination]]:
    """What fails in every run after some more samples."""
    counts = [run.seen(step.pair).after(taken) for run, taken in zip(runs, samples, strict=True)]
    rewards, successors = (np.stack(part) for part in zip(*counts, strict=True))
    return eliminated(
        posed,
        step,
        OutcomeCounts(runs[0].u, rewards, successors),
        [run.t + taken[0].size for run, taken in zip(runs, samples, strict=True)],
        [partial(run.ordered, step, taken) for run, taken in zip(runs, samples, strict=True)],
    )


def _long_block(posed: Problem, step: ActiveStep, run: SimulatedRun) -> None:
    """As many samples as the phase has had so far, looked into where a test may fail."""
    size = min(max(4 * SHORT, run.in_phase), BLOCK, run.left)
    samples = run.simulator.peek(*step.pair, size)
    piece, looked_at, seen = max(SHORT, size // PIECES), run.looked_at(size), run.seen(step.pair)
    of_rewards = _by_piece(samples[0], run.u[np.newaxis], seen.rewards, piece)
    of_values = _by_piece(samples[1], posed.models.V_star, seen.successors, piece)
    center, low, high, S1, S2 = (
        np.concatenate(parts) for parts in zip(of_rewards[1:], of_values[1:], strict=True)
    )
    N = seen.N + piece * np.arange(S1.shape[1])
    outcomes, ends = posed.S + run.u.size, (low, high)
    safe = passes(posed, step.targets, N, piece, (center, S1, S2), ends, outcomes)
    unsafe = np.flatnonzero(~safe)
    for first in range(0, unsafe.size, AT_ONCE):
        pieces = unsafe[first : first + AT_ONCE]
        where = pieces[:, np.newaxis] * piece + np.arange(piece)
        x = _values(posed, run.u, *(part[np.minimum(where, size - 1)] for part in samples))
        sums = center, S1[:, pieces], S2[:, pieces]
        suspect = _suspects(posed, step, N[pieces], sums, x) & (where < looked_at)
        for m in (where[suspect] + 1).tolist():
            taken = samples[0][:m], samples[1][:m]
            (failed,) = _failed(posed, step, [run], [taken])
            if failed:
                run.take(step.pair, taken)
                run.eliminate(failed)
                return
    run.take(step.pair, samples, (of_rewards[0], of_values[0]))


def _suspects(
    posed: Problem, step: ActiveStep, N: Ints, sums: tuple[Floats, Floats, Floats], x: Floats
) -> Bools:
    """After which samples x (1+k, runs, m) a test may fail; `N` and `sums` are before them."""
    center, S1, S2 = sums
    shifted = x - center[:, np.newaxis, np.newaxis]
    total = S1[:, :, np.newaxis] + np.cumsum(shifted, axis=2)
    squares = S2[:, :, np.newaxis] + np.cumsum(shifted**2, axis=2)
    count = N[:, np.newaxis] + np.arange(1, x.shape[2] + 1)
    sums, ends = (center, total, squares), (posed.bottom, posed.top)
    return ~passes(posed, step.targets, count, 0, sums, ends, posed.S + x.shape[2])


def _values(posed: Problem, u: Floats, rewards: Ints, successors: Ints) -> Floats:
    """The columns of every sample: its reward, and all values of its next state; (1+k, …)."""
    return np.concatenate((u[rewards][np.newaxis], posed.models.V_star[:, successors]))


def _sums(*parts: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    S1, S2 = (np.concatenate(sums) for sums in zip(*parts, strict=True))
    return S1, S2


def _by_piece(
    outcomes: Ints, x: Floats, before: Ints, piece: int
) -> tuple[Ints, Floats, Floats, Floats, Floats, Floats]:
    """Counts after the block, a centre, least and largest value in it, sums before each piece.

    x (columns, all outcomes) holds the values, `before` counts the outcomes of earlier blocks.
    """
    occurs = np.zeros(before.size, dtype=np.bool_)
    occurs[outcomes] = True
    here = np.flatnonzero(occurs)
    place = np.zeros(before.size, dtype=np.int64)
    place[here] = np.arange(here.size)
    pieces = -(-outcomes.size // piece)
    bins = _piece_of(outcomes.size, piece) * here.size + place[outcomes]
    counts = np.bincount(bins, minlength=pieces * here.size).reshape(pieces, here.size)
    after, inside = before.copy(), counts.sum(axis=0)
    after[here] += inside
    found = x[:, here]
    center = found @ inside / outcomes.size
    earlier = np.cumsum(counts, axis=0) - counts
    first_1, first_2 = moments(before, x - center[:, np.newaxis])
    S1, S2 = moments(earlier, found - center[:, np.newaxis])
    S1 += first_1[:, np.newaxis]
    S2 += first_2[:, np.newaxis]
    return after, center, found.min(axis=1), found.max(axis=1), S1, S2


@lru_cache(maxsize=16)
def _piece_of(size: int, piece: int) -> Ints:
    return np.arange(size) // piece
