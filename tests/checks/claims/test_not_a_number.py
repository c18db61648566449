"""NaN in whatever a check measures makes it `errored`: planted in every check, and end to end.

Every number that decides goes through one of two functions, `a_number` (statements, trials,
comparisons, extremes, evidence) and `require_numbers` (arrays, and fields of results). Here they
are replaced by ones that make NaN of one number before they look at it. A *quantity* is a place of
the code from which they are called, with the name of the argument or the field: one bound on one
line is one quantity, however many instances it is computed for. Ints and fractions cannot be NaN.

- `make test` plants NaN in every quantity of the probability, inequality and asymptotic checks,
  the first time that it is measured; one that several checks share is planted in the one that
  measures it earliest; and besides in the number in the middle of all that each check looks at.
- The `deep` mark plants NaN in every quantity of every check, shared or not.
- The functions of `PLANTS` answer NaN themselves, so that it travels all the way to a comparison.
"""

from __future__ import annotations

import builtins
import gc
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import _lru_cache_wrapper, cache
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import TypeAlias

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
CHECKS_FOLDER = Path(sys.modules["ptum.checks"].__file__ or "").parent.resolve()
ROOT = CHECKS_FOLDER.parent
REMEMBERED = ("ptum.checks.", "ptum.reference.")
FEW = 4
"""The most instances or trials of anything: enough to reach every comparison of a check."""


@cache
def remembering() -> list[_lru_cache_wrapper[object]]:
    """Functions of ours that remember what they measured: not the registry, nor the ledger."""
    registry()
    # `isinstance` would ask a weak proxy, which may be dead, for its class
    found = [one for one in gc.get_objects() if type(one) is _lru_cache_wrapper]
    ours = [one for one in found if (one.__module__ or "").startswith(REMEMBERED)]
    return [one for one in ours if one is not registry]


def verdict_of(identity: str) -> tuple[Verdict, str]:
    """Of a check with little work and nothing remembered, and how its explanation begins.

    So every run looks at the same numbers; it is made by the runner that everybody uses.
    """
    for function in remembering():
        function.cache_clear()
    check = registry()[identity]
    little = replace(  # without a level of its own nobody asks whether so few trials decide
        check, run=lambda context: check.run(replace(context, most=FEW)), alpha=0.0
    )
    outcome = run_one(little, Job(Profile.QUICK, 0)).outcome
    return outcome.verdict, outcome.explanation[0] if outcome.explanation else ""


# In every quantity of every check


Place: TypeAlias = tuple[str, int, int]
"""A file, a line of it, and where in the compiled line."""
Quantity: TypeAlias = tuple[Place, Place, str]
"""Who looks at the number, the first caller outside of `BETWEEN`, and the name of the number."""

BETWEEN = (
    "checks/exact/numbers.py",
    "checks/verdicts/",
    "reference/errors.py",
    "reference/arrays.py",
)
"""Code that compares what others have measured."""
GENERATED = "<string>"
"""The file of an `__init__` that a dataclass writes."""


@dataclass
class Planted:
    """Counts the numbers that could be NaN, and makes NaN of one of them."""

    at: int = 0
    seen: int = 0
    exact: int = 0
    """Ints and fractions besides."""
    quantities: dict[Quantity, int] = field(default_factory=dict)
    """Where each was measured first: the place in the count."""
    fields: tuple[FrameType | None, int] = (None, 0)

    def number(self, value: Number, what: str = "a planted number") -> Number:
        """In the place of `a_number`."""
        caller = sys._getframe(1)
        name = self._field(caller) if caller.f_code.co_name == "__post_init__" else ""
        self.exact += not isinstance(value, float)
        here = isinstance(value, float) and self._counted(caller, name)
        return a_number(NAN if here else value, what)

    def numbers(self, **compared: Floats | float) -> None:
        """In the place of `require_numbers`: the last entry of an array."""
        caller = sys._getframe(1)
        for name, values in compared.items():
            if np.size(values) and self._counted(caller, name):
                spoilt = np.array(values, dtype=np.float64)
                spoilt.flat[-1:] = NAN
                compared[name] = spoilt
        require_numbers(**compared)

    def _counted(self, caller: FrameType, name: str) -> bool:
        """Whether this is the number to be spoilt."""
        self.seen += 1
        self.quantities.setdefault((place_of(caller), measured_at(caller), name), self.seen)
        return self.seen == self.at

    def _field(self, caller: FrameType) -> str:
        """A result that looks at its numbers one by one: the how-manieth this is."""
        frame, number = self.fields
        self.fields = (caller, number + 1 if frame is caller else 0)
        return str(self.fields[1])


