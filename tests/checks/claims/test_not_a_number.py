"""NaN in whatever a check measures makes it `errored`: planted in every check, and end to end.

Every number that decides goes through one of two functions, `a_number` (statements, trials,
comparisons, extremes, evidence) and `require_numbers` (arrays). Here they are replaced by ones that
make NaN of the first number, or of the one in the middle, before they look at it.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FrameType, ModuleType

import numpy as np
import pytest

from ptum.checks.claims import registry
from ptum.checks.exact.numbers import Number, a_number
from ptum.checks.suite.runner import Job, run_one
from ptum.checks.verdicts.check import Profile
from ptum.reference.arrays import Floats
from ptum.reference.errors import require_numbers
from ptum.spec.vocabulary import CheckKind, Verdict

NAN = float("nan")
MEASURED = (CheckKind.PROBABILITY, CheckKind.INEQUALITY, CheckKind.ASYMPTOTIC)
CHECKS = [check.id for check in registry().values() if check.kind in MEASURED]
FEW = 4
"""The most instances or trials of anything: enough to reach every comparison of a check."""


def verdict_of(identity: str) -> tuple[Verdict, str]:
    """Of a check with little work, by the runner that everybody uses; and how its story begins."""
    check = registry()[identity]
    little = replace(check, run=lambda context: check.run(replace(context, most=FEW)))
    outcome = run_one(little, Job(Profile.QUICK, 0)).outcome
    return outcome.verdict, outcome.story[0] if outcome.story else ""


# In every number of every check


@dataclass
class Planted:
    """Counts the numbers that are looked at, and makes NaN of one of them."""

    at: int = 0
    seen: int = 0

    def number(self, value: Number, what: str = "a planted number") -> Number:
        """In the place of `a_number`."""
        self.seen += 1
        return a_number(NAN if self.seen == self.at else value, what)

    def numbers(self, **compared: Floats | float) -> None:
        """In the place of `require_numbers`: the last entry of the first of the arrays."""
        self.seen += 1
        if self.seen == self.at:
            name, values = next(iter(compared.items()))
            spoilt = np.array(values, dtype=np.float64)
            spoilt.flat[-1:] = NAN
            compared[name] = spoilt
        require_numbers(**compared)


@cache
def users_of(function: object) -> list[tuple[ModuleType, str]]:
    """Modules that have a function under some name."""
    registry()  # imports every check
    ours = [module for name, module in sys.modules.items() if name.startswith("ptum.")]
    return [(m, name) for m in ours for name, found in vars(m).items() if found is function]


def plant(patch: pytest.MonkeyPatch, planted: Planted) -> None:
    for real, wrong in ((a_number, planted.number), (require_numbers, planted.numbers)):
        for module, name in users_of(real):
            patch.setattr(module, name, wrong)


@pytest.mark.parametrize("identity", CHECKS)
def test_nan_in_a_number_of_a_check_is_an_error(
    identity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Planted()
    with monkeypatch.context() as patch:
        plant(patch, counted)
        dropped = watched(patch, lambda: verdict_of(identity))
    assert dropped == []
    assert counted.seen >= 2
    for place in (1, (1 + counted.seen) // 2):
        verdict, story = with_nan(identity, place, monkeypatch)
        assert verdict is Verdict.ERRORED, (place, verdict, story)


def with_nan(identity: str, place: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Verdict, str]:
    """What the check says then; in the middle of what is left where parts were cached before."""
    planted = Planted(at=place)
    with monkeypatch.context() as patch:
        plant(patch, planted)
        found = verdict_of(identity)
    if planted.seen >= place:
        return found
    assert planted.seen >= 2
    return with_nan(identity, (1 + planted.seen) // 2, monkeypatch)


# No other way to the largest


CHECKS_FOLDER = Path(sys.modules["ptum.checks"].__file__ or "").parent
NOT_MEASURING = ("exact/numbers.py", "instances/families", "judge", "cli")
"""Where nothing decides: drawn instances, foreign code, and what `max_of` itself is made of."""


def watched(patch: pytest.MonkeyPatch, act: Callable[[], object]) -> list[str]:
    """Lines of checks that take the largest or smallest of doubles by `max` or `min` of Python."""
    found: set[str] = set()

    def watching(extreme: Callable[..., object]) -> Callable[..., object]:
        def watch(*given: object, **options: object) -> object:
            items = given
            if len(given) == 1 and isinstance(given[0], Iterable):
                items = tuple(given[0])
                given = (items,)
            caller = sys._getframe(1)
            if of_doubles(items, options.get("key")) and measures(caller):
                found.add(f"{caller.f_code.co_filename}:{caller.f_lineno}")
            return extreme(*given, **options)

        return watch

    for name in ("max", "min"):
        patch.setattr(builtins, name, watching(getattr(builtins, name)))
    act()
    return sorted(found)


def of_doubles(items: tuple[object, ...], key: object) -> bool:
    """Whether doubles decide which of the items is taken."""
    sizes = [key(item) for item in items] if callable(key) else items
    flat = [x for size in sizes for x in (size if isinstance(size, tuple) else (size,))]
    return any(isinstance(x, float) for x in flat)


def measures(caller: FrameType) -> bool:
    """Whether the calling line is one of a check."""
    file = Path(caller.f_code.co_filename).resolve()
    if not file.is_relative_to(CHECKS_FOLDER.resolve()):
        return False
    return not file.relative_to(CHECKS_FOLDER.resolve()).as_posix().startswith(NOT_MEASURING)


# End to end


WIDTHS = ("width_r", "width_p", "width_sigma_r", "width_sigma_p")
SECTION_3, SECTION_4 = "ptum.checks.claims.section_3", "ptum.checks.claims.section_4"
APPENDIX_B, APPENDIX_C = "ptum.checks.claims.appendix_b", "ptum.checks.claims.appendix_c"
APPENDIX_D, APPENDIX_E = "ptum.checks.claims.appendix_d", "ptum.checks.claims.appendix_e"
OPEN = "ptum.checks.claims.open_questions"
ANALYSIS_B = "ptum.reference.repaired.transfer.analysis"
ANALYSIS_D = "ptum.reference.repaired.sequential.analysis"
RUNS = "ptum.checks.engine.ptum"
LEMMA_3 = ("named-instances", "drawn-instances", "wrong-std", "repaired")
PLANTS = (
    *((f"lemma-3.coverage/{slug}", f"{APPENDIX_B}.confidence", WIDTHS) for slug in LEMMA_3),
    ("lemma-4.reward/worst-data", f"{APPENDIX_B}.elimination", WIDTHS[::2]),
    ("lemma-4.reward/drawn-sets", f"{APPENDIX_B}.elimination", WIDTHS[::2]),
    ("lemma-4.transition/repaired-worst-data", f"{APPENDIX_B}.elimination", WIDTHS[1::2]),
    ("lemma-4.transition/repaired-drawn-sets", f"{APPENDIX_B}.elimination", WIDTHS[1::2]),
    ("lemma-8.bound/runs", RUNS, WIDTHS),
    ("theorem-1.bound/named", RUNS, WIDTHS),
    ("theorem-1.bound/named", "ptum.checks.claims.section_3_bounds.theorem_1", ("printed_bound",)),
    (
        "theorem-1.bound/repaired-drawn",
        f"{ANALYSIS_B}.sample_complexity",
        ("transition_distance",),
    ),
    ("theorem-1.correct/repaired-named", RUNS, WIDTHS),
    ("theorem-1.correct/repaired-named", f"{SECTION_3}.runs", ("true_loss",)),
    ("theorem-1.correct/repaired-drawn", f"{SECTION_3}.runs", ("true_loss",)),
    ("theorem-1.correct/literal-deviation", f"{OPEN}.literal_deviation", WIDTHS[1::2]),
    ("lemma-2.bernstein/three-point", "ptum.checks.exact.binomial", ("of_multinomial",)),
    ("lemma-2.bernstein/attacked", f"{OPEN}.empirical_bernstein", ("failure_share",)),
    ("lemma-11.implication/moved-moments", f"{APPENDIX_D}.lemma_11", ("column_error",)),
    ("equation-8.bound/with-mixing", f"{APPENDIX_D}.runs", ("moment_errors",)),
    (
        "equation-8.bound/with-mixing",
        f"{ANALYSIS_D}.spectral_bounds",
        ("moment_error_bound",),
    ),
    ("equation-8.bound/within-tasks", f"{APPENDIX_D}.within_task", ("lengths",)),
    (
        "lemma-12.bound/within-tasks",
        f"{ANALYSIS_D}.within_task_bounds",
        ("joint_error_bound",),
    ),
    (
        "lemma-12.bound/successors",
        f"{ANALYSIS_D}.within_task_bounds",
        ("successor_deviation",),
    ),
    ("theorem-2.bounds/rate", "ptum.checks.instances.families.hmms", ("observations",)),
    ("theorem-2.all-h/admitted", f"{SECTION_4}.models", ("theorem_2_bound",)),
    ("algorithm-rtp.steps/loops", f"{APPENDIX_C}.moments", ("rounding_of_power_method",)),
    ("figure-5-right.decay/ten-tasks", f"{APPENDIX_E}.error_panel", ("clipped_error",)),
    ("figure-1-right.jumpstart/stand-ins", f"{APPENDIX_E}.baseline_panels", ("start_of",)),
)
"""A check, and functions that tell it NaN, in the module that it finds them in."""


@pytest.mark.parametrize("call", [1, 2])
@pytest.mark.parametrize(
    ("identity", "module", "name"),
    [(identity, module, name) for identity, module, names in PLANTS for name in names],
)
def test_nan_from_the_reference_is_an_error(
    identity: str, module: str, name: str, call: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one call: `max` keeps NaN where it comes first, and drops it where it does not."""
    calls = 0
    right: Callable[..., Floats | float] = getattr(import_module(module), name)

    def wrong(*given: object, **named: object) -> Floats | float:
        nonlocal calls
        calls += 1
        found = right(*given, **named)
        return found * NAN if calls == call else found

    monkeypatch.setattr(sys.modules[module], name, wrong)
    verdict, story = verdict_of(identity)
    assert calls >= call
    assert verdict is Verdict.ERRORED, (verdict, story)
