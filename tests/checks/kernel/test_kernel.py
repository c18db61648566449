"""The kernel itself: its size, its imports, how it runs, its arithmetic, what it refuses."""

from __future__ import annotations

import ast
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ptum.checks.kernel import arithmetic as ar
from ptum.checks.kernel import certificate
from ptum.checks.kernel.certificate import check, table
from ptum.checks.kernel.formulas import FUNCTIONS, Refused, holds, parsed
from ptum.checks.suite import certificates
from ptum.reference.arrays import ROUNDING

HERE = Path(certificate.__file__).parent
MODULES = sorted(HERE.glob("*.py"))
MOST_LINES = 500
ALLOWED = {
    "__future__", "ast", "collections", "dataclasses", "fractions", "functools", "hashlib",
    "importlib", "itertools", "json", "math", "pathlib", "re", "signal", "sys", "typing",
}  # fmt: skip
E01 = certificates.STORED / "E01-lemma-7.positive-bandit.json"


def test_can_be_read_in_one_sitting() -> None:
    """Lines as `wc -l` counts them: blank ones, comments and docstrings as well."""
    lines = [path.read_text(encoding="utf-8").count("\n") for path in MODULES]
    assert sum(lines) <= MOST_LINES


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.name))
def test_imports_nothing_but_the_standard_library(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= ALLOWED
        if isinstance(node, ast.ImportFrom):
            assert node.level == 1 or (node.module or "").split(".")[0] in ALLOWED
            assert node.level <= 1
        assert not (isinstance(node, ast.Name) and node.id in ("eval", "exec", "compile", "float"))


def run(
    folder: Path, *files: str | Path, stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", str(folder), *map(str, files)]
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)


def test_runs_as_a_directory_that_was_copied_away(tmp_path: Path) -> None:
    folder = tmp_path / "a-kernel"
    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    files = sorted((folder / "certificates").iterdir())
    done = run(folder, *files)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(": accepted (printed refuted, repaired ") == len(files) >= 30


def test_ends_quietly_when_its_reader_has_enough() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run(HERE, E01, stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, "")


def test_a_package_of_the_same_name_is_not_taken_for_it(tmp_path: Path) -> None:
    (tmp_path / "kernel").mkdir()
    (tmp_path / "kernel" / "__init__.py").write_text("raise SystemExit(9)", encoding="utf-8")
    command = [sys.executable, str(HERE), str(E01)]
    foreign = {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, env=foreign, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_says_in_one_line_what_is_wrong(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text(
        E01.read_text(encoding="utf-8").replace('"3/250"', '"3/251"', 1), encoding="utf-8"
    )
    done = run(HERE, wrong, tmp_path / "missing.json", E01)
    assert (done.returncode, done.stderr) == (1, "")
    assert [line.split(": ")[1].split(" ")[0] for line in done.stdout.splitlines()] == [
        "refused", "refused", "accepted",
    ]  # fmt: skip
    assert run(HERE).returncode == 2


def _of_e01(**fields: object) -> str:
    return json.dumps(json.loads(E01.read_text(encoding="utf-8")) | fields)


def _of(name: str, **fields: object) -> str:
    """A certificate whose instance has these fields, with the digest of that instance."""
    document = json.loads((certificates.STORED / f"{name}.json").read_text(encoding="utf-8"))
    instance = document["instance"] | fields
    return json.dumps(document | {"instance": instance, "sha256": certificate.digest(instance)})


def _of_instance(**fields: object) -> str:
    return _of(E01.stem, **fields)


SPARSE, STICKY, FIRST, NO_FLOOR = (
    "E36-text-sparse-T-helps.rule-cycle",
    "E38-lemma-15.bound-sticky-tasks",
    "E34-theorem-2.all-h-first-task",
    "E33-text-rate.rate-no-floor",
)
IDENTITY_17 = [[str(int(i == j)) for j in range(17)] for i in range(17)]
REFUSED = {
    "not a certificate: JSONDecodeError": {"nothing": "", "no JSON": "{"},
    "not a certificate: TypeError": {
        "null": "null",
        "a number": "1",
        "a list": "[]",
        "claims that are numbers": _of_e01(claims=[1]),
        "claims that are lists": _of_e01(claims=[[]]),
        "one number for a table": _of_instance(p="1"),
    },
    "not a certificate: KeyError": {"an empty object": "{}"},
    "not a certificate: RecursionError": {"deep nesting": "[" * 200_000 + "]" * 200_000},
    "a matrix is too large for its singular values": {
        "a large matrix": _of(
            "E28-lemma-11.inverse-norm-one-coin", O=[["1"] * 2] * 7, Σ_31_hat=[["1"] * 7] * 7
        )
    },
    "a field stands there twice": {
        "a field": E01.read_text(encoding="utf-8").replace('"γ"', '"γ": "9/10", "γ"', 1)
    },
    "'more' is not what is recomputed": {
        "a field more": _of_e01(more="1"),
        "a field more that is null": _of_e01(more=None),
        "a field more that is 0": _of_e01(more=0),
    },
    "'printed' is not what is recomputed": {"no statement": _of_e01(printed={}, repaired={})},
    "no such claims: ": {
        "no claims": _of_e01(claims=[]),
        "an unknown claim": _of_e01(claims=["lemma-7.positive/other"]),
        "another claim": _of_e01(claims=["lemma-9.optimal/staying"]),
        "claims that are text": _of_e01(claims="lemma-7.positive/bandit"),
    },
    "'sha256' is not that of the instance": {"another instance": _of_e01(instance={"γ": "9/10"})},
    "the instance must consist of γ ε Δ p r v": {
        "a list": _of_e01(instance=[], sha256=certificate.digest([])),  # type: ignore[arg-type]
        "a field more": _of_instance(n="1"),
    },
    "not a fraction in lowest terms, nor a table of them": {
        "deep nesting in an instance": _of_instance(r=json.loads("[" * 50 + "]" * 50)),
        "a float": _of_instance(Δ=0.012),
        "a number that is no text": _of_instance(ε=1),
        "NaN": _of_instance(ε=float("nan")),
        "text that is no number": _of_instance(Δ="__import__('os')"),
        "not in lowest terms": _of_instance(Δ="6/500"),
        "divided by zero": _of_instance(Δ="1/0"),
        "an exponent": _of_instance(Δ="1e-3"),
        "an empty table": _of_instance(p=[]),
        "a ragged table": _of_instance(r=[[["0", "59/100", "1/2"]], [["0"]]]),
    },
    "x > 0 is false of ρ_T": {"a negative constant": _of(STICKY, ρ_T="-1")},
    "x ≥ 1 is false of C": {"no constant": _of(NO_FLOOR, C="0")},
    "max(x) ≤ 1 is false of f": {"values above 1": _of(NO_FLOOR, f=["0", "1000"])},
    "the file is too large": {"blanks": " " * (certificate.LARGEST_FILE + 1)},
    "the instance has more than 2000 digits": {
        "a huge integer": _of_instance(ε="9" * 5000),
        "a huge JSON integer": _of_instance(ε=10**4000),
        "too many digits": _of_instance(ε="9" * (certificate.MOST_DIGITS + 1)),
        "too many arms": _of_instance(r=[[["1/2"] * certificate.MOST_DIGITS]] * 2),
    },
}
"""By the reason: any change of an instance moves some number, so a refusal alone says little."""


@pytest.mark.parametrize("why", REFUSED)
def test_refuses(why: str) -> None:
    for what, text in REFUSED[why].items():
        with pytest.raises(Refused) as refusal:
            check(text)
        assert why in str(refusal.value), what
        assert len(str(refusal.value)) < 200
        assert "\n" not in str(refusal.value)


CHAIN, LAW = (
    "E26-text-moment-identities.moments-printed-form",
    "E42-lemma-14.reward-std-swollen-law",
)
VARIANCES = "min(r(θ,s,a)·(1 - r(θ,s,a)) - v(θ,s,a) for θ in models for s, a in pairs) ≥ 0"
NO_INSTANCE = {
    "max(shape(x)) ≤ 16": _of("E26-algorithm-3.estimates-unlearnable-1", T=IDENTITY_17),
    "max(size(p), S) ≤ 8": _of_instance(
        p=[[[["1"]] * 3]] * 9, r=[[["0"] * 3]] * 9, v=[[["0"] * 3]] * 9
    ),
    "min(x) ≥ 0": _of_instance(Δ="-1/100"),
    "max(x) ≤ 1": _of(LAW, u=["0", "2"]),
    "x < 1": _of_instance(γ="1"),
    "x > 0": _of_instance(ε="0"),
    "x ≥ 1": _of(SPARSE, h="0"),
    "x ≥ 2": _of(SPARSE, d="1"),
    "fractional(x) = 0": _of(SPARSE, h="801/2"),
    "sum(x) = 1": _of(CHAIN, P_1=["1/2"] * 3),
    "defect(x) = 0": _of(LAW, P=[["1/2", "1/4"]] * 2),
    "defect(xᵀ) = 0": _of(CHAIN, T=[["1/5"] * 3] * 3),
    "max(sum(column) for column in xᵀ)·size(xᵀ) = sum(x)": _of(
        CHAIN, O=[["1/2"] * 3, ["1/2"] * 3, ["0"] * 3, ["1", "1", "1/2"]]
    ),
    "gap(shape(x), [k, k]) = 0": _of(SPARSE, T=[["1"], ["0"], ["0"]], S_h=["1"]),
    "size(xᵀ) = k": _of(FIRST, O=[["1"] * 4] * 16),
    "gap(shape(x), shape(O)) + abs(k - 2) = 0": _of(
        "E26-assumption-2.sufficient-two-coins", O_2=[["7/10", "3/10"], ["3/10", "7/10"]]
    ),
    "max(x) < k": _of(FIRST, sequence=["3"]),
    "max(defect(x(θ,s)) for θ in models for s in upto(S)) = 0": _of_instance(p=[[[["2"]] * 3]] * 2),
    "gap(shape(x), [size(r), S, A, S]) = 0": _of_instance(r=[[["0", "1/2"]]] * 2),
    "gap(shape(x), shape(r)) = 0": _of_instance(v=[[["0", "0"]]] * 2),
    VARIANCES: _of_instance(r=[[["2", "0", "0"]]] * 2),
    VARIANCES.replace("r(", "r_true(").replace("v(", "v_true("): _of(
        "E02-lemma-9.optimal-staying", v_true=[[["1", "0"], ["0", "0"]]] * 2
    ),
}


@pytest.mark.parametrize("condition", [condition for _, condition in table()[2]])
def test_what_always_holds_is_asked_of_every_instance(condition: str) -> None:
    with pytest.raises(Refused, match=re.escape(f"not one: {condition} is false of ")):
        check(NO_INSTANCE[condition])


def test_nothing_is_defined_twice() -> None:
    lines = (HERE / "claims.txt").read_text(encoding="utf-8").splitlines()
    defined = [re.split(r"[ (]", line)[1] for line in lines if line.startswith("let ")]
    assumed = [line.split(":")[0] for line in lines if line.startswith("assume ")]
    assert sorted(defined) == sorted(table()[1])
    assert len(assumed) == len(set(assumed))


def test_a_word_of_claims_that_is_misspelt_is_seen(tmp_path: Path) -> None:
    folder = tmp_path / "kernel"
    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    text = (folder / "claims.txt").read_text(encoding="utf-8")
    (folder / "claims.txt").write_text(text.replace("\nalways", "\nalway", 1), encoding="utf-8")
    done = run(folder, E01)
    assert done.returncode == 1
    assert "claims.txt has a line that says nothing: alway" in done.stderr


@pytest.mark.parametrize("x", [Fraction(0), Fraction(-3), ar.Between(Fraction(0), Fraction(1))])
def test_what_may_not_be_positive_has_no_logarithm(x: ar.Number) -> None:
    with pytest.raises(ValueError, match="may not be positive"):
        ar.log(x)


def test_true_is_not_one() -> None:
    with pytest.raises(Refused):
        check(E01.read_text(encoding="utf-8").replace("true", "1", 1))


def test_each_claim_is_stated_once_and_has_a_conclusion() -> None:
    ids = [id_ for claim in table()[0].values() for id_ in claim["claims"]]
    assert len(ids) == len(set(ids))
    for claim in table()[0].values():
        assert set(claim) == {"claims", "given", "printed", "repaired"}
        assert all(len(claim[version]) >= 2 for version in ("printed", "repaired"))


def test_every_formula_can_be_read_and_every_definition_is_used() -> None:
    claims, definitions, always = table()
    statements = {line for c in claims.values() for v in ("printed", "repaired") for line in c[v]}
    formulas = [parsed(text) for text in statements | {condition for _, condition in always}]
    formulas += [formula for _, formula in definitions.values()]
    nodes = [node for formula in formulas for node in ast.walk(formula)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    assert names >= set(definitions) | set(FUNCTIONS)
    assert not set(definitions) & set(FUNCTIONS)


@pytest.mark.parametrize(
    "x",
    [Fraction(1, 10**9), Fraction(2, 3), Fraction(1), Fraction(10**300 + 3, 10**299)],
)
def test_logarithms_and_roots_are_between_their_ends(x: Fraction) -> None:
    for pair, exactly in ((ar.log(x), math.log(x)), (ar.pair(ar.root(x)), math.sqrt(x))):
        assert pair.hi - pair.lo < Fraction(1, 10**25)
        assert abs(float(pair.lo) - exactly) <= 1e-12 * max(1.0, abs(exactly))
    assert ar.root(x * x) == x
    assert ar.pair(ar.root(x)).lo ** 2 <= x <= ar.pair(ar.root(x)).hi ** 2


def test_pi_is_between_its_ends() -> None:
    assert float(ar.PI.lo) < math.pi < float(ar.PI.hi)


def _matrix(rng: np.random.Generator, rows: int, columns: int, rank: int) -> ar.Matrix:
    left, right = rng.integers(-3, 4, (rows, rank)), rng.integers(-3, 4, (rank, columns))
    return tuple(tuple(Fraction(int(x), 4) for x in row) for row in left @ right)


@pytest.mark.parametrize("seed", range(12))
def test_matrices_have_their_inverse_and_singular_values(seed: int) -> None:
    rng = np.random.default_rng(seed)
    M = _matrix(rng, 4, 5, rank=1 + seed % 4)
    floats = np.array(M, dtype=np.float64)
    assert len(ar.reduced(M)[1]) == np.linalg.matrix_rank(floats)
    inverse = ar.pseudo_inverse(M)
    assert ar.times(ar.times(M, inverse), M) == M
    assert ar.times(ar.times(inverse, M), inverse) == inverse
    for square in (ar.times(M, inverse), ar.times(inverse, M)):
        assert square == ar.transpose(square)
    values = np.linalg.svd(floats, compute_uv=False)
    off = 20 * ROUNDING * float(values[0])  # backward stable: some roundings of the largest
    for j in range(1, 1 + len(ar.reduced(M)[1])):
        ends = ar.pair(ar.singular_value(M, j))
        assert float(ends.lo) - off <= values[j - 1] <= float(ends.hi) + off
    gram = ar.times(M, ar.transpose(M))
    shifted = ar.plus(gram, Fraction(-7, 3), ar.identity(4))
    eigenvalues = np.linalg.eigvalsh(np.array(shifted, dtype=float))
    assert ar.signs(shifted)[0] == int(np.sum(eigenvalues > 0))


def test_signs_of_a_matrix_with_a_zero_diagonal() -> None:
    one, zero = Fraction(1), Fraction(0)
    assert ar.signs(((zero, one), (one, zero))) == (1, 0)
    assert ar.signs(((zero, zero), (zero, zero))) == (0, 2)
    assert ar.signs(((zero, one, zero), (one, zero, zero), (zero, zero, zero))) == (1, 1)


def test_what_two_ends_leave_open_is_refused() -> None:
    unsure = ar.Between(Fraction(1), Fraction(2))
    assert holds(unsure, "<", Fraction(3))
    assert not holds(unsure, "≥", Fraction(3))
    assert holds(unsure, "≤", Fraction(2))
    assert not holds(unsure, "=", Fraction(3))
    for relation in "<≤>≥=":
        with pytest.raises(Refused, match="undecided"):
            holds(unsure, relation, Fraction(3, 2))
    assert holds(Fraction(1), "=", 1)
    assert not holds(Fraction(1), "<", 1)
