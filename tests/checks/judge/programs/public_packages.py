"""Programs that others wrote, as something that can be asked: adapters for public packages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import gymnasium
import numpy as np
import tensorly
from quantecon.markov import DiscreteDP
from scipy import linalg, optimize, sparse, stats
from tensorly.decomposition import symmetric_parafac_power_iteration
from tensorly.tenalg import multi_mode_dot

from ptum.reference.arrays import Floats, Ints

__all__ = ["Quantecon", "Scipy", "Tensorly", "gymnasium", "solved_table"]

NO_OPTIONS: Mapping[str, float] = MappingProxyType({})


class Quantecon:
    """Dynamic programming of quantecon; `options` are those of `DiscreteDP.solve`."""

    def __init__(self, method: str, options: Mapping[str, float] = NO_OPTIONS) -> None:
        self._method, self._options = method, options

    def optimal(self, p: Floats, q: Floats, u: Floats, gamma: float) -> tuple[Floats, Ints]:
        found = DiscreteDP(q @ u, p, gamma).solve(self._method, **self._options)
        return found.v, found.sigma

    def policy_value(self, p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> Floats:
        value: Floats = DiscreteDP(q @ u, p, gamma).evaluate_policy(pi)
        return value


def solved_table(P: Mapping[int, Any], gamma: float) -> tuple[Floats, Ints]:
    """V* and π* of a table of Gymnasium, by quantecon; the last state is the end."""
    S, A = len(P), len(P[0])
    r, p = np.zeros((S + 1, A)), np.zeros((S + 1, A, S + 1))
    p[S, :, S] = 1
    for s in range(S):
        for a in range(A):
            for probability, to, reward, over in P[s][a]:
                r[s, a] += probability * reward
                p[s, a, S if over else to] += probability
    found = DiscreteDP(r, p, gamma).solve("policy_iteration")
    return found.v, found.sigma


class Scipy:
    """Linear programs, linear systems and distributions of scipy."""

    def __init__(self, *, sparse_factors: bool = False, clipped: bool = False) -> None:
        self._sparse_factors, self._clipped = sparse_factors, clipped

    def optimal(self, p: Floats, q: Floats, u: Floats, gamma: float) -> tuple[Floats, Ints]:
        """The least V with V ≥ r + γ P V, and the actions for which that is nearest to equality."""
        (S, A), r = p.shape[:2], q @ u
        above = (gamma * p - np.eye(S)[:, np.newaxis]).reshape(S * A, S)
        found = optimize.linprog(np.ones(S), above, -r.ravel(), bounds=(None, None))
        V: Floats = np.asarray(found.x, dtype=np.float64)
        return V, np.argmax(r + gamma * p @ V, axis=1)

    def policy_value(self, p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> Floats:
        at = np.arange(len(p)), pi
        system, r = np.eye(len(p)) - gamma * p[at], (q @ u)[at]
        if self._sparse_factors:
            return np.asarray(sparse.linalg.spsolve(sparse.csc_array(system), r), dtype=np.float64)
        return np.asarray(linalg.solve(system, r), dtype=np.float64)

    def deviations(
        self, models: Sequence[Mapping[str, Floats]], gamma: float
    ) -> tuple[list[Floats], list[Floats]]:
        values = [self.optimal(**model, gamma=gamma)[0] for model in models]
        of = self._deviations
        of_rewards = [of(model["q"], model["u"]) for model in models]
        of_values = [np.stack([of(m["p"], V) for V in values], axis=-1) for m in models]
        return of_rewards, of_values

    def _deviations(self, laws: Floats, outcomes: Floats) -> Floats:
        """`rv_discrete` takes every outcome once; its variance may fall below zero by rounding."""
        different, which = np.unique(outcomes, return_inverse=True)

        def deviation(weights: Floats) -> float:
            law = stats.rv_discrete(values=(different, np.bincount(which, weights)))
            return float(np.sqrt(max(law.var(), 0.0)) if self._clipped else law.std())

        return np.apply_along_axis(deviation, -1, laws)


class Tensorly:
    """Tensor power iteration of tensorly, alone and in the middle of Algorithm 3 as printed."""

    def tensor_power(
        self, tensor: Floats, components: int, L: int, N: int, seed: int
    ) -> tuple[Floats, Floats]:
        np.random.seed(seed)  # the only generator that tensorly knows
        found: tuple[Floats, Floats] = symmetric_parafac_power_iteration(
            tensorly.tensor(tensor), rank=components, n_repeat=L, n_iteration=-(-N // 3)
        )  # one iteration of theirs is as many steps as the tensor has indices
        return found

    def hmm_moments(
        self, k: int, M_2: Floats, M_3: Floats, Sigma_21: Floats, Sigma_31: Floats, **_: Floats
    ) -> tuple[Floats | None, ...]:
        Lambda, D = linalg.eig(M_2)
        first = np.argsort(-np.abs(Lambda))[:k]
        Lambda, D = Lambda[first], D[:, first]
        if np.any(Lambda.imag) or Lambda.real.min() <= ZERO * Lambda.real.max():
            return None, None
        W = D.real / np.sqrt(Lambda.real)
        lambdas, V = self.tensor_power(multi_mode_dot(M_3, [W.T] * 3), k, 20, 40, 1)
        mu = linalg.pinv(W.T) @ V * lambdas
        O = Sigma_21 @ linalg.pinv(Sigma_31, rtol=ZERO) @ mu  # noqa: E741 - the paper's letter
        return O, linalg.pinv(O) @ mu, lambdas**-2

    def hmm_samples(self, observations: Floats, k: int) -> tuple[Floats | None, ...]:
        m = len(observations) // 3
        if m < k:
            return None, None
        o_1, o_2, o_3 = (observations[i : 3 * m : 3] for i in range(3))
        S_12, S_31, S_32 = o_1.T @ o_2 / m, o_3.T @ o_1 / m, o_3.T @ o_2 / m
        t_1 = o_1 @ (S_32 @ linalg.pinv(S_12, rtol=ZERO)).T
        t_2 = o_2 @ (S_31 @ linalg.pinv(S_12.T, rtol=ZERO)).T
        M_3 = np.einsum("la,lb,lc->abc", t_1, t_2, o_3) / m
        return self.hmm_moments(k, t_1.T @ t_2 / m, M_3, S_12.T, S_31)[:2]


ZERO = 1e-13
"""Below this share of the largest, an eigenvalue or singular value is taken for zero."""
