"""What a drawn or named instance is: true tasks and the approximations the agent is given."""

from __future__ import annotations

from dataclasses import dataclass

from ptum.checks.verdicts.attempts.names import stored
from ptum.reference.repaired.transfer.assumptions import model_errors as repaired_model_errors
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.assumptions import ModelErrors, model_errors, require_same_tasks


@stored
@dataclass(frozen=True, eq=False)
class TaskSet:
    """True tasks, of which number 0 is the target, and the approximations the agent is given."""

    name: str
    true: tuple[MDP, ...]
    approximate: ApproximateModels

    def __post_init__(self) -> None:
        require_same_tasks(self.true, self.approximate)

    def printed_errors(self) -> ModelErrors:
        """The four constants of Assumption 1 as printed."""
        return model_errors(self.true, self.approximate)

    def repaired_errors(self) -> ModelErrors:
        """The four constants as the proofs need them (errata E02 and E05)."""
        return repaired_model_errors(self.true, self.approximate)
