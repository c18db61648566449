"""Certificates for the kernel, built from the counterexamples; the kernel knows nothing of this.

`instances` takes the numbers of each counterexample and nothing else; what follows from them is
computed by the kernel, and tests compare it with what the checks compute on the same instance.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec

from ptum.checks.exact.hidden_markov import ExactHMM, coin_columns, times, transpose
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.appendix_b import correctness, lemma_8
from ptum.checks.instances.counterexamples.appendix_c import moments as moments_cases
from ptum.checks.instances.counterexamples.appendix_d import (
    estimates,
    identification,
    lemma_11,
    lemma_14,
)
from ptum.checks.instances.counterexamples.section_3 import corollary_1, theorem_1
from ptum.checks.instances.counterexamples.section_3_text import generality
from ptum.checks.instances.counterexamples.section_4 import (
    algorithm_2,
    assumption_2,
    theorem_2,
    theorem_3,
)
from ptum.checks.instances.counterexamples.shared.shown import exactly
from ptum.checks.instances.families import hmms
from ptum.checks.kernel import certificate
from ptum.checks.text.schema_docs import means
from ptum.reference.experiments.grid import Grid
from ptum.reference.experiments.objectworld import FIGURE_2
from ptum.reference.experiments.two_rooms import goal_grid
from ptum.spec.errata import ERRATA
from ptum.spec.records import Erratum
from ptum.spec.vocabulary import Rank

STORED = Path(certificate.__file__).parent / "certificates"
"""Where they stand; written by `ptum certificate --build`, never edited."""
Json: TypeAlias = "str | list[Json]"
InstanceJson: TypeAlias = dict[str, Json]
Fractions: TypeAlias = "Fraction | int | Iterable[Fractions]"

ITERATIONS = "iterations: "
PROBABILITIES = "probabilities: "
REASONS = {
    "lemma-3.coverage/wrong-std": PROBABILITIES + "the coverage of Lemma 3",
    "lemma-4.transition/third-value": ITERATIONS + "tests after each of 10,734 samples",
    "lemma-4.transition/third-value-played": ITERATIONS + "a run of PTUM",
    "lemma-8.same-steps/own-values": ITERATIONS + "10,000 of a variant of PTUM",
    "theorem-1.phases/random-ties": PROBABILITIES + "ties broken at random",
    "text-scales-with-min.minimum/least-sampled": "rates: growth from 25 to 400 arms",
    "lemma-1.bernstein/symmetric-law": PROBABILITIES + "a binomial tail",
    "text-gamma-positive.neglect/left-out": ITERATIONS + "a run of PTUM",
    "text-oracle-proportional.oracle/three-arms": ITERATIONS + "the oracle's plan",
    "text-oracle-proportional.oracle/distractors": ITERATIONS + "two runs of PTUM, and a rate",
    "text-oracle-proportional.oracle/hidden-test": ITERATIONS + "two runs of PTUM, and a rate",
    "lemma-11.bound/heavy-tail": PROBABILITIES + "the tail of an estimate",
    "equation-8.bound/two-tasks": PROBABILITIES + "the deviation of moments of a chain",
    "algorithm-2.labels/restarts": "eigenvectors: the power method from random starts",
    "lemma-14.probability/exchanged-names": PROBABILITIES + "two events that exclude each other",
    "text-unbiased-observations.mean/stopping": PROBABILITIES + "runs of PTUM",
    "text-columns-are-models.exact/adaptive": PROBABILITIES + "runs of PTUM",
    "text-conditionally-independent.given-task/two-pasts": PROBABILITIES + "runs of PTUM",
    "text-hmm-reduction.model/adaptive": PROBABILITIES + "runs of PTUM",
    "algorithm-3.probabilities/signed": "eigenvectors: the components of a third moment",
    "text-floor-removable.true-models/any-constant": "none: its part holds, and it shows why",
    "text-informative-goals.ptum-samples/paid-once": "size: seven tasks of 144 states",
}
"""Counterexamples of majors and minors without a certificate, and what they need for one."""


def written(numbers: Fractions) -> Json:
    """Fractions as text, tables as lists of lists."""
    if isinstance(numbers, Fraction | int):
        return str(Fraction(numbers))
    return [written(part) for part in numbers]


def fields(**numbers: Fractions) -> InstanceJson:
    """An instance under the names that claims.txt gives its numbers."""
    return {name: written(value) for name, value in numbers.items()}


def tables(models: Sequence[ExactMDP], mark: str = "") -> InstanceJson:
    """p, r and v of models, one after the other."""
    found = (
        ("p", [m.p for m in models]),
        ("r", [m.r for m in models]),
        ("v", [m.var for m in models]),
    )
    return {name + mark: written(value) for name, value in found}


def transfer(
    models: Sequence[ExactMDP], ε: Fraction, Δ: Fraction, **more: Fractions
) -> InstanceJson:
    """What Algorithm 1 is given."""
    return fields(γ=models[0].gamma, ε=ε, Δ=Δ, **more) | tables(models)


def chain(hmm: ExactHMM) -> InstanceJson:
    """Tasks in a sequence."""
    return fields(O=hmm.O, T=hmm.T, P_1=hmm.first)


def _staying() -> InstanceJson:
    case = correctness.staying()
    return transfer(case.approximate, case.epsilon, case.Delta) | tables(case.true, "_true")


def _three_arms() -> InstanceJson:
    case = theorem_1.three_arms_instance()
    return transfer(case.models, case.epsilon, case.Delta)


def _endless() -> InstanceJson:
    case = corollary_1.bandit()
    models, level = case.models, (case.epsilon, case.Delta)
    return transfer(models, *level, δ=corollary_1.DELTA, n=corollary_1.BUDGET)


def _tied(arms: int = 120) -> InstanceJson:
    """As many arms as show it; the counterexample has 400."""
    case = theorem_1.TiedArms(arms)
    first, other = ([m.r[0][i] for m in case.two_arms] for i in range(2))
    rewards = [[[x, *[y] * (arms - 1)]] for x, y in zip(first, other, strict=True)]
    p, v = [[[[1]] * arms]] * 2, [[[0] * arms]] * 2
    run = case.told
    return fields(γ=0, ε=run.epsilon, Δ=run.Delta, δ=run.delta, n=run.n, p=p, r=rewards, v=v)


def _two_coins(**more: Fractions) -> InstanceJson:
    case = assumption_2.independent_coins()
    columns = fields(O=coin_columns(case.rates), O_2=coin_columns(case.other))
    return columns | fields(T=case.T, P_1=case.first, **more)


def _first_task() -> InstanceJson:
    tasks = theorem_2.three_tasks()
    return fields(
        O=transpose(tasks.columns),
        T=tasks.T,
        sequence=[theorem_2.ORDER[0]],
        ρ_3=theorem_2.RHO_3,
        δʹ=theorem_2.DELTA_PRIME,
    )


def _two_tasks() -> InstanceJson:
    case = identification
    turns = [[0, 1], [1, 0]]
    return fields(O=transpose(case.SHOWN), T=turns, sequence=[0, 1], ρ_3=1, δʹ=case.DELTA_PRIME)


def _inverse_norm() -> InstanceJson:
    half = Fraction(1, 2)
    hmm = ExactHMM(estimates.O, hmms.sticky(estimates.STAY), (half, half))
    return chain(hmm) | fields(Σ_31_hat=estimates.second_moments(126)[1])


def _four_cycle() -> InstanceJson:
    case = lemma_11.instance(lemma_11.NEARLY)
    k = len(case.T)
    moved = [
        [x + y for x, y in zip(*rows, strict=True)]
        for rows in zip(case.M_31, case.move, strict=True)
    ]
    estimate = times(case.O, tuple(map(tuple, moved)), transpose(case.O))
    return fields(O=case.O, T=case.T, P_1=[Fraction(1, k)] * k, Σ_31_hat=estimate, SA=1)


def _lemma_14(estimate: lemma_14.RawTables) -> InstanceJson:
    half = Fraction(1, 2)
    return fields(
        γ=lemma_14.GAMMA,
        u=lemma_14.REWARDS,
        Q=lemma_14.DISTRIBUTIONS,
        P=[[half, half]] * 2,
        Q_hat=estimate.q,
        P_hat=estimate.p,
        σ=estimate.sigma_bar,
    )


def _rule() -> InstanceJson:
    step = theorem_3.SPARSE
    known = [int(j in step.theta_bar) for j in range(step.k)]
    return fields(
        T=step.T_hat,
        S_h=known,
        h=step.h,
        m=step.m,
        d=step.d,
        δ=step.delta,
        δʹ=step.delta_prime,
        η=Fraction(3, 100),
    )


def _sticky() -> InstanceJson:
    case = identification.sticky()
    k = len(case.T)
    sets = [[int(i in case.sets[j]) for j in range(k)] for i in range(k)]
    return fields(
        T=case.T,
        law=case.distribution,
        sets=sets,
        next=[int(i == case.theta) for i in range(k)],
        h=case.h,
        d=identification.S * identification.A * (identification.S + identification.U),
        ρ_T=case.rho_T,
        δ=case.delta,
        δʹ=case.delta_prime,
    )


def _no_floor() -> InstanceJson:
    error = Fraction(1, 10**6)
    return fields(p_law=[1, 0], q_law=[1 - error, error], f=[0, 1], C=100, σ=Fraction(1, 10))


def _empty_cells() -> InstanceJson:
    values = [Fraction(str(v)) for v in FIGURE_2.base_values]
    f = Fraction(str(FIGURE_2.pick_up_failure))
    return fields(v_items=values, f=f, f_hat=f + Fraction(1, 100))


def _rho() -> InstanceJson:
    S, A, U = 25, 4, 12
    return fields(
        γ=Fraction(9, 10),
        ε=Fraction(1, 2),
        h=300,
        d=S * A * (S + U),
        ρ=Fraction(27, 200),
        δʹ=Fraction(999_999, 10**6),
    )


def _singleton() -> InstanceJson:
    """A grid as that of the counterexample, of four cells in place of 25."""
    task = exactly(goal_grid(Grid(2, 2), {(1, 1): 1.0}, 0.9))
    return transfer((task,), Fraction(str(algorithm_2.SINGLETON_EPSILON)), Fraction(0), n_post=30)


INSTANCES: Mapping[str, tuple[Callable[[], InstanceJson], ...]] = {
    "lemma-7.positive/bandit": (
        lambda: transfer(
            correctness.bandit().models, correctness.bandit().epsilon, correctness.bandit().Delta
        ),
    ),
    "lemma-9.optimal/staying": (_staying,),
    "text-pac.implied/infinite-bound": (_three_arms,),
    "text-gamma-worst-case.worst-case/three-arms": (_three_arms,),
    "corollary-1.exchange/three-arms": (_three_arms,),
    "corollary-1.rate/endless-bandit": (_endless,),
    "theorem-1.phases/least-sampled": (_tied,),
    "text-pair-constant-in-phase.constant/least-sampled": (
        lambda: transfer(correctness.ties_arms(), Fraction(str(correctness.EPSILON)), Fraction(0)),
    ),
    "lemma-8.display/three-rewards": (
        lambda: transfer(lemma_8.one_arm(5, 2, 8).models, lemma_8.EPSILON, Fraction(0)),
    ),
    "lemma-8.same-steps/silent-target": (
        lambda: transfer(lemma_8.silent_target().models, lemma_8.EPSILON, Fraction(0)),
    ),
    "text-gamma-positive.identical/equal-values": (
        lambda: transfer(
            generality.equal_values().models, generality.equal_values().epsilon, Fraction(0)
        ),
    ),
    "text-theta-eps-meaning.policies/three-states": (
        lambda: transfer(
            corollary_1.theta_eps_meaning_instance().models,
            corollary_1.theta_eps_meaning_instance().epsilon,
            Fraction(0),
        ),
    ),
    "text-at-least-one-sample.wlog/singleton": (_singleton,),
    "text-moment-identities.moments/printed-form": (
        lambda: chain(moments_cases.instance(moments_cases.SINGULAR)),
    ),
    "text-moment-identities.observation/printed-mean": (
        lambda: chain(moments_cases.independent_tasks()),
    ),
    "algorithm-3.estimates/unlearnable": (
        lambda: chain(moments_cases.independent_tasks()),
        lambda: chain(moments_cases.instance(moments_cases.SINGULAR)),
        lambda: chain(moments_cases.three_cycle()),
    ),
    "assumption-2.sufficient/two-coins": (_two_coins,),
    "theorem-2.bounds/two-coins": (lambda: _two_coins(δʹ=Fraction(1, 10)),),
    "text-moments-from-samples.consistent/three-cycle": (
        lambda: chain(moments_cases.three_cycle()),
    ),
    "lemma-10.bound/three-cycle": (
        lambda: fields(
            O=moments_cases.three_cycle().O,
            T=moments_cases.three_cycle().T,
            sequence=lemma_11.cyclic(),
        ),
    ),
    "theorem-2.all-h/first-task": (_first_task,),
    "lemma-14.probability/two-tasks-seen": (_two_tasks,),
    "lemma-11.inverse-norm/one-coin": (_inverse_norm,),
    "lemma-11.pseudo-inverse/scalars": (
        lambda: fields(Σ_31=[[lemma_11.TENTH]], Σ_31_hat=[[lemma_11.TENTH / 2]]),
    ),
    "lemma-11.implication/four-cycle": (_four_cycle,),
    "lemma-14.values/stretched-row": (lambda: _lemma_14(lemma_14.stretched()),),
    "lemma-14.value-std/stretched-row": (lambda: _lemma_14(lemma_14.stretched()),),
    "lemma-14.reward-std/swollen-law": (lambda: _lemma_14(lemma_14.swollen()),),
    "text-rate.rate/no-floor": (_no_floor,),
    "assumption-5.experiments/empty-cells": (_empty_cells,),
    "text-sparse-T-helps.rule/cycle": (_rule,),
    "lemma-15.bound/sticky-tasks": (_sticky,),
    "theorem-3.logarithm/nine": (lambda: fields(k=8, m=400, d=3700, δʹ=Fraction(1, 10)),),
    "text-rho-enters-transfer-mode.enters/after-start-up": (_rho,),
}
"""The numbers of every certificate, by the first check that its claims.txt block names."""


class CertificateStatement(msgspec.Struct, frozen=True, kw_only=True):
    """A premise or a conclusion with its two sides; an irrational number is two fractions."""

    statement: Annotated[str, means("a line of claims.txt")]
    left: Annotated[str | list[str], means("its left side, p/q or the two ends of a pair")]
    right: Annotated[str | list[str], means("its right side")]
    holds: Annotated[bool, means("whether it is true")]


class VersionJson(msgspec.Struct, frozen=True, kw_only=True):
    """One version of the claim on the instance."""

    premises: Annotated[list[CertificateStatement], means("all premises that claims.txt has")]
    conclusion: Annotated[CertificateStatement | None, means("null where a premise is false")]
    verdict: Annotated[str, means("refuted, holds, or excluded by a premise")]


class Certificate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `python3 checks/kernel FILE` accepts (docs/kernel.md)."""

    claims: Annotated[list[str], means("the parts of claims that the instance refutes")]
    instance: Annotated[dict[str, object], means("fractions as text, by the names of claims.txt")]
    sha256: Annotated[str, means("digest of the instance, so that no number of it can change")]
    printed: Annotated[VersionJson, means("the printed claim, which is refuted")]
    repaired: Annotated[VersionJson, means("the repaired claim, which holds or is excluded")]


