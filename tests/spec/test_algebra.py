"""`spec/algebra` itself: numbers, rounding bounds, conventions, conditions, print, errors."""

from __future__ import annotations

import functools
import math
import operator
import random
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptum.spec.algebra import (
    PI,
    Array,
    Condition,
    Formula,
    Index,
    Sign,
    Table,
    Term,
    absolute,
    decide,
    evaluate,
    largest,
    log,
    max_over,
    min_over,
    positive_part,
    rational,
    smallest,
    sqrt,
    sum_over,
    symbol,
    to_latex,
    to_unicode,
    with_numbers,
)

x, y, z = symbol("x"), symbol("y"), symbol("z")
table = Array("table")
i, j = Index("i", "I"), Index("j", "J")


def equation(right: Term | Condition) -> Formula:
    """Any right side, as a formula."""
    return Formula("f", Sign.EQUALS, right)


def value(right: Term, **values: Table) -> Decimal:
    """The number a term has at a point, over I = {0, 1} and J = {0, 1, 2}."""
    return evaluate(equation(right), values, {"I": [0, 1], "J": [0, 1, 2]}).value


def rounding(right: Term, **values: Table) -> Decimal:
    """The rounding bound of a term at a point."""
    return evaluate(equation(right), values, {"I": [0, 1], "J": [0, 1, 2]}).rounding


# Numbers, against arithmetic done by hand.


@pytest.mark.parametrize(
    ("term", "by_hand"),
    [
        (x + y - 2 * z, "-1"),
        (3 - x, "2.5"),
        (-x + 1, "0.5"),
        (x * y / z, "0.25"),
        (1 / x, "2"),
        (3 / x, "6"),
        (x**2 / y**3, "2"),
        ((x / y) ** 2, "1"),
        (x + rational(3, 4), "1.25"),
        (sqrt(x / 2), "0.5"),
        ((x / 2) ** rational(-1, 2), "2"),
        (sqrt(2 * x), "1"),
        (log(2 * x), "0"),
        (absolute(x - z), "0.5"),
        (absolute(z - x), "0.5"),
        (positive_part(x - 3), "0"),
        (positive_part(3 - x), "2.5"),
        (largest(x, z, 0), "1"),
        (smallest(x, z, 0), "0"),
    ],
)
def test_a_term_has_the_value_computed_by_hand(term: Term, by_hand: str) -> None:
    assert value(term, x=0.5, y=0.5, z=1) == Decimal(by_hand)


def test_operations_over_sets_have_the_value_computed_by_hand() -> None:
    numbers: Table = [[1, -2, 4], [3, 0.5, -8]]
    assert value(max_over(table[i, j], i, j), table=numbers) == 4
    assert value(min_over(table[i, j], i, j), table=numbers) == -8
    assert value(sum_over(table[i, j], i, j), table=numbers) == Decimal("-1.5")
    assert value(max_over(min_over(table[i, j], j), i), table=numbers) == -2
    assert value(min_over(max_over(table[i, j], j), i), table=numbers) == 3
    assert value(sum_over(table[i, j], j), table=numbers, i=1) == Decimal("-4.5")


def test_an_inner_index_hides_an_outer_one_of_the_same_name() -> None:
    column = Array("column")
    nested = sum_over(column[j] * sum_over(column[j], j), j)
    assert value(nested, column=[1, 2, 3]) == 36


def test_values_have_as_many_digits_as_asked() -> None:
    root = evaluate(equation(sqrt(x)), {"x": 2}, digits=40).value
    assert str(root).startswith("1.414213562373095048801688724209698078")
    assert str(evaluate(equation(PI * 1), {}).value).startswith(
        "3.14159265358979323846264338327950288"
    )


def test_large_integers_carry_the_rounding_of_their_entry() -> None:
    assert rounding(x * 1, x=2**53) < rounding(x * 1, x=2**53 + 1)


# The rounding bound, against doubles.


class OutOfRange(Exception):
    """A double-precision step left the numbers for which the bound is promised."""


@dataclass(frozen=True)
class Paired:
    """The same expression twice: as a term, and as a computation in doubles."""

    term: Term
    double: Callable[[dict[str, float]], float]