@cache
def file_of(code: CodeType) -> str | None:
    """Below the folder of the project; None of what is not ours."""
    if code.co_filename == GENERATED:
        return GENERATED
    file = Path(code.co_filename).resolve()
    return file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else None


def place_of(frame: FrameType) -> Place:
    return file_of(frame.f_code) or "", frame.f_lineno, frame.f_lasti


def measured_at(frame: FrameType) -> Place:
    """The first place up the stack that does not merely compare."""
    up: FrameType | None = frame
    while up is not None:
        file = file_of(up.f_code)
        if file is not None and not file.startswith((*BETWEEN, GENERATED)):
            return place_of(up)
        up = up.f_back
    return place_of(frame)


@cache
def users_of(function: object) -> list[tuple[ModuleType, str]]:
    """Modules that have a function under some name."""
    registry()  # imports every check
    ours = [module for name, module in sys.modules.items() if name.startswith("ptum.")]
    return [(m, name) for m in ours for name, found in vars(m).items() if found is function]


def verdict_with(planted: Planted, identity: str, patch: pytest.MonkeyPatch) -> tuple[Verdict, str]:
    for real, wrong in ((a_number, planted.number), (require_numbers, planted.numbers)):
        for module, name in users_of(real):
            patch.setattr(module, name, wrong)
    return verdict_of(identity)


@cache
def counted_in(identity: str) -> Planted:
    """The quantities of a check, none of them spoilt."""
    counted = Planted()
    with pytest.MonkeyPatch.context() as patch:
        verdict_with(counted, identity, patch)
    assert counted.seen + counted.exact >= 2
    return counted


@cache
def earliest() -> dict[Quantity, tuple[int, str]]:
    """Where each quantity is measured earliest: the place in the count, and the check."""
    found: dict[Quantity, tuple[int, str]] = {}
    for identity in CHECKS:
        for quantity, place in counted_in(identity).quantities.items():
            found[quantity] = min((place, identity), found.get(quantity, (place, identity)))
    return found


def not_errored(identity: str, places: Iterable[int]) -> list[object]:
    """Plants, one after the other, that a check survives: what was spoilt, and what it said."""
    survived: list[object] = []
    quantities = {place: quantity for quantity, place in counted_in(identity).quantities.items()}
    for place in places:
        planted = Planted(at=place)
        with pytest.MonkeyPatch.context() as patch:
            verdict, explanation = verdict_with(planted, identity, patch)
        assert planted.seen >= place, (identity, place)
        if verdict is not Verdict.ERRORED:
            survived.append((identity, quantities.get(place, place), verdict, explanation))
    return survived


def kind_of_item(identity: str) -> str:
    return identity.partition("-")[0]