def ranked() -> tuple[Erratum, ...]:
    """The errata that have certificates if anything can be certified: majors and minors."""
    ranks = (Rank.MAJOR, Rank.MINOR)
    return tuple(e for e in ERRATA if e.rank in ranks and not e.withdrawn)


@cache
def certificates() -> Mapping[str, tuple[str, ...]]:
    """All of them: by the name of the file, the checks that each is about."""
    found = {}
    for first, builders in INSTANCES.items():
        checks = tuple(certificate.table()[0][first]["claims"])
        erratum = next(e for e in ranked() if set(checks) & set(e.counterexamples))
        for number in range(len(builders)):
            suffix = f"-{number + 1}" if len(builders) > 1 else ""
            found[f"{erratum.id}-{first.replace('/', '-')}{suffix}.json"] = checks
    return dict(sorted(found.items()))


def of(erratum: Erratum) -> tuple[str, ...]:
    """Names of the certificates of an erratum, its own first."""
    names = [
        n for n, checks in certificates().items() if set(checks) & set(erratum.counterexamples)
    ]
    return tuple(sorted(names, key=lambda name: not name.startswith(erratum.id)))


def listed() -> Iterator[tuple[Erratum, str, list[str], str]]:
    """Every counterexample of every erratum: its certificates, or the reason why it has none."""
    for erratum in ranked():
        for check in erratum.counterexamples:
            names = [name for name in of(erratum) if check in certificates()[name]]
            yield erratum, check, names, REASONS.get(check, "")