def in_range(number: float) -> float:
    """Only numbers far from overflow and underflow, zero and infinity come back."""
    if math.isnan(number) or (
        number and not math.isinf(number) and not 1e-120 < abs(number) < 1e120
    ):
        raise OutOfRange
    return number


def times(one: float, other: float) -> float:
    """The project's product: nothing times infinity is nothing."""
    return 0.0 if one == 0 or other == 0 else one * other


def inverse(number: float) -> float:
    """The project's inverse: one over nothing is infinity."""
    return math.inf if number == 0 else 1 / number


def applied(build: Callable[..., Term], compute: Callable[..., float], *operands: Paired) -> Paired:
    """An operation on paired expressions."""

    def double(at: dict[str, float]) -> float:
        return in_range(compute(*(operand.double(at) for operand in operands)))

    return Paired(build(*(operand.term for operand in operands)), double)


def leaf(name: str) -> Paired:
    """A symbol."""
    return Paired(symbol(name), lambda at: at[name])


def constant(number: int) -> Paired:
    """A small whole number."""
    return Paired(rational(number, 1), lambda _at: float(number))


UNARY: tuple[tuple[Callable[[Term], Term], Callable[[float], float]], ...] = (
    (lambda t: -t, lambda v: -v),
    (lambda t: 1 / t, inverse),
    (lambda t: t**2, lambda v: v * v),
    (lambda t: t**-2, lambda v: inverse(v * v)),
    (lambda t: sqrt(absolute(t)), lambda v: math.sqrt(abs(v))),
    (lambda t: log(1 + absolute(t)), lambda v: math.log(1 + abs(v))),
    (absolute, abs),
    (positive_part, lambda v: max(v, 0.0)),
)
BINARY: tuple[tuple[Callable[[Term, Term], Term], Callable[[float, float], float]], ...] = (
    (lambda s, t: s + t, lambda v, w: v + w),
    (lambda s, t: s - t, lambda v, w: v - w),
    (lambda s, t: s * t, times),
    (lambda s, t: s / t, lambda v, w: times(v, inverse(w))),
    (lambda s, t: largest(s, t), max),
    (lambda s, t: smallest(s, t), min),
)


def grown(children: st.SearchStrategy[Paired]) -> st.SearchStrategy[Paired]:
    """Operations on smaller expressions."""
    return st.one_of(
        st.tuples(st.sampled_from(UNARY), children).map(lambda t: applied(*t[0], t[1])),
        st.tuples(st.sampled_from(BINARY), children, children).map(
            lambda t: applied(*t[0], t[1], t[2])
        ),
    )


LEAVES = st.one_of(st.sampled_from("xyz").map(leaf), st.integers(-3, 9).map(constant))
EXPRESSIONS = st.recursive(LEAVES, grown, max_leaves=10)


def drawn_number(chance: random.Random) -> float:
    """Zeros and ones, numbers that binary cannot write, and numbers of many sizes."""
    if chance.random() < 0.3:
        return chance.choice([0.0, 1.0, -1.0, 0.1, 0.3, 1 / 3, 1e6 + 0.1])
    return chance.choice([-1, 1]) * 10 ** chance.uniform(-6, 3)


def check_bound(expression: Paired, at: dict[str, float]) -> None:
    """Compare one evaluation in doubles with the exact value."""
    try:
        double = expression.double(at)
    except OutOfRange:
        return
    exact = evaluate(equation(expression.term), at)
    if exact.rounding.is_infinite():
        return
    if exact.value.is_infinite() or math.isinf(double):
        assert Decimal(double) == exact.value
    else:
        assert abs(Decimal(double) - exact.value) <= exact.rounding


ALONE: dict[str, tuple[Callable[[Term], Term], Callable[[float], float]]] = {
    "logarithm": (log, math.log),
    "root": (sqrt, math.sqrt),
    "inverse": (lambda t: 1 / t, lambda v: 1 / v),
    "square": (lambda t: t**2, lambda v: v * v),
    "product": (lambda t: 3 * t, lambda v: 3 * v),
    "sum": (lambda t: t + 1, lambda v: v + 1),
}


