"""Every formula of the ledger is written in its notation; facts about those of PTUM."""

from __future__ import annotations

import math
import random
import re
import statistics
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptum.spec import notation
from ptum.spec.algebra import (
    Array,
    Formula,
    Table,
    Term,
    decide,
    evaluate,
    symbol,
    to_latex,
    to_unicode,
)
from ptum.spec.formulas import appendix_b, preliminaries, symbols, transfer
from tests.support.closeness import near
from tests.support.declared import formulas

gamma, epsilon, Delta = symbol("gamma"), symbol("epsilon"), symbol("Delta")


def term(formula: Formula) -> Term:
    """The right side of a formula that is a number."""
    assert isinstance(formula.right, Term)
    return formula.right


every_formula = pytest.mark.parametrize(
    "formula", [pytest.param(formula, id=name) for name, formula in formulas()]
)


# Names and print.


@every_formula
def test_all_symbols_and_sets_are_in_the_notation(formula: Formula) -> None:
    listed = {line.name for line in notation.TABLE}
    assert formula.symbols() | formula.domains() <= listed


@every_formula
def test_formulas_print(formula: Formula) -> None:
    text = to_unicode(formula)
    assert formula.left in text
    assert all(line == line.rstrip() for line in text.split("\n"))
    assert max(map(len, text.split("\n"))) < 180


@every_formula
def test_formulas_print_in_latex(formula: Formula) -> None:
    latex = to_latex(formula)
    assert latex.count("{") == latex.count("}")
    assert latex.count(r"\left") == latex.count(r"\right")
    assert latex.isascii()
    assert r"\mathrm{" not in latex.replace(r"\mathrm{Var}", "")


def test_names_of_the_notation_are_unique() -> None:
    names = [line.name for line in notation.TABLE]
    assert len(names) == len(set(names))


def test_names_of_the_notation_are_names_in_python() -> None:
    assert all(line.name.isidentifier() for line in notation.TABLE)


def test_every_symbol_stands_in_a_formula() -> None:
    used = {name for _, formula in formulas() for name in formula.symbols()}
    for name, thing in vars(symbols).items():
        if isinstance(thing, Term):
            assert thing.symbols() <= used, name
        elif isinstance(thing, Array):
            assert thing.name in used, name


def test_forms_are_of_listed_tables() -> None:
    listed = {line.name for line in notation.TABLE}
    assert set(notation.FORMS) <= listed
    for form in notation.FORMS.values():
        places = sorted(int(digit) for digit in re.findall(r"\d", form))
        assert places == list(range(len(places)))


def test_a_repaired_formula_differs_from_the_printed_one() -> None:
    named = dict(formulas())
    pairs = [(name.removesuffix("_REPAIRED"), name) for name in named if name.endswith("_REPAIRED")]
    assert len(pairs) >= 10
    for printed, repaired in pairs:
        assert to_latex(named[printed]) != to_latex(named[repaired])


# Thresholds, slack and κ_ε.


def test_the_slack_is_four_kappa_over_one_minus_gamma() -> None:
    assert term(transfer.STOPPING_SLACK).equals(4 * term(transfer.KAPPA) / (1 - gamma))


def test_at_the_printed_threshold_kappa_is_an_eighth() -> None:
    threshold = term(transfer.TRANSFER_THRESHOLD)
    kappa = term(transfer.KAPPA).substitute({"Delta": threshold})
    assert kappa.equals(epsilon * (1 - gamma) / 8)


def test_at_the_printed_threshold_kappa_is_below_the_shift_of_the_information() -> None:
    threshold = term(transfer.TRANSFER_THRESHOLD)
    kappa = term(transfer.KAPPA).substitute({"Delta": threshold})
    assert (8 * threshold / kappa).equals(16 / (1 + gamma))


def test_at_the_repaired_threshold_a_loss_without_information_equals_the_slack() -> None:
    threshold = term(transfer.TRANSFER_THRESHOLD_REPAIRED)
    slack = term(transfer.STOPPING_SLACK).substitute({"Delta": threshold})
    assert slack.equals(16 * threshold * (1 + gamma) / (1 - gamma))
    assert slack.equals(8 * epsilon / 9)


