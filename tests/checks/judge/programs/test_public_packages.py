"""Public packages put to the judge: docs/protocol.md has their verdicts, and says why."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ptum.checks.judge.capabilities import capabilities
from ptum.checks.judge.cases.tasks import request_of
from ptum.checks.judge.judging.verdicts import Conformity, Judgement, judge_capability
from ptum.checks.judge.messages.transcript import Exchange
from ptum.checks.judge.programs.subjects import as_fields
from ptum.checks.judge.results.checked import Asking
from ptum.checks.text.markdown import markdown_table, with_part
from ptum.reference.tasks.toy_text import GymnasiumTask, from_gymnasium

PAGE = Path(__file__).resolve().parents[4] / "docs" / "protocol.md"
GAMMA = 0.9

ADAPTERS = "tests.checks.judge.programs.public_packages"


def adapters() -> Any:
    """Loaded when they are needed: quantecon takes a second."""
    missing = "public packages are judged: install ptum[dev]"
    return pytest.importorskip(ADAPTERS, reason=missing, exc_type=ImportError)


def programs() -> Iterator[tuple[str, str, object, str]]:
    """Package, what of it answers, the adapter, the capability."""
    made = adapters()
    precise = {"epsilon": 1e-9, "max_iter": 10**6}
    policies, scipy = made.Quantecon("policy_iteration"), made.Scipy()
    modified, values = (
        made.Quantecon("modified_policy_iteration", precise),
        made.Quantecon("value_iteration"),
    )
    yield "quantecon", "`DiscreteDP`, policy iteration", policies, "optimal"
    yield "quantecon", "`DiscreteDP`, modified policy iteration to 10⁻⁹", modified, "optimal"
    yield "quantecon", "`DiscreteDP`, value iteration", values, "optimal"
    yield "quantecon", "`DiscreteDP.evaluate_policy`", policies, "policy_value"
    yield "scipy", "`linprog`", scipy, "optimal"
    yield "scipy", "`linalg.solve`", scipy, "policy_value"
    sparse, clipped = made.Scipy(sparse_factors=True), made.Scipy(clipped=True)
    yield "scipy", "`sparse.linalg.spsolve`", sparse, "policy_value"
    yield "scipy", "`rv_discrete.std`, values by `linprog`", scipy, "deviations"
    yield "scipy", "root of `rv_discrete.var`, 0 where that is negative", clipped, "deviations"
    tensorly, again = made.Tensorly(), "the same in Algorithm 3, around it scipy"
    yield "tensorly", "`symmetric_parafac_power_iteration`", tensorly, "tensor_power"
    yield "tensorly", again, tensorly, "hmm_moments"
    yield "tensorly", again, tensorly, "hmm_samples"


TASKS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("FrozenLake-v1", {}),
    ("FrozenLake-v1", {"map_name": "8x8"}),
    ("CliffWalking-v1", {}),
    ("CliffWalking-v1", {"is_slippery": True}),
    ("Taxi-v4", {}),
)
"""Environments of Gymnasium, read by `ptum.from_gymnasium`."""


def judged_task(read: GymnasiumTask, P: Mapping[int, Any]) -> Judgement:
    """What quantecon says of the table, as an answer about the task that we made of it."""
    V, pi = adapters().solved_table(P, GAMMA)
    V = (V - read.low / (1 - GAMMA)) / (read.high - read.low)
    optimal, request = capabilities()["optimal"], request_of(read.task)
    answer = as_fields(optimal.output, (V[: read.task.S], pi[: read.task.S]))
    return judge_capability(optimal, [Exchange("optimal/task", "optimal", request, answer)])


def row(package: str, what: str, judgement: Judgement) -> tuple[str, ...]:
    said = str(judgement.verdict)
    if judgement.finding is not None:
        said += f" in {judgement.deviating} cases: {judgement.finding.item}"
    if judgement.fault is not None:
        said += f": {judgement.fault.message}"
    name, asked = f"`{judgement.capability}`", str(judgement.asked)
    return f"{package} {version(package)}", what, name, asked, said


def rows() -> Iterator[tuple[str, ...]]:
    for package, what, subject, name in programs():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # scipy's, about its NaN
            yield row(package, what, Asking(subject).judgement(name))
    for name, options in TASKS:
        env = adapters().gymnasium.make(name, **options).unwrapped
        read = from_gymnasium(env, GAMMA)
        chosen = "".join(f", {key}={value}" for key, value in options.items())
        what = f"{name}{chosen}: {read.task.S} states"
        yield row("gymnasium", what, judged_task(read, env.P))


@pytest.mark.slow
def test_the_page_has_the_verdicts() -> None:
    header = ("package", "what answers, or the task", "capability", "cases", "verdict")
    table = f"\n{markdown_table(header, rows())}\n"
    assert with_part(PAGE.read_text(), "public packages", table) == PAGE.read_text()


def test_a_task_that_is_read_wrongly_is_seen() -> None:
    """Wrong code: episodes that go on, as if `terminated` were not there."""
    P = adapters().gymnasium.make("CliffWalking-v1").unwrapped.P
    endless = {s: {a: [(p, to, x, False) for p, to, x, _ in P[s][a]] for a in P[s]} for s in P}
    read = from_gymnasium(SimpleNamespace(P=endless), GAMMA)
    assert judged_task(read, P).verdict is Conformity.DEVIATES