@pytest.mark.parametrize("name", ALONE)
def test_the_rounding_bound_covers_one_operation_on_what_is_given(name: str) -> None:
    """Nothing is lost before, so nothing else can cover what this operation loses."""
    build, compute = ALONE[name]
    chance, lost = random.Random(0), 0
    for _ in range(50):
        at = chance.uniform(0.001, 9)
        exact = evaluate(equation(build(x)), {"x": at})
        off = abs(Decimal(compute(at)) - exact.value)
        assert off <= exact.rounding
        lost += off > 0
    assert lost > 0


@pytest.mark.slow
@settings(max_examples=400)
@given(EXPRESSIONS, st.randoms(use_true_random=False))
def test_the_rounding_bound_covers_doubles(expression: Paired, chance: random.Random) -> None:
    for _ in range(10):
        check_bound(expression, {name: drawn_number(chance) for name in "xyz"})


@pytest.mark.slow
@settings(max_examples=200)
@given(st.integers(1, 30), st.randoms(use_true_random=False))
def test_the_rounding_bound_covers_sums_and_products_in_any_order(
    length: int, chance: random.Random
) -> None:
    numbers = [drawn_number(chance) for _ in range(length)]
    names = [f"x{position}" for position in range(length)]
    domain = {"K": range(length)}
    index = Index("k", "K")
    total = evaluate(equation(sum_over(table[index], index)), {"table": numbers}, domain)
    whole = math.prod((symbol(name) for name in names), start=rational(1, 1))
    product = evaluate(equation(whole), dict(zip(names, numbers, strict=True)))
    for _ in range(10):
        chance.shuffle(numbers)
        added = functools.reduce(operator.add, numbers)
        assert abs(Decimal(added) - total.value) <= total.rounding
        multiplied = functools.reduce(operator.mul, numbers)
        assert abs(Decimal(multiplied) - product.value) <= product.rounding


@settings(max_examples=200)
@given(st.randoms(use_true_random=False))
def test_a_product_is_charged_a_rounding_for_each_multiplication(chance: random.Random) -> None:
    product = evaluate(equation(x * y * z), {name: drawn_number(chance) for name in "xyz"})
    last_digits = 1 + Decimal("1e-25")  # of the bound itself
    assert product.rounding <= abs(product.value) * Decimal(2 * 2.0**-52) * last_digits


def test_the_rounding_bound_sees_cancellation() -> None:
    far, near = rounding(x + y - z, x=1.0, y=0.1, z=3.0), rounding(x + y - x, x=1e9, y=0.1)
    assert near > 10**8 * far > 0


def test_inputs_and_exact_choices_carry_no_rounding() -> None:
    assert rounding(largest(x, y, absolute(z)), x=0.1, y=0.2, z=-0.3) == 0
    assert rounding(positive_part(x - 1), x=0.25) == 0


def test_a_denominator_that_rounding_may_turn_to_zero_has_no_bound() -> None:
    unsure = evaluate(equation(1 / (x + y - z)), {"x": 0.1, "y": 0.2, "z": 0.3})
    assert unsure.value.is_finite()
    assert unsure.rounding == Decimal("Infinity")


def test_a_choice_can_settle_what_a_denominator_left_open() -> None:
    bounded = smallest(positive_part(x + y - z) ** 2 / 0, positive_part(x + y - z))
    excess = evaluate(equation(bounded), {"x": 0.1, "y": 0.2, "z": 0.3})
    assert excess.rounding < Decimal("1e-15")


# Conventions.


@pytest.mark.parametrize(
    ("term", "convention"),
    [
        (1 / x, "Infinity"),
        (-1 / x, "-Infinity"),
        (1 / x**2, "Infinity"),
        (1 / sqrt(x), "Infinity"),
        (x / x, "0"),
        (x * (1 / x), "0"),
        ((x / y) ** 2, "0"),
        (x * (1 / x) * (1 / x), "0"),
        (1 / (1 / x), "0"),
        (smallest(1 / x, y), "2"),
        (largest(1 / x, y), "Infinity"),
        (log(x), "-Infinity"),
        (1 / x + y, "Infinity"),
        (1 / x - 1 / x, "NaN"),
    ],
)
def test_zero_and_infinity_follow_the_conventions(term: Term, convention: str) -> None:
    found = value(term, x=0.0, y=2.0)
    assert found.is_nan() if convention == "NaN" else found == Decimal(convention)


