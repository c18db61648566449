"""PTUM in plain Python: no packages, one function per item of the paper.

A task is a dict with p[s][a][s'] (probability of the next state), q[s][a][j] (probability of the
reward u[j]) and u. States, actions and models are numbered from 0. Replace these functions by your
own; harness.py and adapter.py only call them.
"""

import math

# Section 2: values


def policy_value(p, q, u, gamma, pi):
    """V^pi, the solution of (I - gamma P) V = r for the transitions and rewards of pi."""
    S = len(p)
    r = [expectation(q[s][int(pi[s])], u) for s in range(S)]
    matrix = [
        [(1.0 if s == x else 0.0) - gamma * p[s][int(pi[s])][x] for x in range(S)] for s in range(S)
    ]
    return solve(matrix, r)


def optimal(p, q, u, gamma):
    """V* and an optimal policy, by policy iteration."""
    S, A = len(p), len(p[0])
    pi = [0] * S
    for _ in range(1000):  # far more rounds than are ever needed, in case rounding goes in circles
        V = policy_value(p, q, u, gamma, pi)
        changed = False
        for s in range(S):
            Q = [expectation(q[s][a], u) + gamma * expectation(p[s][a], V) for a in range(A)]
            best = max(range(A), key=Q.__getitem__)
            if Q[best] > Q[pi[s]] + 1e-13 / (1 - gamma):
                pi[s], changed = best, True
        if not changed:
            break
    return V, pi


def expectation(weights, values):
    """The mean of values[i] with probability weights[i]."""
    return math.fsum(weight * value for weight, value in zip(weights, values, strict=True))


def deviation(weights, values):
    """The standard deviation of values[i] with probability weights[i]."""
    mean = expectation(weights, values)
    return math.sqrt(
        math.fsum(w * (value - mean) ** 2 for w, value in zip(weights, values, strict=True))
    )