def test_the_repaired_threshold_is_two_ninths_of_the_printed_one() -> None:
    ratio = term(transfer.TRANSFER_THRESHOLD_REPAIRED) / term(transfer.TRANSFER_THRESHOLD)
    assert (9 * ratio).equals(2)


# Small families of models, drawn.


def drawn_distribution(chance: random.Random, size: int) -> list[float]:
    weights = [chance.choice([0.0, chance.random()]) for _ in range(size)]
    total = sum(weights)
    return [w / total for w in weights] if total else [1.0] + [0.0] * (size - 1)


def drawn_family(chance: random.Random) -> tuple[dict[str, Table], dict[str, list[int]]]:
    """Approximate models with values and deviations that need not fit together."""
    k, size_s, size_a = chance.randint(2, 4), chance.randint(1, 3), chance.randint(1, 2)
    models, states, actions = range(k), range(size_s), range(size_a)
    gamma_value = chance.choice([0.0, 0.5, 0.9])
    reach = 1 / (1 - gamma_value)

    def deviation(limit: float) -> float:
        return chance.choice([0.0, chance.uniform(0, limit)])

    values: dict[str, Table] = {
        "S": size_s,
        "A": size_a,
        "k": k,
        "n": chance.randint(1, 10**6),
        "delta": chance.uniform(0.01, 0.99),
        "gamma": gamma_value,
        "Delta": chance.choice([0.0, chance.uniform(0, 0.05)]),
        "kappa": chance.uniform(0, 0.5),
        "theta_star": 0,
        "r_tilde": [[[chance.random() for _ in actions] for _ in states] for _ in models],
        "p_tilde": [
            [[drawn_distribution(chance, size_s) for _ in actions] for _ in states] for _ in models
        ],
        "V_tilde": [[chance.uniform(0, reach) for _ in states] for _ in models],
        "sigma_r_tilde": [[[deviation(0.5) for _ in actions] for _ in states] for _ in models],
        "sigma_p_tilde": [
            [[[deviation(reach / 2) for _ in models] for _ in actions] for _ in states]
            for _ in models
        ],
        "info": [
            [
                [[chance.choice([0.0, chance.random()]) for _ in actions] for _ in states]
                for _ in models
            ]
            for _ in models
        ],
    }
    domains = {
        "States": list(states),
        "Actions": list(actions),
        "Theta": list(models),
        "Others": list(models)[1:],
        "Theta_bar": [0, *chance.sample(range(1, k), chance.randint(0, k - 1))],
        "Theta_eps": list(models)[1:],
        "Theta_s": list(models)[1:],
    }
    return values, domains


families = st.randoms(use_true_random=False).map(drawn_family)
Family = tuple[dict[str, Table], dict[str, list[int]]]


def number(formula: Formula, family: Family, **more: Table) -> Decimal:
    """The value of a formula on a family."""
    values, domains = family
    return evaluate(formula, {**values, **more}, domains).value


@pytest.mark.slow
@settings(max_examples=60)
@given(families)
def test_the_repaired_set_is_inside_the_printed_one(family: Family) -> None:
    values, domains = family
    for model in domains["Theta"]:
        at = {**values, "theta": model}
        small = decide(transfer.THETA_S, at, domains)
        large = decide(transfer.THETA_EPS, at, domains)
        assert large.holds or not small.holds or not (small.clear and large.clear)


@settings(max_examples=20)
@given(families)
def test_the_target_is_in_neither_set(family: Family) -> None:
    values, domains = family
    for formula in (transfer.THETA_S, transfer.THETA_EPS):
        assert not decide(formula, {**values, "theta": 0}, domains).holds


@pytest.mark.slow
@settings(max_examples=60)
@given(families)
def test_the_repaired_theorem_is_never_weaker(family: Family) -> None:
    assert number(transfer.THEOREM_1_REPAIRED, family) <= number(transfer.THEOREM_1, family)


@settings(max_examples=60)
@given(families)
def test_the_repaired_fundamental_lemma_is_never_weaker(family: Family) -> None:
    strong = number(appendix_b.FUNDAMENTAL_REPAIRED, family)
    assert strong <= number(appendix_b.FUNDAMENTAL, family)


