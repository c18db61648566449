"""Generative models for tests: replays, relabellings, and models that misbehave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ptum.reference.tasks.generative import GenerativeModel
from ptum.reference.transfer.transcript import Event, Query, Sample


class Silent:
    """A generative model that must not be asked."""

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """Fail."""
        raise AssertionError(f"the pair ({s}, {a}) was queried")


@dataclass(frozen=True)
class Constant:
    """Always the same answer, of whatever type."""

    reward: float
    successor: int

    def sample(self, s: int, a: int) -> tuple[float, int]:  # noqa: ARG002
        """The answer."""
        return self.reward, self.successor


class Replay:
    """Answers as a transcript says, and insists on its queries."""

    def __init__(self, events: Iterable[Event]) -> None:
        events = tuple(events)
        queries = [(event.s, event.a) for event in events if isinstance(event, Query)]
        samples = [(event.reward, event.successor) for event in events if isinstance(event, Sample)]
        self._recorded = iter(list(zip(queries, samples, strict=True)))

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """The recorded answer to the recorded query."""
        pair, answer = next(self._recorded)
        assert pair == (s, a), f"({s}, {a}) is queried where the transcript has {pair}"
        return answer

    def exhausted(self) -> bool:
        """Whether every recorded query was made."""
        return next(self._recorded, None) is None


class Relabelled:
    """A generative model under new names: old state s is called states[s], action a actions[a]."""

    def __init__(
        self, model: GenerativeModel, states: Sequence[int], actions: Sequence[int]
    ) -> None:
        self._model = model
        self._states, self._actions = tuple(states), tuple(actions)

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """Ask under the old names, answer under the new ones."""
        reward, successor = self._model.sample(self._states.index(s), self._actions.index(a))
        return reward, self._states[successor]
