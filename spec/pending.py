"""Names that the ledger already uses although nothing stands behind them yet.

A test compares both lists with what is really missing, so they shrink with every addition and
cannot go stale.
"""

from __future__ import annotations

REFERENCE: frozenset[str] = frozenset(
    {
    }
)
"""Reference functions still to be written."""

CHECKS: frozenset[str] = frozenset(
    {
        "algorithm-2.feedback",
        "algorithm-2.labels",
        "algorithm-2.lines",
        "algorithm-3.estimates",
        "algorithm-3.lines",
        "algorithm-3.probabilities",
        "algorithm-3.whitening",
        "algorithm-rtp.steps",
        "assumption-2.conditions",
        "assumption-2.sufficient",
        "text-active-set-contains-target.contains",
        "text-all-policies-optimal.all",
        "text-almost-deterministic.transitions",
        "text-at-least-one-sample.wlog",
        "text-below-oracle.measured",
        "text-below-oracle.possible",
        "text-clipping-reasonable.at-most-one",
        "text-columns-are-models.exact",
        "text-conditionally-independent.given-task",
        "text-copies-hard.trivial-otherwise",
        "text-covariance-matrices.uncentred",
        "text-eigenvalues-of-covariances.eigenvalues",
        "text-eigenvalues-of-covariances.full-expressions",
        "text-eleven-items.count",
        "text-eta-keeps-models.arithmetic",
        "text-eta-keeps-models.theorem",
        "text-excess-vanishes-before-zero.positive-delta",
        "text-excess-vanishes-before-zero.reason",
        "text-exploits-correlations.combined",
        "text-hmm-reduction.model",
        "text-identification-fast.few-episodes",
        "text-identification-fast.pel-instant",
        "text-informative-goals.ptum-samples",
        "text-known-threshold-below-theory.below",
        "text-logarithmic-in-states.growth",
        "text-logarithmic-in-states.piecewise",
        "text-maxqinit-budget.not-near-optimal",
        "text-milder-than-gaps.milder",
        "text-moment-identities.moments",
        "text-moment-identities.observation",
        "text-moment-identities.transition",
        "text-moments-from-samples.consistent",
        "text-not-harder-than-static.comparison",
        "text-one-informative-sample.at-most-one",
        "text-parameters-doubled.factor",
        "text-perfect-models-in-the-limit.consistency",
        "text-piecewise-constant-in-epsilon.steps",
        "text-piecewise-constant-in-epsilon.zero",
        "text-plug-in-bounds.known",
        "text-prediction-is-probability.sum",
        "text-rate.rate",
        "text-rho-enters-transfer-mode.decay-optional",
        "text-rho-enters-transfer-mode.enters",
        "text-sample-as-episode.count",
        "text-sparse-T-helps.fewer-models",
        "text-sparse-T-helps.rule",
        "text-static-reduces-to-azar.same",
        "text-svd-critical.small-tensor",
        "text-svd-critical.stability",
        "text-symmetric-orthogonal.transformed-views",
        "text-task-indices.all-eight",
        "text-task-stochasticity-critical.all-values",
        "text-task-stochasticity-critical.slower",
        "text-tasks-before-transfer.number",
        "text-tasks-before-transfer.tight",
        "text-third-view.conditioned-on",
        "text-third-view.weights",
        "text-top-three.robust",
        "text-unbiased-observations.mean",
        "theorem-2.all-h",
        "theorem-2.bounds",
        "theorem-2.condition",
        "theorem-2.uniform",
        "theorem-2.value-std",
        "theorem-3.at-any-time",
        "theorem-3.logarithm",
        "theorem-3.never",
        "theorem-3.power",
    }
)
"""Parts with a truth value that no check looks at yet."""
