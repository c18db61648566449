"""Slips in lines 5-10 of Algorithm 3."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ptum.checks.judge.capabilities.sequential.hmm_moments import (
    EXISTS,
    LINE_6,
    LINE_7,
    LINE_8,
    LINE_9,
    LINE_10,
    WEIGHTS,
)
from ptum.checks.judge.slips import slip
from ptum.reference.arrays import Floats
from ptum.reference.sequential.tensor_power import robust_tensor_power


@dataclass(frozen=True)
class MomentSteps:
    """Lines 5-10 plainly; `slip` names the one thing that is wrong."""

    slip: str

    def __call__(self, k: int, **moments: Floats) -> dict[str, object]:
        """O, T and the weights, or null where a k-th eigenvalue is zero."""
        values, vectors = np.linalg.eigh((moments["M_2"] + moments["M_2"].T) / 2)
        order = np.argsort(-values)[:k]
        least = 1e-4 if self.slip == "null below 10⁻⁴ of the first eigenvalue" else 1e-12
        if values[order[-1]] <= least * values[order[0]]:
            return {"O": None, "T": None}
        W, back = self._whitening(values[order], vectors[:, order])
        lambdas, V = self._components(np.einsum("abc,ai,bj,cl->ijl", moments["M_3"], W, W, W), k)
        mu_3 = back @ V * (1.0 if self.slip == "no λ in line 8" else lambdas)
        if self.slip == "λ² in line 8":
            mu_3 = mu_3 * lambdas
        O = self._means(mu_3, moments, k)
        T = self._transitions(O, mu_3)
        return {"O": O, "T": T, "weights": self._weights(lambdas)}

    def _whitening(self, Lambda: Floats, D: Floats) -> tuple[Floats, Floats]:
        power = {"W = DΛ^{+1/2}": 0.5, "W = DΛ^{-1}": -1.0, "W = D": 0.0}.get(self.slip, -0.5)
        W: Floats = D * Lambda**power
        back: Floats = np.asarray(np.linalg.pinv(W.T), dtype=np.float64)
        return W, W if self.slip == "W for (W^T)^† in line 8" else back

    def _components(self, tensor: Floats, k: int) -> tuple[Floats, Floats]:
        rng, pairs, left = np.random.default_rng(3), [], tensor
        for _ in range(k):
            pair, deflated = robust_tensor_power(left, 20, 40, rng)
            left = left if self.slip == "no deflation" else deflated
            pairs.append(pair)
        lambdas = np.array([pair.lambda_ for pair in pairs])
        return lambdas, np.stack([pair.v for pair in pairs], axis=1)

    def _means(self, mu_3: Floats, moments: dict[str, Floats], k: int) -> Floats:
        front, inverted = moments["Sigma_21"], moments["Sigma_31"]
        if self.slip == "μ_3 for O":
            return mu_3
        if self.slip == "Σ_13 inverted":
            inverted = moments["Sigma_13"]
        if self.slip == "Σ_32 inverted":
            inverted = moments["Sigma_32"]
        if self.slip == "Σ_12 in front":
            front = moments["Sigma_12"]
        rank = k - 1 if self.slip == "Σ_31^† of rank k-1" and k > 1 else k
        left, sigma, right = np.linalg.svd(inverted)
        inverse = (right[:rank].T / sigma[:rank]) @ left[:, :rank].T
        O: Floats = front @ inverse @ mu_3
        return O

    def _transitions(self, O: Floats, mu_3: Floats) -> Floats:
        T: Floats = np.linalg.pinv(O) @ mu_3
        if self.slip == "T transposed":
            T = T.T
        if self.slip == "μ_3^† O for O^† μ_3":
            T = np.linalg.pinv(mu_3) @ O
        if self.slip == "O^T for O^†":
            T = O.T @ mu_3
        if self.slip == "rows of T sum to one":
            T = T / T.sum(axis=1, keepdims=True)
        return T

    def _weights(self, lambdas: Floats) -> Floats:
        weights: Floats = lambdas ** {"ω = 1/λ": -1.0, "ω = λ²": 2.0}.get(self.slip, -2.0)
        return weights


@slip("hmm_moments/rows-keep-labels", breaks=LINE_10)
def labels_of_rows_only(k: int, **moments: Floats) -> dict[str, object]:
    """Columns sorted by their first entry; T follows in its columns, not in its rows."""
    found = MomentSteps("none")(k, **moments)
    if found["O"] is None:
        return found
    O, T = np.array(found["O"]), np.array(found["T"])
    order = np.argsort(O[0])
    return {"O": O[:, order], "T": T[:, order]}


for _slug, _breaks, _faulty in (
    ("whitening-lambda-plus-half", LINE_6, "W = DΛ^{+1/2}"),
    ("whitening-lambda-minus-one", LINE_6, "W = DΛ^{-1}"),
    ("null-at-small-eigenvalues", EXISTS, "null below 10⁻⁴ of the first eigenvalue"),
    ("no-whitening", LINE_6, "W = D"),
    ("no-deflation", LINE_7, "no deflation"),
    ("mu-without-lambda", LINE_8, "no λ in line 8"),
    ("mu-with-lambda-squared", LINE_8, "λ² in line 8"),
    ("mu-by-w", LINE_8, "W for (W^T)^† in line 8"),
    ("third-view-for-o", LINE_9, "μ_3 for O"),
    ("inverse-of-sigma-13", LINE_9, "Σ_13 inverted"),
    ("inverse-of-sigma-32", LINE_9, "Σ_32 inverted"),
    ("sigma-12-in-front", LINE_9, "Σ_12 in front"),
    ("rank-k-minus-one", LINE_9, "Σ_31^† of rank k-1"),
    ("t-transposed", LINE_10, "T transposed"),
    ("t-backwards", LINE_10, "μ_3^† O for O^† μ_3"),
    ("t-by-transpose-of-o", LINE_10, "O^T for O^†"),
    ("t-rows-normalised", LINE_10, "rows of T sum to one"),
    ("weights-one-over-lambda", WEIGHTS, "ω = 1/λ"),
    ("weights-lambda-squared", WEIGHTS, "ω = λ²"),
):
    slip(f"hmm_moments/{_slug}", breaks=_breaks)(MomentSteps(_faulty))