def test_empty_sets_follow_the_conventions() -> None:
    nothing: dict[str, list[int]] = {"I": []}

    def over_nothing(term: Term) -> Decimal:
        return evaluate(equation(term), {"table": []}, nothing).value

    assert over_nothing(max_over(table[i], i)) == Decimal("-Infinity")
    assert over_nothing(min_over(table[i], i)) == Decimal("Infinity")
    assert over_nothing(sum_over(table[i], i)) == 0
    assert over_nothing(1 / min_over(table[i], i)) == 0


def test_a_radicand_below_zero_by_rounding_alone_counts_as_zero() -> None:
    assert value(sqrt(x + y - z), x=0.1, y=0.7, z=0.8) == 0
    with pytest.raises(ValueError, match="square root of a negative"):
        value(sqrt(x), x=-1.0)
    with pytest.raises(ValueError, match="logarithm of a negative"):
        value(log(x), x=-1.0)


# Conditions.


def decided(condition: Condition, **values: Table) -> tuple[bool, bool]:
    """Whether it holds, and whether that is clear."""
    answer = decide(equation(condition), values, {"I": [0, 1]})
    return answer.holds, answer.clear


@pytest.mark.parametrize(
    ("condition", "below", "equal", "above"),
    [
        (x < y, True, False, False),
        (x <= y, True, True, False),
        (x > y, False, False, True),
        (x >= y, False, True, True),
    ],
)
def test_comparisons_of_inputs_are_exact(
    condition: Condition, below: bool, equal: bool, above: bool
) -> None:
    assert decided(condition, x=1, y=2) == (below, True)
    assert decided(condition, x=2, y=2) == (equal, True)
    assert decided(condition, x=3, y=2) == (above, True)


def test_a_comparison_within_rounding_is_not_clear() -> None:
    assert decided(x + y > z, x=0.1, y=0.2, z=0.3) == (True, False)
    assert decided(x + y > z, x=0.1, y=0.2, z=0.31) == (False, True)


def test_infinite_sides_are_clear() -> None:
    assert decided(1 / x > y, x=0, y=5) == (True, True)
    assert decided(y > 1 / x, x=0, y=5) == (False, True)
    assert decided(1 / x >= 1 / x, x=0) == (True, True)


def test_no_number_decides_nothing() -> None:
    assert decided(1 / x - 1 / x > y, x=0, y=0) == (False, False)


def test_or_and_and_are_clear_when_one_side_settles_them() -> None:
    unclear, true, false = x + y > z, x > 0, x > 1
    at = {"x": 0.1, "y": 0.2, "z": 0.3}
    assert decided(unclear | true, **at) == (True, True)
    assert decided(unclear | false, **at) == (True, False)
    assert decided(unclear & false, **at) == (False, True)
    assert decided(unclear & true, **at) == (True, False)
    assert decided(true & true & true, **at) == (True, True)
    assert decided(false | false | true, **at) == (True, True)


def test_conditions_reach_over_sets() -> None:
    assert decided(max_over(table[i], i) > x, table=[1, 3], x=2) == (True, True)


# Print.