@pytest.mark.slow
@settings(max_examples=60)
@given(families)
def test_information_is_the_larger_part_and_at_most_one(family: Family) -> None:
    _, domains = family
    for one in domains["Theta"]:
        for other in domains["Theta"]:
            at: dict[str, Table] = {"theta": one, "theta_prime": other, "s": 0, "a": 0}
            by_reward = number(transfer.INFORMATION_R, family, **at)
            by_transition = number(transfer.INFORMATION_P, family, **at)
            total = number(transfer.INFORMATION, family, **at)
            assert total == max(by_reward, by_transition)
            assert 0 <= total <= 1
            assert one != other or total == 0


@settings(max_examples=30)
@given(families)
def test_the_three_argument_gap_agrees_where_the_value_is_the_targets(family: Family) -> None:
    """With the target as the only θ' the two readings of Lemma 4 are one."""
    values, domains = family
    alone = (values, {**domains, "Theta": [0]})
    at: dict[str, Table] = {"theta": 1, "s": 0, "a": 0}
    printed = number(appendix_b.N_BAR, alone, **at)
    assert printed == number(appendix_b.N_BAR_REPAIRED, alone, **at)


# Single cases worked out by hand.


def test_one_silent_model_per_pair_makes_the_printed_theorem_empty() -> None:
    """Each of two pairs is silent about one of two models: max-min is 0, min-max is not."""
    info: Table = [[[[0.0, 0.0]], [[0.75, 0.0]], [[0.0, 0.75]]]]
    at: dict[str, Table] = {
        "S": 1,
        "A": 2,
        "k": 3,
        "n": 100,
        "delta": 0.5,
        "theta_star": 0,
        "info": info,
    }
    sets = {"States": [0], "Actions": [0, 1], "Theta_eps": [1, 2], "Theta_s": [1, 2]}
    assert evaluate(transfer.THEOREM_1, at, sets).value == Decimal("Infinity")
    repaired = evaluate(transfer.THEOREM_1_REPAIRED, at, sets)
    assert float(repaired.value) == near(128 * 2 * math.log(8 * 2 * 100 * 4 / 0.5) / 0.75)


def test_nothing_to_eliminate_costs_nothing() -> None:
    at: dict[str, Table] = {
        "S": 1,
        "A": 1,
        "k": 1,
        "n": 10,
        "delta": 0.5,
        "theta_star": 0,
        "info": [[[[0.0]]]],
    }
    sets: dict[str, list[int]] = {"States": [0], "Actions": [0], "Theta_eps": [], "Theta_s": []}
    assert evaluate(transfer.THEOREM_1, at, sets).value == 0
    assert evaluate(transfer.THEOREM_1_REPAIRED, at, sets).value == 0


def test_a_vanishing_deviation_leaves_the_linear_term() -> None:
    at: dict[str, Table] = {
        "theta": 0,
        "theta_prime": 1,
        "s": 0,
        "a": 0,
        "Delta": 0.0625,
        "r_tilde": [[[1.0]], [[0.25]]],
        "sigma_r_tilde": [[[0.0]]],
    }
    assert evaluate(transfer.INFORMATION_R, at).value == Decimal("0.25")
    assert evaluate(transfer.INFORMATION_R, {**at, "sigma_r_tilde": [[[1.0]]]}).value == Decimal(
        "0.0625"
    )
    assert evaluate(transfer.INFORMATION_R, {**at, "Delta": 0.125}).value == 0


def test_the_dropped_argument_changes_the_number_of_samples() -> None:
    """Lemma 4 at a state whose two successors are alike for a third model and unlike for the rest.

    γ = 1/2. The target goes to the good state with probability 1/2, θ with 0.55; Ṽ* is 2 and 0
    there for both, and 1, 1 for the third model, whose deviation is therefore 0. As printed, 20
    samples (times 32 L) seem enough; with the gap of the same θ' it takes 99.
    """
    at: dict[str, Table] = {
        "S": 3,
        "A": 1,
        "k": 3,
        "n": 20000,
        "delta": 0.1,
        "gamma": 0.5,
        "Delta": 0,
        "theta": 1,
        "theta_star": 0,
        "s": 0,
        "a": 0,
        "r_tilde": [[[0.5]]] * 3,
        "sigma_r_tilde": [[[0.0]]] * 3,
        "p_tilde": [[[[0, 0.5, 0.5]]], [[[0, 0.55, 0.45]]], [[[0, 0.5, 0.5]]]],
        "V_tilde": [[1, 2, 0], [1, 2, 0], [1, 1, 1]],
        "sigma_p_tilde": [[[[1, 1, 0]]], [[[math.sqrt(0.99), math.sqrt(0.99), 0]]], [[[1, 1, 0]]]],
    }
    sets = {"States": [0, 1, 2], "Theta": [0, 1, 2], "Theta_bar": [0, 1, 2]}
    scale = 32 * math.log(8 * 3 * 20000 * 4 / 0.1)
    assert float(evaluate(appendix_b.N_BAR, at, sets).value) == near(20 * scale)
    assert float(evaluate(appendix_b.N_BAR_REPAIRED, at, sets).value) == near(99 * scale)
    assert evaluate(appendix_b.N_BAR_R, at, sets).value == Decimal("Infinity")


