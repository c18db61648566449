"""The learner for long sequences gives the answers of the literal one."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from ptum.checks.engine import as_run_spectral as as_run
from ptum.checks.engine import spectral as engine
from ptum.checks.engine.across_tasks import TripleViews
from ptum.checks.instances.families import hmms
from ptum.reference.arrays import Floats
from ptum.reference.repaired.sequential import spectral as literal
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData, NotIdentifiable
from tests.checks.engine.algorithm_3_rounding import apart, differences

K, RESTARTS, STEPS = 3, 40, 20
CHAIN = hmms.three_task_chain()
INDEPENDENT = hmms.three_task_chain(hmms.independent((Fraction(1, 3),) * 3))


def observed(model: hmms.NamedHMM, h: int, seed: int) -> Floats:
    rng = np.random.default_rng(seed)
    sequence = hmms.circulant_sequence(model.hmm.T, h, rng)
    return hmms.observations(rng, model.hmm.O, sequence, model.sizes, 9)


def both(o: Floats, seed: int) -> tuple[literal.SpectralOutcome, literal.SpectralOutcome]:
    first, second = np.random.default_rng(seed), np.random.default_rng(seed)
    slow = literal.learn_hmm(o, K, RESTARTS, STEPS, first, overlapping=True)
    fast = engine.learn_hmm(o, K, RESTARTS, STEPS, second)
    assert first.random() == second.random()  # as many numbers were drawn
    return slow, fast


def triples_of(o: Floats) -> TripleViews:
    return TripleViews((o[:-2], o[1:-1], o[2:]), None)


def clear(o: Floats) -> bool:
    """Whether the fast code answers by itself."""
    if len(o) - 2 < K:
        return False
    return (
        engine.learn_if_clear(triples_of(o), K, RESTARTS, STEPS, np.random.default_rng(0))
        is not None
    )


def literally(o: Floats) -> literal.SpectralOutcome:
    rng = np.random.default_rng(9)
    return literal.learn_hmm(o, K, RESTARTS, STEPS, rng, overlapping=True)


@pytest.mark.parametrize("h", [400, 3000])
@pytest.mark.parametrize("seed", range(5))
def test_long_sequences_give_the_same_estimates(h: int, seed: int) -> None:
    o = observed(CHAIN, h, seed)
    assert clear(o)
    slow, fast = both(o, seed)
    assert isinstance(slow, HmmEstimate)
    assert isinstance(fast, HmmEstimate)
    assert (differences(slow, fast) <= apart(o, literally)).all()


def test_where_noise_may_decide_the_literal_learner_does() -> None:
    """From too few tasks to enough: refusals word by word, its estimates to the last digit."""
    kinds = set()
    for h in (4, 12, 20, 40, 80, 160):
        for seed in range(8):
            o = observed(CHAIN, h, seed)
            slow, fast = both(o, seed)
            noisy = not clear(o)
            kinds.add((type(slow), noisy))
            if isinstance(slow, HmmEstimate):
                assert isinstance(fast, HmmEstimate)
                allowed = 0 if noisy else apart(o, literally)
                assert (differences(slow, fast) <= allowed).all()
            else:
                assert fast == slow
    assert kinds == {
        (NotEnoughData, True),
        (NotIdentifiable, True),
        (HmmEstimate, True),
        (HmmEstimate, False),
    }


def test_independent_tasks_are_refused_however_many_there_are() -> None:
    slow, fast = both(observed(INDEPENDENT, 3000, 0), 0)
    assert isinstance(slow, NotIdentifiable)
    assert fast == slow


@pytest.mark.parametrize("learn", [engine.learn_if_clear, as_run.learn_from_triples])
def test_memory_is_linear_in_d(learn: Callable[..., object]) -> None:
    """d² numbers would be a hundred times what is there; a dozen arrays (m, d) are not reached."""
    rng, m, peaks = np.random.default_rng(0), 40, []
    for d in (4000, 8000):
        o = rng.random((K, d))[np.arange(m + 2) % K] + 0.01 * rng.random((m + 2, d))
        tracemalloc.start()
        found = learn(triples_of(o), K, RESTARTS, STEPS, np.random.default_rng(0))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert isinstance(found, HmmEstimate)
        assert peaks[-1] < 12 * 8 * m * d < 8 * d * d
    assert peaks[1] < 2.2 * peaks[0]


def test_means_that_are_not_made_symmetric_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    o = observed(CHAIN, 400, 1)
    slow, allowed = literally(o), apart(o, literally)
    assert isinstance(slow, HmmEstimate)

    def careless(x: Floats, y: Floats, z: Floats) -> Floats:
        found: Floats = np.einsum("li,lj,ln->ijn", x, y, z) / len(x)
        return found

    monkeypatch.setattr(engine, "third_moment", careless)
    fast = engine.learn_hmm(o, K, RESTARTS, STEPS, np.random.default_rng(9))
    assert not isinstance(fast, HmmEstimate) or (differences(slow, fast) > allowed).any()
