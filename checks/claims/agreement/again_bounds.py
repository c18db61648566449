"""Bounds and constants of Section 4 and Appendix D that have no formula of the ledger.

Each is written out here a second time from what its docstring states; premises are compared too.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from dataclasses import astuple, replace

import numpy as np

from ptum.checks.claims.agreement.again import Pairs, again
from ptum.checks.exact.numbers import max_of, min_of
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.experiments.prediction import Experiment, likeliest
from ptum.reference.experiments.sequential import Decay, Schedule
from ptum.reference.inequalities import Bound, Comparator, Inequality
from ptum.reference.repaired.sequential.analysis import conditioning as repaired_conditioning
from ptum.reference.repaired.sequential.analysis import sequential_bounds as per_step
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired
from ptum.reference.repaired.sequential.analysis import within_task_bounds as within
from ptum.reference.repaired.sequential.pieces import Constants
from ptum.reference.repaired.sequential.prediction import hoeffding_width
from ptum.reference.sequential.analysis import conditioning, sequential_bounds, spectral_bounds
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.hmm import HMM
from ptum.reference.sequential.observations import observation_matrix
from ptum.reference.sequential.pieces import Rhos, as_bounds
from ptum.reference.sequential.state import Setting
from ptum.reference.tasks.mdp import MDP
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.fallback import samples_per_pair


def numbers(bound: Bound) -> list[float]:
    """The bound itself, then both sides of every premise."""
    sides = [p for p in bound.premises.values() if isinstance(p, Inequality)]
    return [bound.bound, *(float(x) for p in sides for x in (p.left, p.right))]


def a_level(rng: np.random.Generator, h: int) -> Level:
    S, A, U = rng.integers(2, 5, size=3).tolist()
    return Level(S=S, A=A, U=U, h=h, delta_prime=float(rng.uniform(0.01, 0.9)))


def log_c(level: Level) -> float:
    """log(π²h²SA(S+U)/δ')."""
    d = level.S * level.A * (level.S + level.U)
    return 2 * math.log(math.pi * level.h) + math.log(d) - math.log(level.delta_prime)


@again("lemma-12", "bounds for views within a task")
def views_within(rng: np.random.Generator) -> Pairs:
    S, A, k = rng.integers(2, 5, size=3).tolist()
    h, visits = int(rng.integers(20, 90)), int(rng.integers(2, 15))
    delta, e_h, e_S, sigma, c_1, c_2, ell = rng.uniform(0.1, 0.9, size=7).tolist()
    B2, log_1 = 2.0 * S * A, -math.log(delta)
    e_J = 4 * e_S * sigma**-2 + 6 * e_h / sigma
    nu = visits / (h - 1)
    from_estimate = (2 + 2 * math.sqrt(k)) * e_J / nu
    roots = (math.log(k / (6 * delta)) + 2 * math.log(math.pi * visits)) ** 0.5
    from_chain = (1 + roots) * visits**-0.5
    found = within.transition_error_bound(
        e_h=e_h, epsilon_S=e_S, sigma_k_O=sigma, k=k, h=h, visits=visits, delta=delta
    )
    none = within.transition_error_bound(
        e_h=e_h, epsilon_S=e_S, sigma_k_O=sigma, k=k, h=h, visits=0, delta=delta
    )
    root = k**0.5
    premises = [root * e_h, sigma / 2, root * e_J, nu / 2, 1, visits]
    spread = (1 + log_1**0.5) * h**-0.5
    fifth = (1 + math.log(5 / delta) ** 0.5) * h**-0.5
    e_2, e_3 = B2 * fifth, B2**1.5 * fifth
    of_O = within.observation_error_bound(
        c_1=c_1, c_2=c_2, ell=ell, lambda_k=sigma, S=S, A=A, h=h, delta_prime=delta
    )
    least_c = min_of((c_1, ell))
    all_of_them = within.within_task_constants(S=S, A=A, k=k, ell=ell, c_1=least_c, c_2=c_2)
    rho_4 = 2 * c_2 * (B2 + B2**1.5)
    rho_J = 24 * B2 / ell + 6 * rho_4 * ell**-0.5
    nu_min = ell / B2 / 2
    rho_5 = max_of((4 * B2**3 * least_c**-2, 4 * k * (rho_J / nu_min) ** 2))
    rho_6 = (2 + 2 * root) * rho_J / nu_min + (8 / nu_min) ** 0.5
    return {
        "transition_error_bound": (numbers(found), [from_estimate + from_chain, *premises]),
        "its parts": (
            [found.from_estimate, found.from_chain, found.epsilon_J],
            [from_estimate, from_chain, e_J],
        ),
        "without a visit": (numbers(none)[:5], [math.inf, root * e_h, sigma / 2, root * e_J, 0]),
        "moment_deviation": (
            astuple(within.moment_deviation(S=S, A=A, h=h, delta=delta)),
            [B2 * spread, B2**1.5 * spread, B2 * (3**0.5 + (4 * log_1) ** 0.5) * (h - 1) ** -0.5],
        ),
        "one task": (within.moment_deviation(S=S, A=A, h=1, delta=delta).epsilon_S, math.inf),
        "observation_error_bound": (
            numbers(of_O),
            [c_2 * (e_2 + e_3), c_1, ell, 2 * ell, sigma, e_2, c_1, e_3, c_1],
        ),
        "within_task_constants": (
            astuple(all_of_them),
            [ell / B2, nu_min, 4 * B2**3 * least_c**-2, rho_4, rho_5, rho_6],
        ),
    }


@again("theorem-3", "predictions of the next task")
def predictions(rng: np.random.Generator) -> Pairs:
    k = int(rng.integers(4, 7))
    T = rng.dirichlet(np.ones(k), size=k).T
    bar = sorted(rng.choice(k, size=3, replace=False).tolist())
    out = rng.choice(k, size=int(rng.integers(2, 4)), replace=False).tolist()
    e_T, eta, delta_T, delta, wrong = rng.uniform(0.01, 0.2, size=5).tolist()
    h, m, d = rng.integers(3, 60, size=3).tolist()
    mass = max_of(sum(T[theta, last] for theta in out) for last in bar)
    levels = {"eta": eta, "delta_T": delta_T, "delta": delta, "invalid_errors": wrong}
    arguments = {"h": h, "m": m, "k": k, "d": d, "delta": delta, "delta_prime": eta, "rho_T": e_T}
    error = e_T * k * math.sqrt((math.log(9 * k * d / eta) + 2 * math.log(m)) / h)
    sums = np.array([sum(T[theta, last] for last in bar) for theta in range(k)])
    largest = [max_of(T[theta, last] for last in bar) for theta in range(k)]
    order = sorted(range(k), key=lambda theta: largest[theta])
    by_sum = sorted(range(k), key=lambda theta: -sums[theta])
    drops = per_step.theorem_3_eliminates(T, bar, e_T=0.0, eta=eta)
    fits = [
        max_of(sum(T[theta, last] for theta in order[: order.index(one) + 1]) for last in bar)
        <= eta
        for one in range(k)
    ]
    rule = Experiment(m=m, eta=float(np.median(sums)), rho_T=1e-6, keep=1)
    by_rule = rule(T, bar, h=h, d=d, delta=1e-6, delta_prime=eta)
    small = 1e-6 * k + 1e-6 * k * math.sqrt((math.log(9 * k * d / eta) + 2 * math.log(m)) / h)
    stay = tuple(i for i in range(k) if sums[i] + small > rule.eta or i == by_sum[0])
    crowd = [0.6] * 4
    return {
        "next_task_bound": (
            repaired.next_task_bound(T, bar, out, e_T=e_T),
            mass + len(out) ** 0.5 * e_T,
        ),
        "nobody dropped": (repaired.next_task_bound(T, bar, [], e_T=e_T), 0.0),
        "theorem_3_prediction": (
            sequential_bounds.theorem_3_prediction(T, bar, **arguments),
            sums + delta * k + error,
        ),
        "elimination_order": (per_step.elimination_order(T, bar), order),
        "theorem_3_eliminates": (drops, fits),
        "likeliest": (likeliest(T, bar, 2), by_sum[:2]),
        "nobody is kept for nothing": (likeliest(T, bar, 0), ()),
        "Experiment": (by_rule, stay),
        "miss_probability": (per_step.miss_probability(**levels), eta + delta_T + delta + wrong),
        "failure_probability": (
            per_step.failure_probability(**levels),
            eta + delta_T + 2 * delta + wrong,
        ),
        "at most one": (
            [
                f(eta=a, delta_T=b, delta=c, invalid_errors=e)
                for f in (per_step.miss_probability, per_step.failure_probability)
                for a, b, c, e in (crowd,)
            ],
            [1.0, 1.0],
        ),
        "hoeffding_width": (
            hoeffding_width(tests=h, n_post=m, delta=delta),
            (0.5 * (math.log(2 * h) - math.log(delta)) / m) ** 0.5,
        ),
    }


@again("theorem-2", "errors of estimated models")
def model_errors(rng: np.random.Generator) -> Pairs:
    level = a_level(rng, int(rng.integers(20, 900)))
    S, A, U, h = level.S, level.A, level.U, level.h
    gamma, sigma_bar, e_h = rng.uniform(0.1, 0.9, size=3).tolist()
    rho_3, rho_4, rho_5, rho_6 = rng.uniform(0.1, 2, size=4).tolist()
    log, rate = log_c(level), math.sqrt(log_c(level) / h)
    of_condition = log + math.log(2 / math.pi**2)  # printed with 2 where c_h has π²
    far = 1 / (1 - gamma)
    r, p = U**0.5 * e_h / 2, S**0.5 * e_h * far / 2
    drift = (r + gamma * p) * far
    of_p = repaired.value_std_error_bound(S=S, U=U, gamma=gamma, sigma_bar=sigma_bar, e_h=e_h)
    small = e_h * sigma_bar / drift / 2
    share = small / e_h
    floor = {"S": S, "U": U, "gamma": gamma, "sigma_bar": sigma_bar}
    first = Level(S=S, A=A, U=U, h=1, delta_prime=level.delta_prime)
    L, N = rng.integers(20, 90, size=2).tolist()
    grown = (
        math.ceil(L * log / log_c(first)),
        math.ceil(N * math.log(log) / math.log(log_c(first))),
    )
    setting = a_setting(level, gamma)
    without = [U**0.5 / 2, S**0.5 * far / 2]
    of_rhos = [x * rho_4 * rate for x in without]
    of_rhos += [(of_rhos[0]) ** 0.5, (of_rhos[1] * far) ** 0.5]
    speaks = Constants(rho_3=0.9 * h / log, rho_4=rho_4, rho_5=0.9 * h / log, rho_6=rho_6)
    silent = Constants(rho_3=1.1 * h / log, rho_4=rho_4, rho_5=1.1 * h / log, rho_6=rho_6)
    rhos = (rho_3, rho_4, rho_5, rho_6)
    whole = per_step.theorem_2_model_error(
        level, rho_3=0.9 * h / log, rho_4=small / rate, gamma=gamma, sigma_bar=sigma_bar
    )
    due = [r * share, p * share, r * share / sigma_bar, p * share * far / sigma_bar]
    return {
        "model_errors_at, no floor": (
            errors(repaired.model_errors_at(e_h, S=S, U=U, gamma=gamma, sigma_bar=None)),
            [r, p, r**0.5, (p * far) ** 0.5],
        ),
        "model_errors_at": (errors(repaired.model_errors_at(small, **floor)), due),
        "model_errors_at, drifted": (
            errors(repaired.model_errors_at(3 * small, **floor))[3],
            math.inf,
        ),
        "value_std_error_bound": (numbers(of_p), [p * far / sigma_bar, drift, sigma_bar]),
        "power_method_effort": (per_step.power_method_effort(level, L=L, N=N), grown),
        "theorem_2_model_error": (numbers(whole), [max_of(due), h, 0.9 * h]),
        "Constants": (errors(speaks.model_errors(h, setting)), of_rhos),
        "Constants of T": (speaks.transition_error(h, setting), rho_6 * rate),
        "too few tasks": (
            [*errors(silent.model_errors(h, setting)), silent.transition_error(h, setting)],
            [math.inf] * 5,
        ),
        "Rhos": (
            errors(Rhos(*rhos, condition=0.9 * h / of_condition).model_errors(h, setting)),
            [rho * rate for rho in rhos],
        ),
        "Rhos, too few tasks": (
            errors(Rhos(*rhos, condition=1.1 * h / of_condition).model_errors(h, setting)),
            [math.inf] * 4,
        ),
        "one rho": (errors(as_bounds(rho_3).model_errors(h, setting)), [rho_3 * rate] * 4),
    }


def errors(found: ModelErrors) -> list[float]:
    """The four of them."""
    return [found.r, found.p, found.sigma_r, found.sigma_p]


def a_setting(level: Level, gamma: float) -> Setting:
    """A run of Algorithm 2 at this level."""
    u = tuple(np.linspace(0, 1, level.U).tolist())
    return Setting(
        2, level.S, level.A, u, gamma, 0.5, 0.1, 9, level.delta_prime, n_post=3, L=3, N=3, seed=1
    )


@again("algorithm-2", "the schedule of Appendix E.2")
def schedules(rng: np.random.Generator) -> Pairs:
    level = a_level(rng, 1)
    setting = a_setting(level, 0.5)
    start, decay = rng.integers(5, 30, size=2).tolist()
    rho, last, rho_T = rng.uniform(0.1, 1, size=3).tolist()
    sizes = {"start_up": start, "decay": decay, "rho": rho, "last_rho": last, "rho_T": rho_T}
    part = int(rng.integers(1, decay))
    share = part / decay
    tasks = (start - 1, start, start + part, start + decay, start + 3 * decay)
    due = {
        Decay.LINEAR: [rho, rho, rho + share * (last - rho), last, last],
        Decay.GEOMETRIC: [rho, rho, rho ** (1 - share) * last**share, last, last],
        Decay.STEP: [rho, rho, rho, last, last],
        Decay.NONE: [rho] * 5,
    }
    rates = []
    for h in tasks:
        at = Level(S=level.S, A=level.A, U=level.U, h=h, delta_prime=level.delta_prime)
        rates.append(math.sqrt(log_c(at) / h))
    roots = [h**-0.5 for h in tasks]
    of = {shape: Schedule(shape=shape, **sizes) for shape in Decay}
    plain = Schedule(logarithm=False, **sizes)
    delta_of = [one * rate for one, rate in zip(due[Decay.LINEAR], rates, strict=True)]
    plain_of = [one * root for one, root in zip(due[Decay.LINEAR], roots, strict=True)]
    linear = of[Decay.LINEAR]
    return {
        **{shape: ([of[shape].rho_at(h) for h in tasks], due[shape]) for shape in Decay},
        "Δ": (
            [linear.model_errors(h, setting).Delta for h in tasks],
            [math.inf, *delta_of[1:]],
        ),
        "Δ without the logarithm": (
            [plain.model_errors(h, setting).Delta for h in tasks],
            [math.inf, *plain_of[1:]],
        ),
        "e_T": (
            [linear.transition_error(h, setting) for h in tasks],
            [rho_T * rate for rate in rates],
        ),
        "e_T without the logarithm": (
            [plain.transition_error(h, setting) for h in tasks],
            [rho_T * root for root in roots],
        ),
    }


@again("lemma-11", "what the constants are made of")
def constants(rng: np.random.Generator) -> Pairs:
    S, A, U, k = 2, 2, 2, 3
    p, q = rng.dirichlet(np.ones(S), (k, S, A)), rng.dirichlet(np.ones(U), (k, S, A))
    tasks = [MDP(p=p[j], q=q[j], u=np.array([0.0, 1.0]), gamma=0.5) for j in range(k)]
    O, T = observation_matrix(tasks), (np.eye(k) + rng.dirichlet(np.ones(k), size=k).T) / 2
    pi = rng.dirichlet(9 * np.ones(k))
    found = conditioning.conditioning(HMM(O, T, pi), pi)
    of_21 = np.linalg.svd(O @ T @ np.diag(pi) @ O.T)[1]
    of_31 = np.linalg.svd(O @ T @ T @ np.diag(pi) @ O.T)[1]
    values, vectors = np.linalg.eig(T)
    omega = np.real(vectors[:, np.argmax(np.real(values))])
    omega = omega / omega.sum()
    kappa = [apart(np.linalg.matrix_power(T, s)) for s in range(1, 400)]
    gaps = [math.dist(O[:, i], O[:, j]) for i in range(k) for j in range(i)]
    rho_1, rho_2 = rng.uniform(0.1, 2, size=2).tolist()
    sizes = {"S": S, "A": A, "U": U, "rho_1": rho_1, "rho_2": rho_2}
    h, delta = int(rng.integers(20, 90)), float(rng.uniform(0.1, 0.9))
    level = Level(S=S, A=A, U=U, h=h, delta_prime=delta)
    uniform = repaired_conditioning.uniform_constants(found, **sizes)
    floor = (found.sigma_k_O * found.sigma_k_T) ** 2 * omega.min() / 2
    own = repaired_conditioning.repaired_constants(found, **sizes)
    at = repaired_conditioning.repaired_bounds(own, found, level, gamma=0.5, sigma_bar=None)
    never = replace(found, mixing=replace(found.mixing, g=math.inf))
    edge = replace(found, column_gap=4 * at.O.bound)
    of_names = [
        repaired_conditioning.repaired_bounds(
            replace(own, rho_3=rho_3), one, level, gamma=0.5, sigma_bar=None
        ).names_kept
        for one in (edge, replace(found, column_gap=5 * at.O.bound))
        for rho_3 in (1e-3, 1e9)
    ]
    g = sum(kappa[::3])
    moments = 2 * S * A / (h // 3) ** 0.5
    moments *= (1 + 4 * g) ** 0.5 + (1 + g) * math.log(3 / delta) ** 0.5
    C_S = 20**0.5 * S * A * ((1 + 4 * g) ** 0.5 + 1 + g)
    bound = repaired.sigma_k_floor(
        sigma_k_O=found.sigma_k_O, sigma_k_T=found.sigma_k_T, omega_min=0.2, g_mix=g, h=h
    )
    return {
        "singular values": (
            [found.lambda_max_Sigma_21, found.lambda_min_Sigma_31, found.sigma_k_Sigma_21],
            [of_21[0], 0.0, of_21[k - 1]],
        ),
        "σ_k(Σ_31)": (found.sigma_k_Sigma_31 / of_31[k - 1], 1.0),
        "σ_k": (
            [found.sigma_k_O, found.sigma_k_T],
            [np.linalg.svd(O)[1][-1], np.linalg.svd(T)[1][-1]],
        ),
        "column_gap": (found.column_gap, min_of(gaps)),
        "ω": (conditioning.stationary_distribution(T), omega),
        "ω_min": (found.omega_min, omega.min()),
        "g and G": ([found.g, found.G], [g, sum(kappa)]),
        "κ": (found.mixing.kappa, kappa[: len(found.mixing.kappa)]),
        "uniform": (
            [uniform.C_S, uniform.rho_3 * floor**2, uniform.rho_4 * floor**2],
            [
                C_S,
                max_of((rho_1 * floor**2, 4 * C_S**2)),
                4 * S * A * rho_2 * floor + (2 * S * A) ** 0.5 * C_S * (floor + 8 * S * A),
            ],
        ),
        "floor": (
            numbers(bound),
            [(found.sigma_k_O * found.sigma_k_T) ** 2 * 0.1, h, 50 * (1 + g)],
        ),
        "a chain that does not mix": (
            astuple(repaired_conditioning.repaired_constants(never, **sizes)),
            [rho_1, rho_2, *[math.inf] * 5],
        ),
        "names_kept": (of_names, [False, False, True, False]),
        "moments": (at.moments, moments),
        "μ_3": (
            numbers(at.mu_3),
            [
                rho_2 * math.sqrt(math.log(6 * found.d / delta) / h),
                h,
                rho_1 * math.log(6 * found.d / delta),
            ],
        ),
        **chains(rng),
        **zeros(),
    }


def apart(M: Floats) -> float:
    """The largest total-variation distance of two columns."""
    return max_of(
        0.5 * float(abs(M[:, i] - M[:, j]).sum()) for i in range(len(M)) for j in range(i)
    )


def chains(rng: np.random.Generator) -> Pairs:
    """Chains that do not mix: a cycle, two classes; and one that some tasks leave for ever."""
    k = int(rng.integers(3, 6))
    cycle = np.roll(np.eye(k), 1, axis=0)
    x, y = rng.uniform(0.2, 0.8, size=2).tolist()
    left = np.array([[x, y, 0.5], [1 - x, 1 - y, 0.0], [0.0, 0.0, 0.5]])
    slow = np.array([[0.0, 0.0, 0.3], [1.0, 0.0, 0.7], [0.0, 1.0, 0.0]])
    kappa = [apart(np.linalg.matrix_power(slow, s)) for s in range(1, 1500)]
    of_slow = conditioning.mixing(slow)
    few = conditioning.mixing(slow, most_powers=30)
    return {
        "a cycle": (
            [conditioning.mixing(cycle).g, conditioning.mixing(cycle).G],
            [math.inf, math.inf],
        ),
        "ω of a cycle": (conditioning.stationary_distribution(cycle), np.full(k, 1 / k)),
        "two classes": (conditioning.stationary_distribution(np.eye(2)) is None, True),
        "left for ever": (
            conditioning.stationary_distribution(left),
            np.array([y, 1 - x, 0.0]) / (1 - x + y),
        ),
        "slow": ([of_slow.g, of_slow.G], [sum(kappa[::3]), sum(kappa)]),
        "few powers": (
            [few.g, few.G, few.g_tail, few.G_tail, len(few.kappa)],
            [
                sum(kappa[:30:3]) / (1 - kappa[29]),
                sum(kappa[:30]) / (1 - kappa[29]),
                sum(kappa[:30:3]) * kappa[29] / (1 - kappa[29]),
                sum(kappa[:30]) * kappa[29] / (1 - kappa[29]),
                30,
            ],
        ),
    }


def zeros() -> Pairs:
    """What is a thousandth above or below the rounding that D99 allows, and what is not there."""
    found = []
    for share in (0.999, 1.001):
        O = np.diag([1.0, share * (4 + 2) * ROUNDING])
        T = np.array([[1.0, 0.0], [0.0, 1.0]])
        found.append(conditioning.conditioning(HMM(O, T, np.array([0.5, 0.5])), [0.5, 0.5]))
    rare = [np.array([1 - x, x]) for x in (9.9 * ROUNDING, 10.2 * ROUNDING)]  # 4k + d = 10
    seen = [conditioning.conditioning(HMM(np.eye(2), np.eye(2), pi), pi) for pi in rare]
    return {
        "a rare task": (
            [one.sigma_k_Sigma_21 > 0 for one in seen] + [one.sigma_k_Sigma_31 > 0 for one in seen],
            [False, True] * 2,
        ),
        "zero below rounding": (
            [found[0].sigma_k_O, found[1].sigma_k_O / (6 * ROUNDING)],
            [0.0, 1.001],
        ),
    }


@again("algorithm-1", "the sample size of the fallback")
def fallback_size(rng: np.random.Generator) -> Pairs:
    S, A = rng.integers(1, 9, size=2).tolist()
    gamma, epsilon, delta = rng.uniform(0.1, 0.9, size=3).tolist()
    size = 2 * (math.log(2 * S * A) - math.log(delta)) * (1 - gamma) ** -6 * epsilon**-2
    found = samples_per_pair(S, A, gamma, epsilon, delta)
    return {
        "samples_per_pair": (found, math.ceil(size)),
        "at least one": (samples_per_pair(S, A, 0.0, 100.0, 0.9), 1),
    }


@again("lemma-13", "standard deviations of two laws")
def deviations(rng: np.random.Generator) -> Pairs:
    p, q = rng.dirichlet(np.ones(4), size=2)
    f, b, c = rng.uniform(0, 2, size=4), 2.0, float(rng.uniform(0.1, 2))
    first, second = (np.average((f - np.average(f, weights=x)) ** 2, weights=x) for x in (p, q))
    apart_by = sum(abs(x - y) for x, y in zip(p, q, strict=True))
    left = abs(first**0.5 - second**0.5)
    printed = spectral_bounds.std_difference_bound(p=p, q=q, f=f, b=b, c=c)
    mended = repaired.std_difference_bound(p=p, q=q, f=f, b=b, c=c)
    root = c**-0.5
    return {
        "printed": (
            [printed.left, *numbers(printed)],
            [left, 2 * (root + 1) * apart_by, first, c, second, c],
        ),
        "repaired": (
            [mended.left, *numbers(mended)],
            [left, 2 * root * apart_by, max_of((first, second)), c],
        ),
    }


SIGNS: tuple[tuple[Comparator, tuple[bool, bool, bool]], ...] = (
    ("<", (True, False, False)),
    ("≤", (True, True, False)),
    (">", (False, False, True)),
    ("≥", (False, True, True)),
)


@again("lemma-15", "inequalities")
def inequalities(rng: np.random.Generator) -> Pairs:
    """Below, at and above the tolerance, for all four signs."""
    right, tolerance = float(rng.integers(1, 9)), 0.25
    found = []
    for sign, _ in SIGNS:
        edge = right + tolerance if sign in "<≤" else right - tolerance
        for left in (edge - 0.125, edge, edge + 0.125):
            sides = np.array([edge + (1 if sign in ">≥" else -1), left])
            one = Inequality(left=sides, sign=sign, right=right, tolerance=tolerance)
            found.append(one.holds)
    return {"holds": (found, [due for _, row in SIGNS for due in row])}