def test_the_empirical_model_is_mean_frequency_and_sample_deviation() -> None:
    rewards = [0.25, 1.0, 0.5, 0.5]
    successors = [0, 1, 1, 1]
    at: dict[str, Table] = {
        "s": 0,
        "a": 0,
        "s_prime": 1,
        "theta_prime": 0,
        "U_data": rewards,
        "hit": [[float(state == seen) for state in (0, 1)] for seen in successors],
        "N": [[4]],
        "r_hat": [[statistics.mean(rewards)]],
        "p_hat": [[[0.25, 0.75]]],
        "V_tilde": [[2.0, 6.0]],
    }
    sets = {"Data": range(4), "States": [0, 1]}
    found = {
        name: float(evaluate(getattr(transfer, name), at, sets).value)
        for name in (
            "EMPIRICAL_REWARD",
            "EMPIRICAL_TRANSITION",
            "EMPIRICAL_SIGMA_R",
            "EMPIRICAL_SIGMA_P",
        )
    }
    assert found["EMPIRICAL_REWARD"] == statistics.mean(rewards)
    assert found["EMPIRICAL_TRANSITION"] == 0.75
    assert found["EMPIRICAL_SIGMA_R"] == near(statistics.stdev(rewards))
    assert found["EMPIRICAL_SIGMA_P"] == near(statistics.stdev([2, 6, 6, 6]))


def test_the_widths_are_those_of_two_samples_worked_out() -> None:
    at: dict[str, Table] = {
        "S": 1,
        "A": 1,
        "k": 1,
        "n": 2,
        "delta": 0.5,
        "gamma": 0.5,
        "s": 0,
        "a": 0,
        "theta_prime": 0,
        "N": [[2]],
        "sigma_r_hat": [[0.5]],
        "sigma_p_hat": [[[1.0]]],
        "Delta_r": 0.1,
        "Delta_p": 0.2,
        "Delta_sigma_r": 0.3,
        "Delta_sigma_p": 0.4,
    }
    log_term, log_term_sigma = math.log(64), math.log(32)
    expected = {
        appendix_b.WIDTH_R: math.sqrt(0.25 * log_term) + 7 / 3 * log_term + 0.1,
        appendix_b.WIDTH_P: math.sqrt(log_term) + 14 / 3 * log_term + 0.2,
        appendix_b.WIDTH_SIGMA_R: math.sqrt(2 * log_term_sigma) + 0.3,
        appendix_b.WIDTH_SIGMA_P: 2 * math.sqrt(2 * log_term_sigma) + 0.4,
    }
    for formula, width in expected.items():
        assert float(evaluate(formula, at).value) == near(width)


# Other relations between formulas.


def test_the_repaired_concentration_lemmas_are_the_printed_ones_for_the_width() -> None:
    c = symbol("c")
    for printed, repaired in (
        (appendix_b.BERNSTEIN, appendix_b.BERNSTEIN_REPAIRED),
        (appendix_b.EMPIRICAL_BERNSTEIN, appendix_b.EMPIRICAL_BERNSTEIN_REPAIRED),
    ):
        assert term(repaired).substitute({"width": c}).equals(term(printed))
        assert not term(repaired).substitute({"width": 2 * c}).equals(term(printed))


def test_the_value_error_is_twice_the_simulation_bound() -> None:
    once, twice = term(appendix_b.SIMULATION_OPTIMAL), term(appendix_b.VALUE_ERROR)
    assert twice.equals(2 * once)


