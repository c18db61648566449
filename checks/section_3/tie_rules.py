"""Runs of the tied arms under several rules for ties."""

from __future__ import annotations

from collections.abc import Sequence

from checks.counterexamples import tied_arms
from checks.counterexamples.tied_arms import TiedArms
from checks.outcome import Outcome, Statement, Walk
from checks.registry import Context
from checks.section_3.runs import all_of, quantiles
from checks.statistics import clopper_pearson, judge_probability
from reference.confidence import log_term
from spec.vocabulary import Verdict, Version


def exceeds_at_random(
    context: Context, case: TiedArms, bound: float, trials: int, alpha: float
) -> Outcome:
    """P(queries > bound) ≤ δ with ties broken by a fair draw."""
    premises = tied_arms.premises(case)
    told = tuple(f"premise    {premise}" for premise in premises)
    if not all(premise.holds for premise in premises):
        return Outcome(Verdict.ASSUMPTION_NOT_MET, instances=1, story=told)
    used = [
        tied_arms.queries(case, tied_arms.at_random(context.generator(trial)))
        for trial in range(trials)
    ]
    failures = sum(count > bound for count in used)
    return Outcome(
        verdict=judge_probability(failures, trials, tied_arms.DELTA, alpha),
        instances=1,
        trials=trials,
        violations=failures,
        interval=clopper_pearson(failures, trials, alpha),
        worst_ratio=max(used) / bound,
        story=(
            *told,
            f"conclusion {failures} of {trials} runs made more than {bound:.6g} queries: "
            f"from {min(used)} to {max(used)}",
        ),
    )


def all_rules(context: Context, cases: Sequence[TiedArms]) -> Outcome:
    """Repaired: factor min{SA,|Θ|-1} in a fixed order, and SA for rules that spread the samples."""
    walks, loose = [], []
    for number, case in enumerate(cases):
        at_random = tied_arms.at_random(context.generator(number))
        spread = tied_arms.bound(case, Version.REPAIRED, any_rule=True)
        counts = (
            (tied_arms.fixed_order(case), tied_arms.bound(case, Version.REPAIRED)),
            (tied_arms.queries(case, tied_arms.least_sampled), spread),
            (tied_arms.queries(case, at_random), spread),
        )
        walks += [tied_arms.walk(case, used, bound) for used, bound in counts]
        loose += [bound / used for used, bound in counts]
    verdicts = [walk.verdict() for walk in walks]
    return Outcome(
        verdict=all_of(verdicts),
        instances=len(cases),
        trials=len(walks),
        violations=verdicts.count(Verdict.VIOLATED),
        worst_ratio=1 / min(loose),
        looseness=quantiles(loose),
        story=tuple(line for walk in walks for line in walk.lines()),
    )


def growth(few: int, many: int, *, spread: bool, allowed: float = 2.0) -> Walk:
    """With two models the factor stays 2 however many arms there are.

    A declared test of slope: queries/(min{SA,|Θ|}·L) may grow by `allowed` from few to many arms.
    """

    def relative(arms: int) -> float:
        case = tied_arms.instance(arms)
        count = (
            tied_arms.queries(case, tied_arms.least_sampled)
            if spread
            else tied_arms.fixed_order(case)
        )
        models = case.models
        L = log_term(models.S, models.A, tied_arms.N_BUDGET, models.k, tied_arms.DELTA)
        return count / (min(models.S * models.A, models.k) * L)

    return Walk(
        premises=(
            *tied_arms.premises(tied_arms.instance(many)),
            Statement("arms", many, "≥", 4 * few),
        ),
        conclusion=Statement(
            f"growth of queries/(min{{SA,|Θ|}} L) from {few} to {many} arms",
            relative(many) / relative(few),
            "≤",
            allowed,
        ),
    )
