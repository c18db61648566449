"""The suite inside pytest: `pytest --ptum-verify [--ptum-profile P] [--ptum-seed N] [ptum::ID…]`.

Every check becomes one test item with the same verdict as in `ptum verify`: it passes when the
verdict is what the ledger expects, and is skipped when it is an expected `skipped` or
`not-implemented`. A failing item says what the command says of an unexpected verdict. The id that
pytest prints for an item, `ptum::lemma-7.positive/bandit`, selects it; so does that of its part or
claim.

`pytest --ptum-subject module:object [ptum::widths ptum::widths/ordinary …]` asks an implementation
instead, in this process: one item for each capability that it has and each case, which fails with
the line of the paper that the answer breaks. An answer is held to the reading that explains most
answers to its capability, as in `ptum validate`.

Tests in files are collected beside the checks only if the command line names a path: who asks for
the checks inside some project does not ask for the tests of that project.
Without one of these options the plugin does nothing, and imports nothing of `ptum`: the project may
have a `ptum` of its own.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ptum.checks.judge.judging.verdicts import Judgement
    from ptum.checks.judge.results.checked import Asking
    from ptum.checks.verdicts.check import Check, Profile

OPTION, SUBJECT = "--ptum-verify", "--ptum-subject"
ROOT = "ptum"
PREFIX = f"{ROOT}::"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    group = parser.getgroup("ptum", "verification of the paper's claims")
    says = "run the checks of `ptum verify` as tests, all or ptum::ID…; beside them the paths given"
    group.addoption(OPTION, action="store_true", help=says)
    says = "ask this implementation as `ptum validate` does, one test per capability and case"
    group.addoption(SUBJECT, metavar="MODULE:OBJECT", help=says)
    group.addoption("--ptum-profile", default="quick", help="quick (default), standard or deep")
    group.addoption("--ptum-seed", default=0, type=int, help="seed of all randomness (default 0)")


def pytest_configure(config: pytest.Config) -> None:
    """Take our ids out of the paths, and all paths that nobody but a configuration file named.

    The ids are kept among the options, which pytest-xdist hands on to its workers.
    """
    if not _asked(config):
        return
    if config.getoption(OPTION) and config.getoption(SUBJECT):
        raise pytest.UsageError(f"{OPTION} and {SUBJECT} do not go together")
    _require_ours(config)
    _profile(config)
    _seed(config)
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = []
        return
    ids = [word.removeprefix(PREFIX) for word in config.args if word.startswith(PREFIX)]
    for word in ids:
        _require_known(word, _names_of_cases(config) if config.getoption(SUBJECT) else _checks())
    config.option.ptum_ids = ids
    config.args = [word for word in config.args if not word.startswith(PREFIX)]


class CheckFailedError(Exception):
    """A verdict that the ledger does not expect."""


class CheckItem(pytest.Item):
    """One check."""

    def __init__(
        self, *, name: str, parent: Checks, check: Check, profile: Profile, seed: int
    ) -> None:
        super().__init__(name, parent)
        self.check = check
        self.profile = profile
        self.seed = seed

    def runtest(self) -> None:
        """Run the check and hold its verdict against the ledger."""
        from ptum.checks.suite.runner import Job, run_one
        from ptum.spec.vocabulary import Verdict

        row = run_one(self.check, Job(self.profile, self.seed))
        if not row.as_expected:
            from ptum.checks.cli.failure import failure_lines  # the words of the command

            _, *lines = failure_lines(row, self.profile, self.seed)  # without the empty first line
            raise CheckFailedError("\n".join(lines))
        if row.outcome.verdict in (Verdict.SKIPPED, Verdict.NOT_IMPLEMENTED):
            pytest.skip("; ".join(row.outcome.explanation))

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        """The explanation of an unexpected verdict, without a traceback through this file."""
        del style
        if isinstance(excinfo.value, CheckFailedError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[str, None, str]:
        """How the item is named in reports."""
        return ROOT, None, f"check {self.check.id}"


class Checks(pytest.Collector):
    """All checks, or those that were named."""

    def collect(self) -> Iterator[CheckItem]:
        """One item per check."""
        from ptum.checks.claims import registry

        ids: list[str] = getattr(self.config.option, "ptum_ids", [])
        profile, seed = _profile(self.config), _seed(self.config)
        for check in registry().values():
            if not ids or not _names(check).isdisjoint(ids):
                yield CheckItem.from_parent(
                    self, name=check.id, check=check, profile=profile, seed=seed
                )


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Put the checks beside what the session collects."""
    report = yield
    if isinstance(collector, pytest.Session) and _asked(collector.config):
        kind = Cases if collector.config.getoption(SUBJECT) else Checks
        report.result = [*report.result, kind.from_parent(collector, name=ROOT, nodeid=ROOT)]
    return report


