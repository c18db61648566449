"""The suite inside pytest: `pytest --ptum-verify [--ptum-profile P] [--ptum-seed N] [ptum::ID…]`.

Every check becomes one test item with the same verdict as in `ptum verify`: it passes when the
verdict is what the ledger expects, and is skipped when it is an expected `skipped` or
`not-implemented`. A failing item says what the command says of a surprise. The id that pytest
prints for an item, `ptum::lemma-7.positive/bandit`, selects it; so does that of its part or claim.

Tests in files are collected beside the checks only if the command line names a path: who asks for
the checks inside some project does not ask for the tests of that project. Without `--ptum-verify`
the plugin does nothing, and imports nothing of `ptum`: the project may have a `ptum` of its own.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ptum.checks.verdicts.check import Check, Profile

OPTION = "--ptum-verify"
ROOT = "ptum"
PREFIX = f"{ROOT}::"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    group = parser.getgroup("ptum", "verification of the paper's claims")
    told = "run the checks of `ptum verify` as tests, all or ptum::ID…; beside them the paths given"
    group.addoption(OPTION, action="store_true", help=told)
    group.addoption("--ptum-profile", default="quick", help="quick (default), standard or deep")
    group.addoption("--ptum-seed", default=0, type=int, help="seed of all randomness (default 0)")


def pytest_configure(config: pytest.Config) -> None:
    """Take our ids out of the paths, and all paths that nobody but a configuration file named.

    The ids are kept among the options, which pytest-xdist hands on to its workers.
    """
    if not config.getoption(OPTION):
        return
    _require_ours()
    _profile(config)
    _seed(config)
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = []
        return
    ids = [word.removeprefix(PREFIX) for word in config.args if word.startswith(PREFIX)]
    for word in ids:
        _require_known(word)
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
            pytest.skip("; ".join(row.outcome.story))

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        """The story of a surprise, without a traceback through this file."""
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
    if isinstance(collector, pytest.Session) and collector.config.getoption(OPTION):
        report.result = [*report.result, Checks.from_parent(collector, name=ROOT, nodeid=ROOT)]
    return report


def _require_ours() -> None:
    """The installed package has to be found under its name, not a module of the project."""
    found = find_spec(ROOT)
    home = Path(__file__).with_name(ROOT)
    if found is None or found.origin != str(home / "__init__.py"):
        raise pytest.UsageError(
            f"{OPTION} needs the installed package {ROOT}, but here {ROOT} is "
            f"{found.origin if found else 'missing'}: rename yours, or ask from another folder"
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


def _require_known(word: str) -> None:
    from ptum.checks.claims import registry
    from ptum.spec.ledger import nearest

    known = dict.fromkeys(name for check in registry().values() for name in sorted(_names(check)))
    if word not in known:
        raise pytest.UsageError(
            f"{PREFIX}{word} is no check, part or claim with checks; "
            f"nearest: {', '.join(nearest(word, known)) or 'none'}"
        )
