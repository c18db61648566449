"""How many samples of one pair eliminate a model when nothing is random and models are exact."""

from __future__ import annotations

import math

import numpy as np

from reference.confidence import log_term, width_p, width_r
from reference.models import ApproximateModels

CAP = 1_000_000


def samples_to_drop(
    models: ApproximateModels, theta: int, s: int, a: int, n: int, delta: float
) -> float:
    """The first N at which θ fails test (1) or (2) at (s,a) on data of model 0; +inf if never.

    All deviations are zero, so that tests (3) and (4) never fail and widths shrink like 1/(N-1).
    """
    L = log_term(models.S, models.A, n, models.k, delta)
    gap_r = abs(float(models.r[0, s, a] - models.r[theta, s, a]))
    gap_p = float(np.max(np.abs((models.p[0, s, a] - models.p[theta, s, a]) @ models.V_star.T)))

    def falls(N: int) -> bool:
        counts, none = np.array([N]), np.zeros(1)
        by_reward = gap_r > width_r(none, counts, L, 0.0)[0]
        return bool(by_reward or gap_p > width_p(none, counts, L, models.gamma, 0.0)[0])

    if not falls(CAP):
        return math.inf
    low, high = 1, CAP  # falls(high) and not falls(low): widths shrink as N grows
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if falls(middle) else (middle, high)
    return high