def _asked(config: pytest.Config) -> bool:
    return bool(config.getoption(OPTION) or config.getoption(SUBJECT))


def _require_ours(config: pytest.Config) -> None:
    """The installed package has to be found under its name, not a module of the project.

    The project's folder may not be searched yet, but will be once its tests are imported.
    """
    home = Path(__file__).with_name(ROOT)
    found = find_spec(ROOT)
    origin = "missing" if found is None else str(found.origin)
    for folder in (config.rootpath, config.invocation_params.dir):
        for taken in (folder / f"{ROOT}.py", folder / ROOT / "__init__.py"):
            origin = str(taken) if taken.exists() and taken.parent != home else origin
    if origin != str(home / "__init__.py"):
        raise pytest.UsageError(
            f"{OPTION} and {SUBJECT} need the installed package {ROOT}, but here {ROOT} is "
            f"{origin}: rename yours, or ask from another folder"
        )


def _profile(config: pytest.Config) -> Profile:
    from ptum.checks.verdicts.check import Profile

    word = config.getoption("--ptum-profile")
    if word not in list(Profile):
        known = ", ".join(Profile)
        raise pytest.UsageError(f"unknown --ptum-profile {word!r}; known: {known}")
    return Profile(word)


def _seed(config: pytest.Config) -> int:
    seed = int(config.getoption("--ptum-seed"))
    if seed < 0:
        raise pytest.UsageError(f"--ptum-seed must not be negative, not {seed}")
    return seed


def _names(check: Check) -> set[str]:
    """What selects a check: its own id, and those of its part and of its claim."""
    return {check.id, check.part, check.part.partition(".")[0]}


def _require_known(word: str, known: dict[str, None]) -> None:
    from ptum.spec.ledger import nearest

    if word not in known:
        raise pytest.UsageError(
            f"{PREFIX}{word} is no check, part or claim with checks, and no capability or case; "
            f"nearest: {', '.join(nearest(word, known)) or 'none'}"
        )


def _checks() -> dict[str, None]:
    from ptum.checks.claims import registry

    return dict.fromkeys(name for check in registry().values() for name in sorted(_names(check)))


# An implementation


class DeviatesError(Exception):
    """An answer that no reading of the capability explains together with the others."""


class CaseItem(pytest.Item):
    """One case of one capability; the first item of a capability asks for all of its cases."""

    def __init__(self, *, name: str, parent: Cases) -> None:
        super().__init__(name, parent)
        self.cases = parent

    def runtest(self) -> None:
        """Hold the answer to what the paper says."""
        problem = self.cases.problem(self.name)
        if problem:
            raise DeviatesError(problem)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        """What is wrong, without a traceback through this file."""
        del style
        if isinstance(excinfo.value, DeviatesError):
            return f"{self.name}\n{excinfo.value}"
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[str, None, str]:
        """How the item is named in reports."""
        return ROOT, None, f"case {self.name}"


class Cases(pytest.Collector):
    """All cases of an implementation, or those that were named."""

    def collect(self) -> Iterator[CaseItem]:
        """One item per capability and case."""
        from ptum.checks.judge.capabilities import NAMES, capabilities
        from ptum.checks.judge.results.checked import case_ids

        ids: list[str] = getattr(self.config.option, "ptum_ids", [])
        for name in (name for name in NAMES if name in self.asking.claimed):
            for case in case_ids(capabilities()[name], _seed(self.config)):
                if not ids or not {name, case}.isdisjoint(ids):
                    yield CaseItem.from_parent(self, name=case)

    def problem(self, case: str) -> str:
        """What is wrong with an answer; all cases of its capability are asked once."""
        from ptum.checks.judge.results.checked import problem_of

        name = case.partition("/")[0]
        if name not in self.judgements:
            self.judgements[name] = self.asking.judgement(name)
        return problem_of(self.judgements[name], case)

    @cached_property
    def judgements(self) -> dict[str, Judgement]:
        """Those so far, by capability."""
        return {}

    @cached_property
    def asking(self) -> Asking:
        """The implementation, loaded when it is first needed."""
        from ptum.checks.judge.programs.host import UnknownSubjectError, subject_of
        from ptum.checks.judge.results.checked import Asking

        try:
            return Asking(subject_of(str(self.config.getoption(SUBJECT))), _seed(self.config))
        except UnknownSubjectError as reason:
            raise pytest.UsageError(f"{SUBJECT}: {reason}") from None


def _names_of_cases(config: pytest.Config) -> dict[str, None]:
    from ptum.checks.judge.capabilities import capabilities
    from ptum.checks.judge.results.checked import case_ids

    every = capabilities()
    ids = (case for one in every.values() for case in case_ids(one, _seed(config)))
    return dict.fromkeys((*every, *ids))
