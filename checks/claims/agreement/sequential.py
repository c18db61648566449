"""Section 4: the formulas of Theorems 2 and 3 against the functions that mirror them."""

from __future__ import annotations

from hypothesis import strategies as st

from ptum.checks.claims.agreement.appendix_d import laws, of_scalars, scalars, square, subsets
from ptum.checks.claims.agreement.shape import AgreementCase, FormulasOf
from ptum.checks.verdicts import proof_bounds
from ptum.reference.repaired.sequential.analysis import sequential_bounds as repaired
from ptum.reference.sequential.analysis import sequential_bounds as printed
from ptum.spec.algebra import Table

SMALL = st.floats(0, 1e-9) | st.sampled_from((0.0, 1e-30))


@st.composite
def printed_rule(draw: st.DrawFn) -> AgreementCase:
    """Theorem 3 for one task; in half of the draws the left side is so small that it can fire."""
    drawn = draw(scalars("h", "m", "d", "delta_prime", "rho_T"))
    k, m, delta_prime = draw(st.integers(1, 4)), int(drawn["m"]), drawn["delta_prime"]
    small = draw(st.booleans())
    delta = delta_prime / (3 * m**2) * draw(st.sampled_from((1e-30, 1e-6, 0.5, 1.0)))
    rho_T = draw(SMALL) * delta_prime / m**2 if small else drawn["rho_T"]
    T_hat = draw(square(k, st.just(0.0) if small else st.floats(-0.25, 1.25)))
    theta_bar, theta = draw(subsets(k)), draw(st.integers(0, k - 1))
    eliminated = printed.theorem_3_eliminates(
        T_hat,
        theta_bar,
        h=int(drawn["h"]),
        m=m,
        k=k,
        d=int(drawn["d"]),
        delta=delta,
        delta_prime=delta_prime,
        rho_T=rho_T,
    )
    eta = printed.theorem_3_eta(k=k, m=m, delta_prime=delta_prime)
    own = {"k": k, "delta": delta, "rho_T": rho_T, "T_hat": T_hat, "theta": theta, "eta": eta}
    return AgreementCase({**drawn, **own}, bool(eliminated[theta]), {"Theta_bar_h": theta_bar})


@st.composite
def repaired_rule(draw: st.DrawFn) -> AgreementCase:
    """The mass rule for the j least likely tasks: it admits them exactly when they are dropped."""
    k = draw(st.integers(1, 5))
    columns = draw(st.lists(laws(k), min_size=k, max_size=k))
    T_hat = [list(row) for row in zip(*columns, strict=True)]
    theta_bar = draw(subsets(k, smallest=1))
    e_T = draw(st.floats(0, 0.3) | st.sampled_from((0.0, 1e-12, 1e30, float("inf"))))
    eta = draw(st.floats(1e-6, 1 - 1e-6) | st.sampled_from((1e-180, 0.5, 0.9)))
    eliminated = repaired.theorem_3_eliminates(T_hat, theta_bar, e_T=e_T, eta=eta)
    size = draw(st.integers(0, k - 1))
    candidates = list(repaired.elimination_order(T_hat, theta_bar)[:size])
    values: dict[str, Table] = {"T_hat": T_hat, "e_T": e_T, "eta": eta, "size_E": size}
    domains = {"Theta_bar_h": theta_bar, "Eliminated_h": candidates}
    return AgreementCase(values, bool(eliminated[candidates].all()), domains)


@st.composite
def dropped_visits(draw: st.DrawFn) -> AgreementCase:
    """What never missing allows, for a number of visits and a δ'."""
    visits, delta_prime = draw(st.integers(2, 10**4)), draw(st.floats(1e-3, 0.9))
    computed = proof_bounds.dropped_visits(visits, delta_prime)
    return AgreementCase({"visits": visits, "delta_prime": delta_prime}, computed)


agree = FormulasOf("sequential")
_RATE = ("S", "A", "U", "h", "delta_prime")

agree("C_H", printed.c_h, of_scalars, *_RATE)
agree("THEOREM_2_CONDITION", printed.theorem_2_condition, of_scalars, "rho", *_RATE)
agree("THEOREM_2_CONDITION_REPAIRED", repaired.theorem_2_condition, of_scalars, "rho_3", *_RATE)
agree("THEOREM_2", printed.theorem_2_bound, of_scalars, "rho_any", *_RATE)
agree("THEOREM_3_ETA", printed.theorem_3_eta, of_scalars, "k", "m", "delta_prime")
agree("THEOREM_3_RULE", printed.theorem_3_eliminates, printed_rule())
agree("THEOREM_3_RULE_REPAIRED", repaired.theorem_3_eliminates, repaired_rule())
agree("DROPPED_VISITS", proof_bounds.dropped_visits, dropped_visits())