def test_the_repaired_assumption_covers_the_printed_transition_line() -> None:
    """A policy value that differs from the optimal one makes the repaired line larger."""
    at: dict[str, Table] = {
        "p": [[[[1.0, 0.0]], [[1.0, 0.0]]]],
        "p_tilde": [[[[1.0, 0.0]], [[0.5, 0.5]]]],
        "V_tilde": [[1.0, 1.0]],
        "V_tilde_of": [[[1.0, 0.5]]],
    }
    sets = {"States": [0, 1], "Actions": [0], "Theta": [0], "Policies": [0]}
    assert evaluate(transfer.ASSUMPTION_1_P, at, sets).value == 0
    assert evaluate(transfer.ASSUMPTION_1_P_REPAIRED, at, sets).value == Decimal("0.25")


def test_the_repaired_deviation_line_takes_the_approximate_value() -> None:
    """With the true value the two deviations agree; with the approximate one they do not."""
    at: dict[str, Table] = {
        "p": [[[[0.5, 0.5]]] * 2],
        "V_tilde": [[0.0, 4.0]],
        "sigma_p": [[[[1.0]]] * 2],
        "sigma_p_tilde": [[[[1.0]]] * 2],
    }
    sets = {"States": [0, 1], "Actions": [0], "Theta": [0]}
    assert evaluate(transfer.ASSUMPTION_1_SIGMA_P, at, sets).value == 0
    assert evaluate(transfer.ASSUMPTION_1_SIGMA_P_REPAIRED, at, sets).value == 1


def test_the_repaired_corollary_switches_from_gap_to_accuracy() -> None:
    """Γ decides while 1000/Γ² is the smaller: from Γ = ε(1-γ)/4 on."""
    at: dict[str, Table] = {"S": 9, "A": 9, "k": 2, "n": 10, "delta": 0.5, "gamma": 0.5}
    log_term = math.log(8 * 81 * 10 * 3 / 0.5)
    by_gap = evaluate(transfer.COROLLARY_1_REPAIRED, {**at, "epsilon": 0.5, "Gamma": 0.25}).value
    by_accuracy = evaluate(transfer.COROLLARY_1_REPAIRED, {**at, "epsilon": 0.5, "Gamma": 0}).value
    assert float(by_gap) == near(log_term * 1000 / (0.25 * 0.0625))
    assert float(by_accuracy) == near(log_term * 16000 / (0.0625 * 0.25))
    rate = evaluate(transfer.COROLLARY_1, {**at, "epsilon": 0.5, "Gamma": 0.25}).value
    assert float(rate) == near(2 * math.log(2) / (0.25 * 0.0625))


def test_the_smallest_gap_of_two_bandits() -> None:
    at: dict[str, Table] = {
        "theta_star": 0,
        "r_tilde": [[[0.0, 0.5]], [[0.25, 0.5]], [[0.0, 1.0]]],
        "p_tilde": [[[[1.0], [1.0]]]] * 3,
        "V_tilde": [[1.0]] * 3,
    }
    sets = {"States": [0], "Actions": [0, 1], "Others": [1, 2]}
    assert evaluate(transfer.GAMMA_GAP, at, sets).value == Decimal("0.25")


def test_section_two_on_one_coin() -> None:
    at: dict[str, Table] = {
        "theta": 0,
        "theta_prime": 1,
        "s": 0,
        "a": 0,
        "q": [[[[0.5, 0.5]]]],
        "reward": [0.0, 1.0],
        "r": [[[0.5]], [[0.25]]],
        "p": [[[[0.5, 0.5]]], [[[1.0, 0.0]]]],
        "V_star": [[2.0, 4.0], [0.0, 8.0]],
    }
    sets = {"Rewards": [0, 1], "States": [0, 1]}
    expected = {
        preliminaries.MEAN_REWARD: "0.5",
        preliminaries.SIGMA_R: "0.5",
        preliminaries.SIGMA_P: "4",
        preliminaries.GAP_R: "0.25",
        preliminaries.GAP_P: "1",
    }
    for formula, by_hand in expected.items():
        assert evaluate(formula, at, sets).value == Decimal(by_hand)