def comments(first: str) -> tuple[str, ...]:
    """What claims.txt says of the names in a block: its section's comment, and those above it."""
    text = STORED.with_name("claims.txt").read_text(encoding="utf-8")
    before = text[: text.index(f"\nclaim {first}")].split("\n\n")
    section = [part for part in before if part.startswith("# Section")][-1]
    last = max((i for i, part in enumerate(before) if part.startswith("claim ")), default=0)
    own = [part for part in before[last + 1 :] if re.fullmatch(r"(#.*\n?)+", part)]
    return tuple(part[2:].rstrip().replace("\n# ", " ") for part in dict.fromkeys([section, *own]))


def completed(checks: Sequence[str], instance: Mapping[str, Json]) -> str:
    """The certificate of an instance as text; the kernel computes what follows from it."""
    found = certificate.recomputed(list(checks), instance)
    text = json.dumps(found, indent=1, ensure_ascii=False)
    one_line = re.sub(r"\[\s+([^][{}]+?)\s+\]", _on_one_line, text)
    return one_line + "\n"


def _on_one_line(numbers: re.Match[str]) -> str:
    return "[" + re.sub(r"\s+", " ", numbers[1]) + "]"


def built() -> Mapping[str, str]:
    """The text of every certificate, by the name of its file."""
    texts = {}
    for name, checks in certificates().items():
        makers = INSTANCES[checks[0]]
        number = int(name.removesuffix(".json").rsplit("-", 1)[1]) - 1 if len(makers) > 1 else 0
        texts[name] = completed(checks, makers[number]())
    return texts


def build() -> int:
    """Write all of them, and remove what is no certificate any more."""
    texts = built()
    STORED.mkdir(exist_ok=True)
    for path in STORED.glob("*.json"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (STORED / name).write_text(text, encoding="utf-8")
    return len(texts)