def solve(matrix, right):
    """Gaussian elimination with the largest pivot of each column."""
    size = len(right)
    rows = [[float(x) for x in row] + [float(end)] for row, end in zip(matrix, right, strict=True)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            for place in range(column, size + 1):
                rows[row][place] -= factor * rows[column][place]
    solution = [0.0] * size
    for row in reversed(range(size)):
        known = math.fsum(rows[row][x] * solution[x] for x in range(row + 1, size))
        solution[row] = (rows[row][size] - known) / rows[row][row]
    return solution


# Lemma 3: confidence widths


def log_term(factor, S, A, n, k, delta):
    """log(factor S A n (|Theta| + 1) / delta), with factor 8 for means and 4 for deviations."""
    return math.log(factor * S * A * n * (k + 1) / delta)


def mean_width(N, sigma, span, log_8, error):
    """C^r (span 1) and C^p (span 1/(1-gamma)); infinite up to one sample."""
    if N <= 1:
        return math.inf
    return sigma * math.sqrt(2 * log_8 / N) + 7 * log_8 * span / (3 * (N - 1)) + error


def deviation_width(N, span, log_4, error):
    """C^{sigma_r} (span 1) and C^{sigma_p} (span 1/(1-gamma)); infinite up to one sample."""
    if N <= 1:
        return math.inf
    return span * math.sqrt(2 * log_4 / (N - 1)) + error


def widths(N, sigma_r, sigma_p, errors, gamma, n, delta, k):
    """All widths of Lemma 3 at given counts and estimated deviations."""
    S, A, span = len(N), len(N[0]), 1 / (1 - gamma)
    log_8, log_4 = (log_term(factor, S, A, n, k, delta) for factor in (8, 4))

    def table(entry):
        return [[entry(s, a) for a in range(A)] for s in range(S)]

    def of_p(s, a):
        return [mean_width(N[s][a], sigma, span, log_8, errors["p"]) for sigma in sigma_p[s][a]]

    return {
        "C_r": table(lambda s, a: mean_width(N[s][a], sigma_r[s][a], 1.0, log_8, errors["r"])),
        "C_p": table(of_p),
        "C_sigma_r": table(lambda s, a: deviation_width(N[s][a], 1.0, log_4, errors["sigma_r"])),
        "C_sigma_p": table(lambda s, a: deviation_width(N[s][a], span, log_4, errors["sigma_p"])),
    }


# Definition 1 and lines 16-18: information and the next query


class Model:
    """What Algorithm 1 needs to know about one given model."""

    def __init__(self, task, gamma):
        self.p, q, u = task["p"], task["q"], task["u"]
        self.task = {"p": self.p, "q": q, "u": u, "gamma": gamma}
        self.S, self.A = len(self.p), len(self.p[0])
        self.r = [[expectation(weights, u) for weights in row] for row in q]
        self.sigma_r = [[deviation(weights, u) for weights in row] for row in q]
        self.V, self.pi = optimal(**self.task)

    def loss(self, policy):
        """The largest loss over states of a policy in this model."""
        reached = policy_value(**self.task, pi=policy)
        return max(best - value for best, value in zip(self.V, reached, strict=True))


def pair_information(one, other, s, a, gamma, Delta):
    """I_{s,a}(one, other) of Definition 1, with the values and deviations of the first model."""
    x_r = max(abs(one.r[s][a] - other.r[s][a]) - 8 * Delta, 0.0)
    moved = expectation(one.p[s][a], one.V) - expectation(other.p[s][a], one.V)
    x_p = max(abs(moved) - 8 * Delta, 0.0)
    I_r = min(squared_ratio(x_r, one.sigma_r[s][a]), x_r)
    I_p = min(squared_ratio(x_p, deviation(one.p[s][a], one.V)), (1 - gamma) * x_p)
    return max(I_r, I_p)


def squared_ratio(x, sigma):
    """(x / sigma)^2; 0 where x is 0, infinite where only sigma is."""
    if x == 0:
        return 0.0
    return (x / sigma) ** 2 if sigma > 0 else math.inf


def information(models, gamma, errors):
    """I[theta][theta'][s][a] for all ordered pairs of models."""
    known, Delta = [Model(task, gamma) for task in models], max(errors.values())
    return [
        [
            [
                [pair_information(one, other, s, a, gamma, Delta) for a in range(one.A)]
                for s in range(one.S)
            ]
            for other in known
        ]
        for one in known
    ]


def largest_index(known, active, gamma, Delta):
    """Lines 16-18: the pair whose largest information over active models is largest."""
    pairs = [(s, a) for s in range(known[0].S) for a in range(known[0].A)]

    def index(pair):
        return max(
            pair_information(known[i], known[j], *pair, gamma, Delta)
            for i in active
            for j in active
        )

    return max(pairs, key=index)  # ties: the first pair


def next_query(models, gamma, errors, active):
    """The pair to query next while the given models are active."""
    known = [Model(task, gamma) for task in models]
    return largest_index(known, [int(i) for i in active], gamma, max(errors.values()))


# Algorithm 1


class Statistics:
    """Lines 7-10 for one pair: count, mean and deviation of rewards; counts of next states."""

    def __init__(self, S):
        self.N, self.mean, self.squares = 0, 0.0, 0.0
        self.successors = [0] * S

    def add(self, reward, successor):
        """Line 20; mean and sum of squares are updated as rewards arrive."""
        self.N += 1
        off = reward - self.mean
        self.mean += off / self.N
        self.squares += off * (reward - self.mean)
        self.successors[successor] += 1

    def of_rewards(self):
        """Sample mean and deviation (divisor N - 1) of the rewards."""
        return self.mean, math.sqrt(self.squares / (self.N - 1))

    def of_values(self, V):
        """Sample mean and deviation (divisor N - 1) of V at the next states."""
        mean = math.fsum(c * v for c, v in zip(self.successors, V, strict=True)) / self.N
        squares = math.fsum(c * (v - mean) ** 2 for c, v in zip(self.successors, V, strict=True))
        return mean, math.sqrt(squares / (self.N - 1))


def ptum(models, gamma, errors, epsilon, delta, n, sample):
    """Lines 2-22 without the fallback: null is returned where the paper falls back."""
    known, Delta = [Model(task, gamma) for task in models], max(errors.values())
    S, A, k = known[0].S, known[0].A, len(known)
    # Line 2 with the repaired threshold; the paper prints Delta < epsilon (1-gamma)/(4 (1+gamma)).
    if Delta > epsilon * (1 - gamma) / (18 * (1 + gamma)):
        return {"policy": None, "end": "models-too-inaccurate", "eliminations": []}
    loss = [[prime.loss(one.pi) for prime in known] for one in known]
    slack = epsilon - 2 * Delta * (1 + gamma) / (1 - gamma)
    logs = [log_term(factor, S, A, n, k, delta) for factor in (8, 4)]
    data = {(s, a): Statistics(S) for s in range(S) for a in range(A)}
    active, eliminated, asked, choice = list(range(k)), [], None, {}
    for t in range(1, n + 1):
        # Line 12: equations (1)-(4). Only the pair sampled last has new numbers, and a model that
        # passed the others before passes them still.
        if asked is not None:
            left = [i for i in active if fits(known, i, data[asked], asked, gamma, errors, logs)]
            eliminated += [{"t": t, "theta": i} for i in active if i not in left]
            active = left
        if not active:
            return {"policy": None, "end": "active-set-empty", "eliminations": eliminated}
        # Line 14: a policy of an active model that loses little in every active model.
        for i in active:
            if all(loss[i][j] <= slack for j in active):
                return {"policy": known[i].pi, "end": "stopped", "eliminations": eliminated}
        # Lines 16-18: the index depends on the active set alone.
        key = tuple(active)
        if key not in choice:
            choice[key] = largest_index(known, active, gamma, Delta)
        asked = choice[key]
        data[asked].add(*sample(*asked))  # lines 19-20
    return {"policy": None, "end": "budget-exhausted", "eliminations": eliminated}


def fits(known, theta, data, pair, gamma, errors, logs):
    """Whether a model passes equations (1)-(4) at one pair, with the values of all models."""
    (s, a), (log_8, log_4), span, N = pair, logs, 1 / (1 - gamma), data.N
    if N <= 1:
        return True
    model = known[theta]
    mean, sigma = data.of_rewards()
    if abs(mean - model.r[s][a]) > mean_width(N, sigma, 1.0, log_8, errors["r"]):
        return False  # equation (1)
    if abs(sigma - model.sigma_r[s][a]) > deviation_width(N, 1.0, log_4, errors["sigma_r"]):
        return False  # equation (3)
    for prime in known:
        mean, sigma = data.of_values(prime.V)
        off = abs(mean - expectation(model.p[s][a], prime.V))
        if off > mean_width(N, sigma, span, log_8, errors["p"]):
            return False  # equation (2)
        off = abs(sigma - deviation(model.p[s][a], prime.V))
        if off > deviation_width(N, span, log_4, errors["sigma_p"]):
            return False  # equation (4)
    return True