@pytest.mark.parametrize("kind", sorted({*map(kind_of_item, CHECKS)}))
def test_nan_in_a_quantity_is_an_error(kind: str) -> None:
    survived: list[object] = []
    for identity in CHECKS:
        if kind_of_item(identity) == kind:
            seen = counted_in(identity).seen
            middle = {(1 + seen) // 2} if seen else set()
            here = {place for place, where in earliest().values() if where == identity}
            survived += not_errored(identity, sorted(here | middle))
    assert survived == []


def test_quantities_are_found_in_every_kind_of_item() -> None:
    with_some = {kind_of_item(identity) for identity in CHECKS if counted_in(identity).quantities}
    assert with_some == {*map(kind_of_item, CHECKS)}


@pytest.mark.deep
@pytest.mark.parametrize("identity", CHECKS)
def test_nan_in_a_quantity_of_every_check_is_an_error(identity: str) -> None:
    assert not_errored(identity, counted_in(identity).quantities.values()) == []


# No other way to the largest


NOT_MEASURING = (
    "checks/exact/numbers.py",
    "reference/errors.py",
    "checks/instances/families",
    "checks/judge",
    "checks/cli",
    "checks/suite/cpu_limit.py",
)
"""Where nothing decides: drawn instances, foreign code, limits, what `max_of` itself is made of."""


@pytest.mark.parametrize("identity", CHECKS)
def test_no_check_takes_an_extreme_of_doubles_by_itself(
    identity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        assert watched(patch, lambda: verdict_of(identity)) == []


def watched(patch: pytest.MonkeyPatch, act: Callable[[], object]) -> list[str]:
    """Lines that take the largest or smallest of doubles by `max` or `min` of Python."""
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
    """Whether the calling line is one of a check, or of the reference."""
    file = file_of(caller.f_code) or ""
    return file.startswith(("checks/", "reference/")) and not file.startswith(NOT_MEASURING)


# End to end


WIDTHS = ("width_r", "width_p", "width_sigma_r", "width_sigma_p")
SECTION_3, SECTION_4 = "ptum.checks.claims.section_3", "ptum.checks.claims.section_4"
APPENDIX_B, APPENDIX_C = "ptum.checks.claims.appendix_b", "ptum.checks.claims.appendix_c"
APPENDIX_D, APPENDIX_E = "ptum.checks.claims.appendix_d", "ptum.checks.claims.appendix_e"
OPEN = "ptum.checks.claims.open_questions"
ANALYSIS_B = "ptum.reference.repaired.transfer.analysis"
ANALYSIS_D = "ptum.reference.repaired.sequential.analysis"
RUNS = "ptum.checks.engine.decision"
LEMMA_3 = ("named-instances", "drawn-instances", "wrong-std", "repaired")
PLANTS = (
    *((f"lemma-3.coverage/{slug}", f"{APPENDIX_B}.confidence", WIDTHS) for slug in LEMMA_3),
    ("lemma-4.reward/worst-data", f"{APPENDIX_B}.elimination", WIDTHS[::2]),
    ("lemma-4.reward/drawn-sets", f"{APPENDIX_B}.elimination", WIDTHS[::2]),
    ("lemma-4.transition/repaired-worst-data", f"{APPENDIX_B}.elimination", WIDTHS[1::2]),
    ("lemma-4.transition/repaired-drawn-sets", f"{APPENDIX_B}.elimination", WIDTHS[1::2]),
    ("lemma-8.bound/runs", RUNS, WIDTHS),
    ("lemma-8.bound/runs", "ptum.checks.engine.ptum", ("_values",)),
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
    ("text-pac.implied/repaired", f"{ANALYSIS_B}.sample_complexity", ("zero_or_quotient",)),
    (
        "theorem-3.never/tuned",
        "ptum.reference.sequential.analysis.spectral_bounds",
        ("quotient",),
    ),
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
    ("text-svd-critical.stability/interpolation", f"{APPENDIX_E}.learning", ("columns_of",)),
    ("figure-5-right.decay/ten-tasks", f"{APPENDIX_E}.error_panel", ("clipped_error",)),
    ("figure-1-right.jumpstart/stand-ins", f"{APPENDIX_E}.baseline_panels", ("start_of",)),
    ("algorithm-3.lines/fractions", "ptum.reference.sequential.tensor_power", ("_images",)),
    ("theorem-2.condition/existential", f"{ANALYSIS_D}.sequential_bounds", ("c_h",)),
    ("lemma-12.bound/least-frequency", f"{ANALYSIS_D}.within_task_bounds", ("_rho_J",)),
    ("lemma-11.pseudo-inverse/moved-moments", f"{APPENDIX_D}.moved_moments", ("singular_value",)),
    ("figure-2-left.below-one/labelled-samples", f"{APPENDIX_E}.sequence_panels", ("loss_of",)),
    (
        "figure-2-left.below-one/labelled-samples",
        "ptum.reference.experiments.objectworld",
        ("loss_of_policy", "value_tolerance"),
    ),
    (
        "figure-2-right.maxqinit/stand-ins",
        "ptum.reference.tasks.values",
        ("_rounding_of_action_values",),
    ),
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
    verdict, explanation = verdict_of(identity)
    assert calls >= call
    assert verdict is Verdict.ERRORED, (verdict, explanation)
