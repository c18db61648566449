"""Line 2 with few states: how much smaller than 18(1+γ) may the factor be?

Lemma 7 fails on a set of models when all gaps are at most c = 8Δ and no policy stops. If the least
worst loss of a policy is t, the largest ε that does not stop is t + 2Δ(1+γ)/(1-γ), so on this set
the lemma needs Δ ≤ (1-γ)ε/f with

    f = 2(1+γ) + 8R,        R = (1-γ)t/c.

What R can be depends on the number of states and, through rewards in [0,1], on c. For two models,
and c ≤ 1/4, the largest R is (docs/open_questions.md has the proofs)

| states | largest R                                   |
| ------ | ------------------------------------------- |
| 1      | 1, for any number of models                 |
| 2      | max{2+γ, 2(1+γ)(1-c)/(1-c+2γc)}             |
| 3      | (1+γ)(2+γc)/(1+γc)                          |
| ≥ 4    | 2(1+γ), for any number of models            |

With transitions and policies given, everything is linear in the rewards; `best_rewards` is that
linear program, and `attack` climbs over the transitions. A program is solved up to a tolerance, so
what an attack ends with is made into models in rational numbers, and their R is compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import compared
from ptum.checks.exact.mdp import ExactMDP, Vector
from ptum.checks.exact.numbers import is_above
from ptum.checks.instances.counterexamples.shared import blocks
from ptum.checks.instances.families import rational
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import (
    NOTHING_ROUNDED,
    Evaluation,
    Outcome,
    Statement,
    over_evaluations,
)
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import Floats
from ptum.reference.errors import require_numbers
from ptum.spec.vocabulary import CheckKind

TaskPair: TypeAlias = tuple[ExactMDP, ExactMDP]

LARGEST_GAP = Fraction(1, 4)
"""Up to here the table is proved."""
SETTINGS = tuple(
    (gamma, c)
    for gamma in (Fraction(1, 2), Fraction(9, 10))
    for c in (Fraction(1, 100), Fraction(1, 20), Fraction(1, 5))
)
"""(γ, c) of the tables."""


# Instances


def one_state(gamma: Fraction, c: Fraction) -> TaskPair:
    """Two arms that pay (1±c)/2, and the other way round."""
    high, low = (1 + c) / 2, (1 - c) / 2
    stay = [[[Fraction(1)]] * 2]
    first = mdp.deterministic(stay, [[high, low]], gamma)
    return first, mdp.deterministic(stay, [[low, high]], gamma)


def two_states(gamma: Fraction, c: Fraction) -> TaskPair:
    """The better of the two constructions with two states."""
    leaking = 2 * (1 + gamma) * (1 - c) / (1 - c + 2 * gamma * c)
    return poor_and_rich(gamma, c) if leaking >= 2 + gamma else stay_or_move(gamma, c)


def poor_and_rich(gamma: Fraction, c: Fraction) -> TaskPair:
    """A poor state 0 and a rich state 1; every action stays or moves with probability q.

    q(V(1)-V(0)) = c in the first model. In state 0 the first model takes action 0, which the
    second thinks worse by c in reward and transition; in state 1 the roles are exchanged.
    """
    q = c * (1 - gamma) / (1 - c * (1 + gamma))
    poor = (1 - c) * c * (1 + gamma) / (1 - c + 2 * gamma * c)
    rich = 1 - c - poor
    stay_0, move_0 = [Fraction(1), Fraction(0)], [1 - q, q]
    stay_1, move_1 = [Fraction(0), Fraction(1)], [q, 1 - q]
    first = mdp.deterministic(
        [[move_0, stay_0], [move_1, stay_1]], [[c, poor], [rich, Fraction(1)]], gamma
    )
    second = mdp.deterministic(
        [[stay_0, move_0], [stay_1, move_1]], [[Fraction(0), poor + c], [rich + c, 1 - c]], gamma
    )
    return first, second


def stay_or_move(gamma: Fraction, c: Fraction) -> TaskPair:
    """R = 2+γ at every scale: in its own state a model moves, at a price that makes it a tie.

    The move to the other state, which the model thinks better by c, gains γc and costs γc; the
    other model thinks that it costs c more and leads nowhere.
    """
    u = c * (1 + gamma)
    stay = ([Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)])
    move = ([gamma, 1 - gamma], [1 - gamma, gamma])

    def model(own: int) -> ExactMDP:
        p = [[move[s] if s == own else stay[s], stay[s]] for s in (0, 1)]
        mine, other = [u - gamma * c, u], [u - gamma * c - c, u + c]
        return mdp.deterministic(p, [mine if s == own else other for s in (0, 1)], gamma)

    return model(0), model(1)


def three_states(gamma: Fraction, c: Fraction) -> TaskPair:
    """Two rich states, of which each model thinks one richer by θ, and a worthless state 2.

    In state i, action 0 pays less and, according to model i alone, moves to the other rich state,
    which gains c; action 1 pays 1 and stays, but according to model i pays c less and falls into
    state 2 with probability c(1-γ), which loses almost c. To model i the two are tied, and it takes
    action 0; the other model stays in i with action 1 for ever.
    """
    theta = c * (1 + gamma) / (1 + gamma * c)  # (1-γ) times the difference of the values
    up, down = (1 - gamma) * c / theta, c * (1 - gamma)
    pay = 1 - theta - gamma * c
    zero, one = Fraction(0), Fraction(1)
    worthless = [zero, zero, one]

    def model(own: int) -> ExactMDP:
        p, r = [], []
        for s in (0, 1):
            stay = [one if j == s else zero for j in range(3)]
            climb = [1 - up if j == s else up if j < 2 else zero for j in range(3)]
            fall = [1 - down if j == s else zero if j < 2 else down for j in range(3)]
            p.append([climb, fall] if s == own else [stay, stay])
            r.append([pay, 1 - c] if s == own else [pay - c, one])
        return mdp.deterministic([*p, [worthless] * 2], [*r, [zero, zero]], gamma)

    return model(0), model(1)


def four_states(gamma: Fraction, c: Fraction) -> TaskPair:
    """The two blocks of E01."""
    return blocks.mirrored(c, c, gamma)


BUILDERS = {1: one_state, 2: two_states, 3: three_states, 4: four_states}


# What they show


def ratio(models: TaskPair) -> Fraction:
    """R: the least worst loss over the largest gap, times 1-γ."""
    return (1 - models[0].gamma) * mdp.smallest_worst_loss(models) / mdp.largest_gap(models)


def factor(R: Fraction, gamma: Fraction) -> Fraction:
    """f = 2(1+γ) + 8R: line 2 may admit no more than Δ ≤ (1-γ)ε/f."""
    return 2 * (1 + gamma) + 8 * R


def ratio_of(factor_: Fraction, gamma: Fraction) -> Fraction:
    """The R that a factor is enough for."""
    return (factor_ - 2 * (1 + gamma)) / 8


def accuracy(R: Fraction, gamma: Fraction, c: Fraction) -> Fraction:
    """(1-γ)ε at which a set with this R and these gaps is the border case: c f/8."""
    return c * factor(R, gamma) / 8


def most_ratio(states: int, gamma: Fraction, c: Fraction) -> Fraction:
    """The largest R of two models, c ≤ 1/4, as a function of the number of states."""
    if states == 1:
        return Fraction(1)
    if states == 2:
        return max(2 + gamma, 2 * (1 + gamma) * (1 - c) / (1 - c + 2 * gamma * c))
    if states == 3:
        return (1 + gamma) * (2 + gamma * c) / (1 + gamma * c)
    return 2 * (1 + gamma)


def admitted(states: int, gamma: Fraction, accuracy_: Fraction) -> Fraction:
    """The largest Δ with which Lemma 7 holds at this (1-γ)ε, two models; a fraction just below.

    c f(c)/8 grows with c = 8Δ, so the border is where it equals (1-γ)ε; c ≤ 1/4 must be enough.
    """
    low, high = Fraction(0), LARGEST_GAP
    if accuracy(most_ratio(states, gamma, high), gamma, high) < accuracy_:
        raise ValueError(f"(1-γ)ε = {accuracy_} needs gaps above 1/4")
    for _ in range(40):
        c = (low + high) / 2
        enough = accuracy(most_ratio(states, gamma, c), gamma, c) <= accuracy_
        low, high = (c, high) if enough else (low, c)
    return low / 8


def three_models_ratio(gamma: Fraction, c: Fraction) -> Fraction:
    """A bound of R for three models with three states; with two, `most_ratio` holds for three."""
    return (1 + gamma) * (2 + 3 * gamma * c) / (1 + 2 * gamma * c)


def border_evaluation(
    models: TaskPair, claimed: Fraction, below: Fraction = Fraction(1, 10**9)
) -> Evaluation:
    """Lemma 7 on a set of models with 8Δ equal to its gap and ε just too small to stop.

    It fails, with the index zero everywhere, if the claimed factor is below that of the set.
    """
    gamma, Delta = models[0].gamma, mdp.largest_gap(models) / 8
    worst = mdp.smallest_worst_loss(models)
    epsilon = (worst + 2 * Delta * (1 + gamma) / (1 - gamma)) * (1 - below)
    return _positive(models, epsilon, Delta, claimed)


def _positive(
    models: tuple[ExactMDP, ...], epsilon: Fraction, Delta: Fraction, claimed: Fraction
) -> Evaluation:
    gamma = models[0].gamma
    return Evaluation(
        premises=(
            Statement(
                "Δ against (1-γ)ε/f",
                Delta,
                "≤",
                (1 - gamma) * epsilon / claimed,
                *formulas.threshold_of_ratio(epsilon, gamma, ratio_of(claimed, gamma)),
            ),
            Statement(
                "no stop: smallest worst loss against the slack",
                mdp.smallest_worst_loss(models),
                ">",
                mdp.stopping_slack(epsilon, Delta, gamma),
            ),
        ),
        conclusion=Statement("largest index", mdp.largest_index(models, Delta), ">", 0),
    )


# One state: the factor 10 + 2γ


@dataclass(frozen=True)
class Bandits:
    """One-state models, with ε and Δ."""

    models: tuple[ExactMDP, ...]
    epsilon: Fraction
    Delta: Fraction


def one_state_factor(gamma: Fraction) -> Fraction:
    """f(1, γ) = 10 + 2γ."""
    return factor(Fraction(1), gamma)


@st.composite
def bandits(draw: DrawFn, claimed: Fraction | None) -> Bandits:
    """Drawn arms, or the swapped pair, with ε just too small to stop and Δ up to the threshold."""
    gamma = draw(rational.discounts())
    if draw(st.booleans()):
        models: tuple[ExactMDP, ...] = one_state(gamma, Fraction(draw(st.integers(1, 50)), 100))
    else:
        arms, k = draw(st.integers(2, 3)), draw(st.integers(2, 4))
        models = tuple(draw(rational.tasks(1, arms, gamma)) for _ in range(k))
    f = claimed or one_state_factor(gamma)
    share = draw(st.sampled_from((Fraction(1), Fraction(99, 100), Fraction(1, 2))))
    below = 1 - Fraction(1, draw(st.sampled_from((10**6, 100))))
    worst = mdp.smallest_worst_loss(models)
    epsilon = worst * below / (1 - 2 * share * (1 + gamma) / f)
    return Bandits(models, epsilon, share * (1 - gamma) * epsilon / f)


def bandit_evaluation(instance: Bandits, claimed: Fraction | None) -> Evaluation:
    """The index is positive on the first iteration, for Δ up to (1-γ)ε/(10+2γ)."""
    f = claimed or one_state_factor(instance.models[0].gamma)
    return _positive(instance.models, instance.epsilon, instance.Delta, f)


@check("lemma-7.positive/one-state-factor", CheckKind.EXACT)
def one_state_check(context: Context, claimed: Fraction | None = None) -> Outcome:
    """With one state the index is positive for every Δ up to (1-γ)ε/(10+2γ).

    Lemma 7 for one state; another factor is for tests of this.
    """
    return search(
        context,
        bandits(claimed),
        lambda instance: bandit_evaluation(instance, claimed),
        (25, 500, 10_000),
    )


# Two and three states: linear programs over rewards, climbing over transitions


@dataclass(frozen=True, eq=False)
class Transitions:
    """Transitions p[model][s][a][s'] of k models; model i takes action i in every state.

    The policy of model i loses in model i+1 (the first one comes after the last) at state `at[i]`.
    """

    p: Floats
    gamma: float
    c: float
    at: tuple[int, ...]


def best_rewards(transitions: Transitions) -> tuple[float, Floats]:
    """The largest R that rewards in [0,1] give with these transitions, and the rewards r[i][s][a].

    More actions, or policies that share some, cannot help: only what the k policies do enters a
    loss, and an action may be a copy of another.
    """
    from scipy.optimize import linprog  # here: it takes long to load

    p, gamma, c = transitions.p, transitions.gamma, transitions.c
    require_numbers(p=p, gamma=gamma, c=c)
    k, S = p.shape[:2]
    size = k * S * k + 1
    unit = np.eye(size)
    r = unit[:-1].reshape(k, S, k, size)
    identity = np.eye(S)
    value = [
        [np.linalg.solve(identity - gamma * p[i, :, a], r[i, :, a]) for a in range(k)]
        for i in range(k)
    ]
    at_most_zero: list[Floats] = []
    at_most_c: list[Floats] = []
    for i in range(k):
        best, after = value[i][i], (i + 1) % k
        for other in set(range(k)) - {i}:
            at_most_zero += list(r[i, :, other] + gamma * p[i, :, other] @ best - best)
            moved = ((p[i] - p[other]) @ best).reshape(-1, size)
            apart = (r[i] - r[other]).reshape(-1, size)
            at_most_c += [*moved, *-moved, *apart]
        loss = (value[after][after] - value[after][i])[transitions.at[i]]
        at_most_zero.append(unit[-1] - loss)
    found = linprog(
        -unit[-1],
        A_ub=np.array(at_most_zero + at_most_c),
        b_ub=[0.0] * len(at_most_zero) + [c] * len(at_most_c),
        bounds=[(0.0, 1.0)] * (size - 1) + [(None, None)],
        method="highs",
    )
    if found.status != 0:
        return -math.inf, np.zeros((k, S, k))
    solution: Floats = np.asarray(found.x, dtype=np.float64)
    return (1 - gamma) * float(solution[-1]) / c, solution[:-1].reshape(k, S, k)


def family_transitions(states: int, gamma: Fraction, c: Fraction, models: int = 2) -> Transitions:
    """The transitions of the known instance, its actions renamed to those of the policies.

    More than two models are copies of the two in turn; for an odd number the last and the first
    are copies of one model, and the start is bad.
    """
    pair = BUILDERS[states](gamma, c)
    takes = [mdp.optimal_policy(theta) for theta in pair]
    loses = [
        [b - h for b, h in zip(mdp.optimal_value(theta), mdp.policy_value(theta, pi), strict=True)]
        for theta, pi in zip(pair[::-1], takes, strict=True)
    ]
    worst = [lost.index(max(lost)) for lost in loses]
    p = [
        [[pair[i % 2].p[s][takes[a % 2][s]] for a in range(models)] for s in range(states)]
        for i in range(models)
    ]
    at = tuple(worst[i % 2] for i in range(models))
    return Transitions(np.array(p, dtype=np.float64), float(gamma), float(c), at)


def attack(
    states: int, gamma: Fraction, c: Fraction, seed: int, effort: int, models: int = 2
) -> tuple[float, Transitions]:
    """Climb over transitions, half of the starts at the known instance, half anywhere."""
    rng = np.random.default_rng(seed)
    best: tuple[float, Transitions] | None = None
    for start in range(max(2, effort // 500)):
        transitions = family_transitions(states, gamma, c, models)
        if start % 2:
            p = rng.dirichlet(np.full(states, 0.4), size=(models, states, models))
            at = tuple(rng.integers(0, states, size=models).tolist())
            transitions = Transitions(p, float(gamma), float(c), at)
        height = best_rewards(transitions)[0]
        for _ in range(min(effort, 500)):
            other = _moved(transitions, rng)
            found = best_rewards(other)[0]
            if is_above(found, height):
                height, transitions = found, other
        if best is None or is_above(height, best[0]):
            best = height, transitions
    assert best is not None
    return best


def _moved(transitions: Transitions, rng: np.random.Generator) -> Transitions:
    """Some rows of the transitions moved a little, and made probabilities again."""
    p = transitions.p
    which = rng.random((*p.shape[:-1], 1)) < rng.choice((0.15, 0.4, 1.0))
    scale = rng.choice((0.1, 0.03, 0.01, 0.001))
    moved = np.clip(p + which * scale * rng.standard_normal(p.shape), 1e-12, None)
    return Transitions(
        moved / moved.sum(axis=-1, keepdims=True), transitions.gamma, transitions.c, transitions.at
    )


def realised(transitions: Transitions, rewards: Floats, gamma: Fraction) -> tuple[ExactMDP, ...]:
    """Rational models with these transitions and rewards, each of which takes its own action.

    Rows are divided by their sums. Where a reward lets another action gain on the own one it is
    lowered to a tie. Last, all rewards are moved and scaled into [0,1]; gaps and losses scale
    alike, so R stays. What the solver left undone is in the gaps then, which are measured.
    """
    models = [
        mdp.deterministic(
            [[_normalised(distribution) for distribution in laws] for laws in p],
            _as_fractions(r),
            gamma,
        )
        for p, r in zip(transitions.p.tolist(), rewards, strict=True)
    ]
    tied = [_with_own_action_best(theta, own) for own, theta in enumerate(models)]
    every = [Fraction(0), Fraction(1), *(x for theta in tied for row in theta.r for x in row)]
    low, length = min(every), max(every) - min(every)
    return tuple(
        replace(theta, r=tuple(tuple((x - low) / length for x in row) for row in theta.r))
        for theta in tied
    )


def _with_own_action_best(theta: ExactMDP, own: int) -> ExactMDP:
    V = mdp.policy_value(theta, (own,) * theta.S)
    Q = mdp.action_values(theta, V)
    lowered = tuple(
        tuple(r - max(q - v, Fraction(0)) for r, q in zip(rewards, row, strict=True))
        for rewards, row, v in zip(theta.r, Q, V, strict=True)
    )
    return replace(theta, r=lowered)


def _normalised(distribution: list[float]) -> Vector:
    shares = [Fraction(x) for x in distribution]
    return tuple(x / sum(shares) for x in shares)


def _as_fractions(table: Floats) -> list[list[Fraction]]:
    return [[Fraction(x) for x in row] for row in table.tolist()]


def own_ratio(models: tuple[ExactMDP, ...]) -> Fraction:
    """R of models each of which takes its own action everywhere, and does best with it."""
    gamma, S = models[0].gamma, models[0].S
    worst = min(max(mdp.loss(theta, (own,) * S) for theta in models) for own in range(len(models)))
    return (1 - gamma) * worst / mdp.largest_gap(models)


def attacked_evaluation(
    transitions: Transitions, gamma: Fraction, bound: Callable[[Fraction], Fraction]
) -> Evaluation:
    """R of what an attack ends with, at most `bound` of its largest gap, without rounding."""
    models = realised(transitions, best_rewards(transitions)[1], gamma)
    c, (k, S) = mdp.largest_gap(models), transitions.p.shape[:2]
    text = f"attacked R, {S} states, {k} models, γ = {gamma}, 8Δ = {float(c):.6g}"
    return Evaluation(
        (Statement("largest gap", c, "≤", LARGEST_GAP),),
        Statement(
            text,
            *compared(own_ratio(models), "≤", bound(c)),
            *formulas.largest_ratio(S, k, gamma, c / 8),
            tolerance=NOTHING_ROUNDED,
        ),
    )


def few_states_evaluations(context: Context, share: Fraction = Fraction(1)) -> Iterator[Evaluation]:
    """No R above the proved bound (times `share`): known instances, exact, and attacks."""
    for gamma, c in SETTINGS[: context.count(2, 6, 6)]:
        for states, build in BUILDERS.items():
            text = f"known R, {states} states, γ = {gamma}, 8Δ = {c}"
            allowed = most_ratio(states, gamma, c) * share
            formed = formulas.largest_ratio(states, 2, gamma, c / 8)
            yield Evaluation((), Statement(text, ratio(build(gamma, c)), "≤", allowed, *formed))
    for number, (gamma, c) in enumerate(SETTINGS[: context.count(2, 6, 6)]):
        for states, models in ((2, 2), (3, 2), (2, 3), (3, 3))[: context.count(2, 4, 4)]:
            steps = context.count(6, 20, 1000)
            _, ended = attack(states, gamma, c, context.seed + number, steps, models)
            yield attacked_evaluation(ended, gamma, partial(_allowed, states, models, gamma, share))


def _allowed(states: int, models: int, gamma: Fraction, share: Fraction, c: Fraction) -> Fraction:
    """The proved bound of R, times `share`."""
    if models == 3 and states == 3:
        return three_models_ratio(gamma, c) * share
    return most_ratio(states, gamma, c) * share


@check("lemma-7.positive/few-states-factor", CheckKind.INEQUALITY)
def few_states(context: Context, share: Fraction = Fraction(1)) -> Outcome:
    """No two or three models with at most four states lose more than their bound allows.

    The upper bounds for few states; a smaller share is for tests of this.
    """
    return over_evaluations(
        list(few_states_evaluations(context, share)), "sets of models", NOTHING_ROUNDED
    )