@pytest.mark.parametrize(
    ("right", "unicode", "latex"),
    [
        (x, "f = x", r"f = \mathrm{x}"),
        (rational(-1, 3), "      1\nf = -───\n      3", r"f = -\frac{1}{3}"),
        (PI, "f = π", r"f = \pi"),
        (x - y + 1, "f = x - y + 1", r"f = \mathrm{x} - \mathrm{y} + 1"),
        (x - (y - z), "f = x - (y - z)", None),
        (-x * y, "f = -x·y", None),
        (-(x + y), "f = -(x + y)", None),
        (4 * (1 + x), "f = 4·(1 + x)", r"f = 4 \left( 1 + \mathrm{x} \right)"),
        (
            x / (y * z),
            "      x\nf = ─────\n     y·z",
            r"f = \frac{\mathrm{x}}{\mathrm{y} \mathrm{z}}",
        ),
        ((x / y) ** 2, "    ⎛ x ⎞²\nf = ⎜───⎟\n    ⎝ y ⎠", None),
        (x**-2, "     1\nf = ────\n     x²", r"f = \frac{1}{\mathrm{x}^{2}}"),
        (sqrt(x), "f = √x", r"f = \sqrt{\mathrm{x}}"),
        (sqrt(x + y), "f = √(x + y)", None),
        (sqrt(1 / x), "    ┌───\n    │ 1\nf = │───\n    ⎷ x", None),
        (log(x + 1), "f = log(x + 1)", r"f = \log\left( \mathrm{x} + 1 \right)"),
        (absolute(x - y), "f = |x - y|", r"f = \left| \mathrm{x} - \mathrm{y} \right|"),
        (positive_part(x) ** 2, "f = [x]₊²", r"f = \left[ \mathrm{x} \right]_+^{2}"),
        (largest(y, x), "f = max{y, x}", r"f = \max\left\{ \mathrm{y}, \mathrm{x} \right\}"),
        (smallest(x, 1), "f = min{x, 1}", r"f = \min\left\{ \mathrm{x}, 1 \right\}"),
        (table[i, j], "f = table(i,j)", r"f = \mathrm{table}(\mathrm{i}, j)"),
        (
            max_over(table[i], i),
            "f = max table(i)\n    i∈I",
            r"f = \max_{\mathrm{i} \in \mathrm{I}} \mathrm{table}(\mathrm{i})",
        ),
        (min_over(x + table[i], i), "f = min (x + table(i))\n    i∈I", None),
        (sum_over(table[i], i) + x, "f = ⎛ Σ  table(i)⎞ + x\n    ⎝i∈I         ⎠", None),
        (x + sum_over(table[i], i), "f = x +  Σ  table(i)\n        i∈I", None),
        (x * sum_over(table[i], i), "f = x· Σ  table(i)\n      i∈I", None),
        (
            sum_over(table[i, Index("i2", "I"), j], i, Index("i2", "I"), j),
            "f =      Σ      table(i,i2,j)\n    i,i2∈I, j∈J",
            None,
        ),
        (x > y, "f = x > y", r"f = \mathrm{x} > \mathrm{y}"),
        ((x < y) | (y <= z), "f = x < y ∨ y ≤ z", None),
        (((x < y) | (y <= z)) & (x >= z), "f = (x < y ∨ y ≤ z) ∧ x ≥ z", None),
    ],
)
def test_every_node_is_printed(right: Term | Condition, unicode: str, latex: str | None) -> None:
    assert to_unicode(equation(right)) == unicode
    assert latex is None or to_latex(equation(right)) == latex
    assert to_latex(equation(right)).count("{") == to_latex(equation(right)).count("}")


def test_listed_symbols_are_printed_as_the_paper_writes_them() -> None:
    theta, s, a, after = (Index(n, "") for n in ("theta", "s", "a", "s_prime"))
    entry = equation(Array("p_tilde")[theta, s, a, after])
    assert to_unicode(entry) == "f = p̃_θ(s'|s,a)"
    assert to_latex(entry) == r"f = \tilde{p}_{\theta}(s' \mid s, a)"


def test_two_entries_of_one_table_may_have_numbers_of_their_own() -> None:
    theta, theta_prime, s = (Index(n, "") for n in ("theta", "theta_prime", "s"))
    gap = equation(Array("x")[theta, s] - Array("x")[theta_prime, s])
    assert with_numbers(gap, {"x": "1"}) == "f = 1 - 1"
    assert with_numbers(gap, {"x[theta,s]": "2", "x": "1"}) == "f = 2 - 1"
    assert with_numbers(gap, {"x[theta_prime,s]": "0"}).endswith(" - 0")


def test_long_choices_are_stacked() -> None:
    wide = sum((symbol(f"a_long_name_{n}") for n in range(4)), symbol("start"))
    assert to_unicode(equation(largest(wide, x / y, 1))).split("\n") == [
        "       ⎧start + a_long_name_0 + a_long_name_1 + a_long_name_2 + a_long_name_3,⎫",
        "       ⎪                                                                      ⎪",
        "       ⎪ x                                                                    ⎪",
        "f = max⎨───,                                                                  ⎬",
        "       ⎪ y                                                                    ⎪",
        "       ⎪                                                                      ⎪",
        "       ⎩1                                                                     ⎭",
    ]


