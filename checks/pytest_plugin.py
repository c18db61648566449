"""The suite inside pytest: `pytest --ptum-verify [--ptum-profile P] [--ptum-seed N]`.

Every check becomes one test item with the same verdict as in `ptum verify`: it passes when the
verdict is what the ledger expects, and is skipped when it is an expected `skipped` or
`not-implemented`. A failing item says what the command says of a surprise. Without `--ptum-verify`
the plugin does nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from checks.registry import Check, Profile

OPTION = "--ptum-verify"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    group = parser.getgroup("ptum", "verification of the paper's claims")
    group.addoption(OPTION, action="store_true", help="run the checks of `ptum verify` as tests")
    group.addoption("--ptum-profile", default="quick", help="quick (default), standard or deep")
    group.addoption("--ptum-seed", default=0, type=int, help="seed of all randomness (default 0)")


class CheckFailedError(Exception):
    """A verdict that the ledger does not expect."""


class CheckItem(pytest.Item):
    """One check."""

    def __init__(
        self, *, name: str, parent: pytest.Session, check: Check, profile: Profile, seed: int
    ) -> None:
        super().__init__(name, parent)
        self.check = check
        self.profile = profile
        self.seed = seed

    def runtest(self) -> None:
        """Run the check and hold its verdict against the ledger."""
        from checks.runner import Job, run_one
        from spec.vocabulary import Verdict

        row = run_one(self.check, Job(self.profile, self.seed))
        if not row.as_expected:
            from checks.cli.failure import failure_lines  # the words of the command

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
        return "ptum", None, self.check.id


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Add the checks to the collected tests, before `-k` and `-m` choose among them."""
    if session.config.getoption(OPTION):
        items.extend(_items(session))


def _items(session: pytest.Session) -> Iterator[CheckItem]:
    from checks.registry import Profile, registry

    word = session.config.getoption("--ptum-profile")
    if word not in list(Profile):
        known = ", ".join(Profile)
        raise pytest.UsageError(f"unknown --ptum-profile {word!r}; known: {known}")
    seed = session.config.getoption("--ptum-seed")
    for check in registry().values():
        yield CheckItem.from_parent(
            session, name=check.id, check=check, profile=Profile(word), seed=seed
        )
