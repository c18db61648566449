"""Section 2: every formula of the ledger against the function of `reference` that mirrors it."""

from __future__ import annotations

from hypothesis import strategies as st

from ptum.checks.claims.agreement.draws import DrawnFamily, true_tables, whole_families
from ptum.checks.claims.agreement.shape import AgreementCase, FormulasOf
from ptum.checks.claims.section_2.task import accepted, as_task, offers
from ptum.reference.arrays import Floats
from ptum.reference.errors import require_numbers
from ptum.reference.tasks.gaps import reward_gap, transition_gap
from ptum.reference.tasks.mdp import MDP, mean_reward, reward_std
from ptum.reference.tasks.values import optimal_value, transition_std


def _case(family: DrawnFamily, by_pair: Floats) -> AgreementCase:
    """A function with one number for every pair, at the drawn pair."""
    require_numbers(by_pair=by_pair)  # at the other pairs too
    values = {**true_tables(family.true), **family.indices}
    return AgreementCase(values, float(by_pair[family.s, family.a]), family.sets)


@st.composite
def valid_tasks(draw: st.DrawFn) -> AgreementCase:
    """A task as it is, or spoilt in a way that leaves the shapes of its tables."""
    shaped = [tables for tables in draw(offers()) if tables.fits_together()]
    tables = draw(st.sampled_from(shaped))
    return AgreementCase(
        {name: float(value) for name, value in tables.numbers()}, accepted(as_task, tables)
    )


@st.composite
def mean_rewards(draw: st.DrawFn) -> AgreementCase:
    """r_θ(s,a)."""
    family = draw(whole_families())
    return _case(family, mean_reward(family.true[family.theta]))


@st.composite
def reward_stds(draw: st.DrawFn) -> AgreementCase:
    """σ^r_θ(s,a)."""
    family = draw(whole_families())
    return _case(family, reward_std(family.true[family.theta]))


@st.composite
def transition_stds(draw: st.DrawFn) -> AgreementCase:
    """σ^p_θ(s,a;θ')."""
    family = draw(whole_families())
    V_star = optimal_value(family.true[family.theta_prime])
    return _case(family, transition_std(family.true[family.theta], V_star))


@st.composite
def reward_gaps(draw: st.DrawFn) -> AgreementCase:
    """Δ^r_{s,a}(θ,θ')."""
    family = draw(whole_families())
    theta, theta_prime = family.true[family.theta], family.true[family.theta_prime]
    return _case(family, reward_gap(mean_reward(theta), mean_reward(theta_prime)))


@st.composite
def transition_gaps(draw: st.DrawFn) -> AgreementCase:
    """Δ^p_{s,a}(θ,θ')."""
    family = draw(whole_families())
    theta, theta_prime = family.true[family.theta], family.true[family.theta_prime]
    return _case(family, transition_gap(theta.p, theta_prime.p, optimal_value(theta)))


agree = FormulasOf("preliminaries")

agree("TASK", MDP, valid_tasks())
agree("MEAN_REWARD", mean_reward, mean_rewards())
agree("SIGMA_R", reward_std, reward_stds())
agree("SIGMA_P", transition_std, transition_stds())
agree("GAP_R", reward_gap, reward_gaps())
agree("GAP_P", transition_gap, transition_gaps())