@pytest.mark.parametrize(
    ("left", "latex"),
    [
        ("σ̂ʳₜ(s,a)²", r"\hat{\sigma}^{r}_{t}(s,a)^{2}"),
        ("|V*_θ(s) - V*_θ'(s)|", r"|V^{*}_{\theta}(s) - V^{*}_{\theta'}(s)|"),
        ("κ_ε", r"\kappa_{\epsilon}"),
        ("c_{h,δ'}", r"c_{h,\delta'}"),
        ("Ṽ^π", r"\tilde{V}^{\pi}"),
        ("model error after h tasks", r"\text{model error after }h\text{ tasks}"),
    ],
)
def test_left_sides_are_spelt_in_latex(left: str, latex: str) -> None:
    assert to_latex(Formula(left, Sign.AT_MOST, x)) == latex + r" \leq \mathrm{x}"


# Trees.


def test_terms_stay_as_written() -> None:
    assert to_unicode(equation(2 * (x + y) * x)) == "f = 2·(x + y)·x"
    assert to_unicode(equation(y + x + y)) == "f = y + x + y"


def test_free_names_and_sets_are_reported() -> None:
    term = x * max_over(table[i, j] - sum_over(table[i, j], j), i)
    assert term.symbols() == {"x", "table", "j"}
    assert term.domains() == {"I", "J"}
    condition = (term > y) | (x < z)
    assert equation(condition).symbols() == {"x", "y", "z", "table", "j"}
    assert equation(condition).domains() == {"I", "J"}


def test_substitution_replaces_scalars_only() -> None:
    term = x * sum_over(table[i] * x, i)
    replaced = term.substitute({"x": y + 1, "i": 7})
    assert to_unicode(equation(replaced)) == "f = (y + 1)· Σ  table(i)·(y + 1)\n            i∈I"
    assert decided((x > y).substitute({"y": 1}), x=2) == (True, True)


def test_exponents_must_be_constants() -> None:
    with pytest.raises(TypeError, match="rational constants"):
        x**y


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ((x + y) ** 2, x**2 + 2 * x * y + y**2, True),
        (x / (1 / y), x * y, True),
        (sqrt(x**2), x, True),
        (absolute(x), x, True),
        (positive_part(x + y), x + y, True),
        (largest(x, y, x), largest(y, x), True),
        (log(x * y), log(x) + log(y), True),
        (max_over(table[i] + table[i], i), max_over(2 * table[i], i), True),
        (x + 0, x, True),
        ((x + y) ** 2, x**2 + y**2, False),
        (x, x + 1, False),
        (table[i], table[j], False),
    ],
)
def test_equality_is_proved_for_positive_arguments(one: Term, other: Term, same: bool) -> None:
    assert one.equals(other) is same


def test_a_term_equals_an_integer() -> None:
    assert (x / x + 1).equals(2)


# Errors.


def test_a_missing_value_is_named() -> None:
    with pytest.raises(KeyError, match="no value given for y; given: x"):
        evaluate(equation(x + y), {"x": 1})


def test_a_missing_set_is_named() -> None:
    with pytest.raises(KeyError, match="no values given for the set I"):
        evaluate(equation(sum_over(table[i], i)), {"table": [1]})


def test_numbers_and_conditions_are_not_confused() -> None:
    with pytest.raises(TypeError, match="use `decide`"):
        evaluate(equation(x > y), {})
    with pytest.raises(TypeError, match="use `evaluate`"):
        decide(equation(x), {})


def test_misshapen_tables_are_refused() -> None:
    with pytest.raises(TypeError, match="x is used as a number"):
        value(x * 1, x=[1])
    with pytest.raises(TypeError, match="table has more dimensions"):
        value(sum_over(table[i], i), table=[[1], [2]])
    with pytest.raises(TypeError, match="table has no entry at j = 0"):
        value(sum_over(table[i, j], i, j), table=[1, 2])
    with pytest.raises(IndexError, match="table has no entry at i = 1"):
        value(sum_over(table[i], i), table=[1])
    with pytest.raises(TypeError, match="i is used as an index"):
        value(table[i] * 1, table=[1], i=0.5)
