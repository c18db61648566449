"""Section 4 and the conclusion: sequential transfer (Algorithm 2, Assumption 2, Theorems 2-3)."""

from __future__ import annotations

from ptum.spec.records import Claim, Link, Part, Reading, Repair
from ptum.spec.vocabulary import Evidence, Kind, Proof, Relation, Status

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="algorithm-2",
        kind=Kind.ALGORITHM,
        number=2,
        label="alg:sequential-transfer",
        title="Sequential Transfer",
        section="Section 4",
        statement=(
            "For h = 1, 2, …: receive a task of the chain, solve it with PTUM on the current "
            "models and the predicted set Θ̃_h, turn its samples into an observation, re-estimate "
            "O and T by Algorithm 3, rebuild the models with their error bound, and predict "
            "Θ̃_{h+1}. The start is Δ_1 = ∞ and Θ̃_1 = Θ."
        ),
        uses=("algorithm-1", "algorithm-3"),
        reference=("ptum.reference.sequential.algorithm:sequential_transfer",),
        decisions=(
            "D40",
            "D41",
            "D42",
            "D44",
            "D46",
            "D47",
            "D48",
            "D49",
            "D53",
            "D54",
            "D55",
            "D56",
            "D57",
            "D58",
            "D60",
            "D61",
            "D91",
            "D92",
            "D93",
            "D94",
            "D95",
            "D96",
            "D98",
            "D105",
            "D106",
            "D107",
            "D117",
        ),
        parts=(
            Part(
                id="algorithm-2.lines",
                says="The ten lines of the pseudo-code.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Pseudo-code. Two indices slip (E66): line 8 names Δ_h what line 4 consumes "
                    "as Δ_{h+1} (D41), and line 3 refers to a task θ*_0 that does not exist (D42)."
                ),
                checks=("algorithm-2.lines/hand-over",),
            ),
            Part(
                id="algorithm-2.labels",
                says=(
                    "Line 9 reads row and column θ of T̂_h as the same task that PTUM called θ "
                    "when it returned Θ̄_h."
                ),
                status=Status.REFUTED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "T̂_h carries the order in which the power method met the components of this "
                    "estimate, Θ̄_h that of the previous one. On a three-task chain re-estimated "
                    "every third task (h from 300 to 400) the order changed in 26 of 33 steps with "
                    "one restart and in 2 of 33 with twenty."
                ),
                checks=("algorithm-2.labels/restarts",),
                repair=Repair(
                    says=(
                        "After each estimate the columns of Ô_h are matched to the previous ones "
                        "at least total squared distance, and rows and columns of T̂_h follow; the "
                        "matching is right once both column errors are below a quarter of the "
                        "least column distance."
                    ),
                    reference=("ptum.reference.repaired.sequential.alignment:align",),
                    checks=("algorithm-2.labels/matched",),
                    errata=("E40",),
                ),
            ),
            Part(
                id="algorithm-2.feedback",
                says=(
                    "Line 9 predicts from Θ̄_h, a part of Θ̃_h, so that the procedure rests on no "
                    "prediction missing its task."
                ),
                status=Status.HOLDS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "PTUM only eliminates. That no prediction misses is what Theorem 3 is for; of "
                    "a miss the paper says nothing, and Appendix E keeps the three likeliest "
                    "tasks, all that can follow on its chain. Without that a miss would last: "
                    "from a wrong singleton PTUM stops in its first iteration with no sample and "
                    "returns it, and with one successor kept and T known 56.7% of the first 100 "
                    "tasks of the eight-task chain would be solved with the wrong model."
                ),
                checks=("algorithm-2.feedback/silent-miss",),
                repair=Repair(
                    says=(
                        "Θ̄_h is found again, after every task, from samples of fixed number "
                        "compared with all k models, so that a miss lasts one task."
                    ),
                    reference=("ptum.reference.repaired.sequential.algorithm:sequential_transfer",),
                    checks=("algorithm-2.feedback/found-again",),
                    errata=("E39",),
                ),
            ),
        ),
    ),
    Claim(
        id="assumption-2",
        kind=Kind.ASSUMPTION,
        number=2,
        label="ass:full-rank",
        title="Full column rank and positive stationary weights",
        section="Section 4.1",
        statement=(
            "O has full column rank, and the stationary distribution ω of the task chain gives "
            "positive weight to every task."
        ),
        reference=("ptum.reference.sequential.hmm:HMM",),
        decisions=("D62", "D107"),
        parts=(
            Part(
                id="assumption-2.conditions",
                says="rank O = k and ω(θ) > 0 for all θ.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "An assumption. It forces k ≤ SA(S+U-2)+1, because all columns share 2SA block "
                    "sums."
                ),
                checks=("assumption-2.conditions/rank",),
            ),
            Part(
                id="assumption-2.sufficient",
                says=(
                    "The assumption ensures that the parameters of the hidden Markov model can be "
                    "recovered from the observations."
                ),
                status=Status.REFUTED,
                proof=Proof.IMPORTED,
                evidence=Evidence.CHECKED,
                reason=(
                    "S=A=1, U=2, two tasks drawn independently with weight 1/2, one sample each: "
                    "success rates {0.9, 0.1} and {0.7, 0.3} both satisfy it and give the same "
                    "distribution of the data (fair coin flips), so no estimator can be within 0.1 "
                    "of both."
                ),
                checks=("assumption-2.sufficient/two-coins",),
                repair=Repair(
                    says=(
                        "rank O = k; T is invertible and irreducible; its period is no multiple of "
                        "3 when disjoint triples are used; aperiodic for the finite-sample bounds. "
                        "With three views inside each task, rank O = k and every task having been "
                        "met are enough."
                    ),
                    checks=("assumption-2.sufficient/invertible",),
                    errata=("E26",),
                ),
            ),
        ),
    ),
    Claim(
        id="theorem-2",
        kind=Kind.THEOREM,
        number=2,
        label="th:rtp-err-models",
        title="Deviation of the estimated models, uniformly over tasks",
        section="Section 4.1",
        statement=(
            "There are constants ρ, ρ_r, ρ_p, ρ_σr, ρ_σp such that, if h > ρ log(2h²d/δ') with d = "
            "SA(S+U), then with probability at least 1-δ' rewards, expected values and both "
            "standard deviations of all estimated models are within ρ_x √(log(π²h²d/δ')/h) of the "
            "true ones, for all h ≥ 1, s, a, θ, θ'."
        ),
        uses=("algorithm-2", "lemma-14"),
        assumes=("assumption-2", "assumption-5"),
        formulas=(
            "ptum.spec.formulas.sequential:C_H",
            "ptum.spec.formulas.sequential:THEOREM_2_CONDITION",
            "ptum.spec.formulas.sequential:THEOREM_2",
        ),
        reference=(
            "ptum.reference.sequential.analysis.sequential_bounds:c_h",
            "ptum.reference.sequential.analysis.sequential_bounds:theorem_2_condition",
            "ptum.reference.sequential.analysis.sequential_bounds:theorem_2_bound",
            "ptum.reference.sequential.analysis.conditioning:printed_bounds",
        ),
        decisions=("D41", "D46", "D55", "D58", "D63", "D85", "D89", "D105", "D106"),
        parts=(
            Part(
                id="theorem-2.bounds",
                says=(
                    "Under Assumption 2 constants exist for which the four deviations are "
                    "O(√(log(h)/h))."
                ),
                status=Status.REFUTED,
                proof=Proof.WRONG,
                evidence=Evidence.CHECKED,
                reason=(
                    "Independent tasks satisfy Assumption 2: with S=A=1, U=2 and one sample per "
                    "task the families {0.9, 0.1} and {0.7, 0.3} are indistinguishable, so in one "
                    "of them an error of at least 0.1 stays at every h. Measured with rank-k "
                    "pseudo-inverses on a three-task family with 10 samples per pair, the median "
                    "column error (8 runs) of O at h = 600, 2400, 9600 is 1.2, 1.3, 1.4 for "
                    "independent tasks, 2.2, 2.2, 2.1 for a three-cycle."
                ),
                checks=("theorem-2.bounds/two-coins",),
                repair=Repair(
                    says=(
                        "With the repaired Assumption 2, rank-k pseudo-inverses, observations of "
                        "fixed sample size, blocks projected on the simplex and a floor under the "
                        "true standard deviations, all four bounds hold up to one relabelling of "
                        "the tasks per h, if the restarts of the power method grow like log h. "
                        "With views within tasks no assumption on T is needed, for all h at which "
                        "λ_k(M̂_2) ≥ 2ℓ shows that no task was too rare."
                    ),
                    formulas=(
                        "ptum.spec.formulas.sequential:THEOREM_2_CONDITION_REPAIRED",
                        "ptum.spec.formulas.appendix_d:LEMMA_14_R_REPAIRED",
                        "ptum.spec.formulas.appendix_d:LEMMA_14_P_REPAIRED",
                        "ptum.spec.formulas.appendix_d:LEMMA_14_SIGMA_R_REPAIRED",
                        "ptum.spec.formulas.appendix_d:LEMMA_14_SIGMA_P_REPAIRED",
                    ),
                    reference=(
                        "ptum.reference.repaired.sequential.analysis.sequential_bounds:theorem_2_condition",
                        "ptum.reference.repaired.sequential.analysis.sequential_bounds:theorem_2_bound",
                        "ptum.reference.repaired.sequential.analysis.sequential_bounds:theorem_2_model_error",
                        "ptum.reference.repaired.sequential.analysis.conditioning:uniform_constants",
                        "ptum.reference.repaired.sequential.analysis.within_task_bounds:rho_3",
                        "ptum.reference.repaired.sequential.analysis.within_task_bounds:rho_4",
                        "ptum.reference.repaired.sequential.analysis.sequential_bounds:power_method_effort",
                    ),
                    checks=(
                        "theorem-2.bounds/rate",
                        "theorem-2.bounds/unbalanced",
                        "theorem-2.bounds/restarts",
                    ),
                    errata=("E26", "E28", "E30", "E31", "E33", "E34", "E40", "E41", "E42"),
                ),
            ),
            Part(
                id="theorem-2.uniform",
                says=(
                    "Spending δ'' = 6δ'/(π²h²) at step h makes the bounds hold at all h together "
                    "with probability 1-δ', and turns 6d/δ'' into π²h²d/δ'."
                ),
                status=Status.HOLDS,
                proof=Proof.COMPLETE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Σ_h 6/(π²h²) = 1, and 6d·π²h²/(6δ') = π²h²d/δ'. The event inside the sum of "
                    "the proof is printed with index m instead of h."
                ),
                checks=("theorem-2.uniform/series",),
            ),
            Part(
                id="theorem-2.condition",
                says=(
                    "The premise h > ρ log(2h²d/δ') covers the premise of Lemma 14 at level δ'', "
                    "for some ρ."
                ),
                status=Status.HOLDS,
                proof=Proof.GAP,
                evidence=Evidence.CHECKED,
                reason=(
                    "Lemma 14 at δ'' needs log(π²h²d/δ'); with one and the same ρ the printed "
                    "premise does not imply it, but log(π²x) ≤ 2.152 log(2x) for x ≥ 2, and ρ is "
                    "existential."
                ),
                checks=("theorem-2.condition/existential",),
                repair=Repair(
                    says="h ≥ ρ_3 log(π²h²d/δ'), with the constant of Lemma 11 itself.",
                    formulas=("ptum.spec.formulas.sequential:THEOREM_2_CONDITION_REPAIRED",),
                    reference=(
                        "ptum.reference.repaired.sequential.analysis.sequential_bounds:theorem_2_condition",
                    ),
                    checks=("theorem-2.condition/formula-repaired", "theorem-2.condition/lemma-11"),
                    errata=("E34",),
                ),
            ),
            Part(
                id="theorem-2.all-h",
                says="The bounds hold simultaneously for all h ≥ 1.",
                status=Status.AMBIGUOUS,
                proof=Proof.GAP,
                evidence=Evidence.CHECKED,
                reason=(
                    "h is bound twice: once by the premise, once by the quantifier of the "
                    "conclusion. For h < 3 there is no triple and no estimate."
                ),
                readings=(
                    Reading(
                        id="theorem-2.all-h.every-h",
                        says="Every h ≥ 1, whatever the premise says of it.",
                        status=Status.REFUTED,
                        checks=("theorem-2.all-h/first-task",),
                    ),
                    Reading(
                        id="theorem-2.all-h.admitted-h",
                        says="Every h that satisfies the premise.",
                        status=Status.UNPROVED,
                        checks=("theorem-2.all-h/admitted",),
                    ),
                ),
                repair=Repair(
                    says="For all h that satisfy the premise.",
                    formulas=("ptum.spec.formulas.sequential:THEOREM_2_CONDITION_REPAIRED",),
                    checks=("theorem-2.all-h/admitted-only",),
                    errata=("E34",),
                ),
            ),
            Part(
                id="theorem-2.value-std",
                says="The fourth line bounds the error of the value standard deviations.",
                status=Status.AMBIGUOUS,
                proof=Proof.GAP,
                evidence=Evidence.CHECKED,
                reason=(
                    "The line prints σ^r with three arguments. Read as σ^p it still has two "
                    "meanings: Section 2 takes the standard deviation of the true V*_θ', the proof "
                    "and PTUM that of the estimated Ṽ*_θ'. The two differ by up to ‖V*-Ṽ*‖, itself "
                    "of order √(log(h)/h), so only the constant changes."
                ),
                readings=(
                    Reading(
                        id="theorem-2.value-std.of-estimated-value",
                        says="σ^p is the standard deviation of Ṽ*_θ' under p_θ.",
                        status=Status.UNPROVED,
                        checks=("theorem-2.value-std/estimated-value",),
                    ),
                    Reading(
                        id="theorem-2.value-std.of-true-value",
                        says="σ^p is the standard deviation of V*_θ' under p_θ.",
                        status=Status.UNPROVED,
                        checks=("theorem-2.value-std/true-value",),
                    ),
                ),
                repair=Repair(
                    says=(
                        "Bound |Std_{p_θ}[Ṽ*_θ'] - Std_{p̃_θ}[Ṽ*_θ']|, which is what Assumption 1 "
                        "needs in Lemma 3."
                    ),
                    formulas=("ptum.spec.formulas.appendix_d:LEMMA_14_SIGMA_P_REPAIRED",),
                    reference=(
                        "ptum.reference.repaired.sequential.analysis.spectral_bounds:value_std_error_bound",
                    ),
                    checks=("theorem-2.value-std/like-with-like",),
                    errata=("E35",),
                ),
            ),
        ),
    ),
    Claim(
        id="theorem-3",
        kind=Kind.THEOREM,
        number=3,
        label="th:pre-elim",
        title="Pre-elimination never drops the true task",
        section="Section 4.2",
        statement=(
            "With δ ≤ δ'/(3m²) in PTUM, drop θ from the next initial set when Σ_{θ'∈Θ̄_h} "
            "T̂_h(θ,θ') + δk + ρ_T k √(log(9kdm²/δ')/h) ≤ η. For η = δ'/(3km²), with probability "
            "at least 1-δ' the true task is never dropped."
        ),
        uses=("algorithm-1", "algorithm-2", "lemma-12", "lemma-15"),
        assumes=("assumption-2",),
        formulas=(
            "ptum.spec.formulas.sequential:THEOREM_3_RULE",
            "ptum.spec.formulas.sequential:THEOREM_3_ETA",
        ),
        reference=(
            "ptum.reference.sequential.analysis.sequential_bounds:theorem_3_eta",
            "ptum.reference.sequential.analysis.sequential_bounds:theorem_3_eliminates",
        ),
        decisions=("D43", "D44", "D55", "D60", "D61", "D63", "D88", "D90", "D91"),
        parts=(
            Part(
                id="theorem-3.never",
                says="P(the true task is in every Θ̃_h, h ≤ m) ≥ 1-δ'.",
                status=Status.VACUOUS,
                proof=Proof.WRONG,
                evidence=Evidence.CHECKED,
                reason=(
                    "For T̂ ≥ 0 the rule cannot fire: h ≤ m, k ≥ 2 and d ≥ 2 make the last term at "
                    "least 3.7 ρ_T/√m while η ≤ 1/(6m²), so ρ_T ≥ 0.05 is enough, and Lemma 12 "
                    "gives ρ_T ≥ 8√k(1+√5) ≥ 36.6; at δ = δ'/(3m²) the term δk = k²η alone exceeds "
                    "η. A raw T̂ with negative entries fires only where its error is more than "
                    "Lemma 12 allows. What is true is true for that reason; the proof needs Lemma "
                    "15 given the history, while that is proved for a fixed set (E38). With the "
                    "ρ_T = 0.001 of Appendix E, which is chosen for another setting, beside three "
                    "models that are always kept, the rule alone does drop true successors; the "
                    "theorem does not speak of such a constant."
                ),
                checks=("theorem-3.never/nothing-dropped", "theorem-3.never/tuned"),
                repair=Repair(
                    says=(
                        "Per step: drop a set E_h with max_{θ'∈Θ̄_h} Σ_{θ∈E_h} T̂_h(θ,θ') + √|E_h| "
                        "e^T_h ≤ η; then P(θ*_{h+1} ∈ E_h) ≤ η + P(some column error of T̂_h "
                        "exceeds e^T_h) + P(θ*_h ∉ Θ̄_h), for any η in (0,1)."
                    ),
                    formulas=("ptum.spec.formulas.sequential:THEOREM_3_RULE_REPAIRED",),
                    reference=(
                        "ptum.reference.repaired.sequential.analysis.sequential_bounds:theorem_3_eliminates",
                        "ptum.reference.repaired.sequential.analysis.sequential_bounds:miss_probability",
                        "ptum.reference.repaired.sequential.analysis.sequential_bounds:failure_probability",
                    ),
                    checks=("theorem-3.never/per-step",),
                    errata=("E36", "E39", "E61"),
                ),
            ),
            Part(
                id="theorem-3.logarithm",
                says="The logarithm is that of Lemma 12 at confidence δ'/(3km²).",
                status=Status.REFUTED,
                proof=Proof.WRONG,
                evidence=Evidence.CHECKED,
                reason=(
                    "6d divided by δ'/(3km²) is 18kdm²/δ'; the rule prints 9kdm²/δ'. A slip of "
                    "arithmetic: as 9kdm²/δ' ≥ 36, the larger logarithm is at most 1.2 times the "
                    "printed one, and a ρ_T larger by a tenth makes up for it."
                ),
                checks=("theorem-3.logarithm/nine",),
                repair=Repair(
                    says="log(18kdm²/δ'), and the rule waits until h ≥ ρ_5 log(18kdm²/δ').",
                    formulas=("ptum.spec.formulas.sequential:THEOREM_3_RULE_REPAIRED",),
                    reference=(
                        "ptum.reference.repaired.sequential.analysis.sequential_bounds:theorem_3_eliminates",
                    ),
                    checks=("theorem-3.logarithm/eighteen",),
                    errata=("E61",),
                ),
            ),
            Part(
                id="theorem-3.power",
                says=(
                    "A rule that keeps this guarantee for every T drops a task that cannot follow, "
                    "in expectation, at no more than a share eδ' of its occasions."
                ),
                status=Status.HOLDS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "A consequence of ours, which the paper neither states nor denies; it says why "
                    "E36 is not mended by other constants. "
                    "Let a rule miss with probability at most δ' in m steps for every T, and "
                    "T_0(θ,θ') = 0. A chain that takes a step from θ' to θ with probability 1/v, "
                    "and else one of T_0, misses at the first such step among v visits if θ was "
                    "dropped there; comparing likelihoods, (1-1/v)^(v-1) ≥ 1/e, so under T_0 θ is "
                    "dropped at no more than evδ' of v visits in expectation."
                ),
                formulas=("ptum.spec.formulas.sequential:DROPPED_VISITS",),
                checks=("theorem-3.power/rare-successor",),
                repair=Repair(
                    says=(
                        'Ask for a bound per step instead of "never": with η of the order of the '
                        "mass one is ready to lose, the per-step rule does discard."
                    ),
                    formulas=("ptum.spec.formulas.sequential:THEOREM_3_RULE_REPAIRED",),
                    reference=(
                        "ptum.reference.repaired.sequential.analysis.sequential_bounds:theorem_3_eliminates",
                    ),
                    checks=("theorem-3.power/per-step",),
                    errata=("E36",),
                ),
            ),
            Part(
                id="theorem-3.at-any-time",
                says="The statement covers any time, h ≤ m.",
                status=Status.VACUOUS,
                proof=Proof.GAP,
                evidence=Evidence.CHECKED,
                reason=(
                    "η, δ and the logarithm fix the number m of tasks beforehand (Section 2, Table "
                    '1), so that any time means h ≤ m; "before each task h" uses sets and '
                    "estimates that exist only after task h (D43). Up to m nothing is dropped."
                ),
                checks=("theorem-3.at-any-time/horizon", "theorem-3.at-any-time/for-ever"),
                repair=Repair(
                    says="Before task h+1, for every h < m.",
                    checks=("theorem-3.at-any-time/every-step",),
                    errata=("E36",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-hmm-reduction",
        kind=Kind.TEXT,
        title="The sequential setting is a hidden Markov model",
        section="Section 4",
        statement=(
            "Tasks are hidden states moving by T, the samples gathered on each task are the "
            "observations, and estimating O and T is a standard learning problem for such models."
        ),
        decisions=("D46",),
        parts=(
            Part(
                id="text-hmm-reduction.model",
                says="The observations form a hidden Markov model with hidden chain θ*_h.",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "The distribution of o_h given the hidden state must not depend on the past. "
                    "PTUM's sample counts depend on models built from earlier tasks, samples of "
                    "fixed number do not."
                ),
                readings=(
                    Reading(
                        id="text-hmm-reduction.model.fixed-samples",
                        says="o_h averages a fixed number of samples per pair.",
                        status=Status.HOLDS,
                        checks=("text-hmm-reduction.model/fixed",),
                    ),
                    Reading(
                        id="text-hmm-reduction.model.all-samples",
                        says="o_h averages all samples taken while solving the task.",
                        status=Status.REFUTED,
                        checks=("text-hmm-reduction.model/adaptive",),
                    ),
                ),
                repair=Repair(
                    says=(
                        "Observations are made only of a number of fresh samples per pair that is "
                        "fixed before the task."
                    ),
                    checks=("text-hmm-reduction.model/fresh-samples",),
                    errata=("E41",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-unbiased-observations",
        kind=Kind.TEXT,
        title="The empirical models are conditionally unbiased",
        section="Section 4",
        statement=(
            "Given the task, q̂_h and p̂_h have the true reward and transition probabilities as "
            "their expectations."
        ),
        uses=("algorithm-1",),
        decisions=("D46", "D48"),
        parts=(
            Part(
                id="text-unbiased-observations.mean",
                says="E[q̂_h(u|s,a) | θ*_h = θ] = q_θ(u|s,a), and the same for p̂_h.",
                status=Status.REFUTED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "PTUM stops because of what it saw. Two arms, of which one pays 1 with "
                    "probability 0.1 or 0.9 and the other 1/2 deterministically, n = 80, δ = 0.1, "
                    "exact models: the mean of q̂(1) when PTUM ends is 0.0938 and 0.9062 (exact "
                    "sums over counts)."
                ),
                checks=("text-unbiased-observations.mean/stopping",),
                repair=Repair(
                    says="True when the number of samples per pair is fixed before the task.",
                    checks=("text-unbiased-observations.mean/fixed",),
                    errata=("E41",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-conditionally-independent",
        kind=Kind.TEXT,
        title="The empirical models depend on nothing but the task",
        section="Section 4",
        statement=(
            "Given θ*_h, the empirical models of task h are independent of all other variables."
        ),
        uses=("algorithm-1",),
        decisions=("D46",),
        parts=(
            Part(
                id="text-conditionally-independent.given-task",
                says="o_h is independent of everything else given θ*_h.",
                status=Status.REFUTED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "How often PTUM queries a pair depends on the models, the error bound and "
                    "Θ̃_h, all functions of earlier observations; two histories that give "
                    "different stopping times give o_h different conditional distributions, with "
                    "different biases. In the instance two pasts of one length, so with one Δ_h, "
                    "leave different models, both within Δ_h. The deterministic arm is not queried "
                    "in the instance; one sample of it, so that every pair has one, changes "
                    "nothing for the other."
                ),
                checks=("text-conditionally-independent.given-task/two-pasts",),
                repair=Repair(
                    says=(
                        "True for fresh samples of fixed number; what the moments need is only "
                        "E[o_h | θ*_h, past] = μ."
                    ),
                    checks=("text-conditionally-independent.given-task/fixed",),
                    errata=("E41",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-at-least-one-sample",
        kind=Kind.TEXT,
        title="One sample per pair costs no generality",
        section="Section 4",
        statement=(
            "Without loss of generality every state-action pair has been sampled at least once "
            "when a task is finished."
        ),
        decisions=("D46", "D48", "D83", "D94"),
        parts=(
            Part(
                id="text-at-least-one-sample.wlog",
                says="Asking for a sample of each pair loses no generality.",
                status=Status.REFUTED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "PTUM may stop with no sample (singleton Θ̃) while the observation needs SA of "
                    "them: 100 on the 5×5 grid, and 3000 with the 30 post-samples per pair of "
                    "Appendix E. These samples are a cost of the sequential method that its sample "
                    "complexity leaves out."
                ),
                checks=("text-at-least-one-sample.wlog/singleton",),
                repair=Repair(
                    says="State the post-samples as part of the procedure and count them.",
                    checks=("text-at-least-one-sample.wlog/counted",),
                    errata=("E59",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-columns-are-models",
        kind=Kind.TEXT,
        title="The columns of O are the exact flattened models",
        section="Section 4",
        statement="μ_j = E[o_h | θ*_h = θ_j] is the exact model of task j, flattened.",
        uses=("text-unbiased-observations",),
        decisions=("D47",),
        parts=(
            Part(
                id="text-columns-are-models.exact",
                says="Column j of O is (vec q_θj; vec p_θj).",
                status=Status.REFUTED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Follows from unbiasedness and falls with it: with adaptive samples column j "
                    "is a biased model (0.0938 instead of 0.1 in the two-armed example), and the "
                    "spectral method then converges to the biased matrix."
                ),
                checks=("text-columns-are-models.exact/adaptive",),
                repair=Repair(
                    says="True for observations of fixed sample size.",
                    checks=("text-columns-are-models.exact/fixed",),
                    errata=("E41",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-continuous-rewards-minor-tweaks",
        kind=Kind.TEXT,
        title="Continuous rewards need minor tweaks only",
        section="Section 4, footnote",
        statement=(
            "The methods extend to continuous reward distributions, for instance Gaussian, with "
            "small changes."
        ),
        parts=(
            Part(
                id="text-continuous-rewards-minor-tweaks.extends",
                says="The method and its guarantees carry over.",
                status=Status.UNPROVED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "No tweak is named. One that works on exact moments: averages of U and U² in "
                    "place of frequencies, whose means m and m² + s² are all that PTUM needs of a "
                    "reward; Algorithm 3 uses of an observation only that its mean is a column of "
                    "O. With Gaussian rewards the check gets O and T back. A rank condition on "
                    "these means has to replace Assumption 2. The guarantees do not follow: every "
                    "bound of Appendix D uses ‖o_h‖ ≤ √(2SA), which holds for rewards in [0,1] "
                    "and fails for Gaussian ones."
                ),
                checks=("text-continuous-rewards-minor-tweaks.extends/first-two-moments",),
            ),
        ),
    ),
    Claim(
        id="text-plug-in-bounds",
        kind=Kind.TEXT,
        title="The error bounds go straight into PTUM",
        section="Section 4 and Section 4.1",
        statement=(
            "The confidence bounds obtained for the estimates can be used directly as PTUM's Δ."
        ),
        uses=("theorem-2",),
        assumes=("assumption-1",),
        decisions=("D58",),
        parts=(
            Part(
                id="text-plug-in-bounds.known",
                says="With a ρ that is large enough Theorem 2's bound is a Δ for Algorithm 1.",
                status=Status.HOLDS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "The text calls ρ unknown and a parameter, so that this is all it says. That a "
                    "ρ is large enough cannot be known: every ρ_x contains ρ_1, ρ_2 (existential), "
                    "σ_k(Σ_31) and the mixing of the unknown chain, and no number serves all "
                    "chains (text-rho-unknown.parameter). Section 3 had promised a guarantee "
                    "(text-assumption-guaranteed, E60)."
                ),
                checks=("text-plug-in-bounds.known/small-gap",),
                repair=Repair(
                    says=(
                        "Δ_{h+1} = ρ √(log c_{h,δ'}/h) with ρ a parameter; Assumption 1 is then a "
                        "hypothesis on ρ."
                    ),
                    formulas=("ptum.spec.formulas.sequential:THEOREM_2",),
                    reference=(
                        "ptum.reference.sequential.analysis.sequential_bounds:theorem_2_bound",
                    ),
                    checks=("text-plug-in-bounds.known/formula-repaired",),
                    errata=("E60",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-milder-than-gaps",
        kind=Kind.TEXT,
        title="Assumption 2 is milder than minimal positive gaps",
        section="Section 4.1",
        statement=(
            "Full column rank is a weaker demand than a minimal positive gap between the models."
        ),
        assumes=("assumption-2",),
        parts=(
            Part(
                id="text-milder-than-gaps.milder",
                says="Assumption 2 is implied by, and weaker than, positive gaps.",
                status=Status.AMBIGUOUS,
                proof=Proof.IMPORTED,
                evidence=Evidence.CHECKED,
                reason=(
                    "Rank k makes all columns distinct, so it implies positive gaps; the converse "
                    "fails: one pair with success rates 0.2, 0.5, 0.8 has least column distance "
                    "0.424 and rank 2 < 3. What is weaker is that no value of the gap need be "
                    "known."
                ),
                readings=(
                    Reading(
                        id="text-milder-than-gaps.milder.as-implication",
                        says="Positive gaps between all pairs of tasks imply rank O = k.",
                        status=Status.REFUTED,
                        checks=("text-milder-than-gaps.milder/three-rates",),
                    ),
                    Reading(
                        id="text-milder-than-gaps.milder.no-known-constant",
                        says="No lower bound on the gaps need be known to the agent.",
                        status=Status.HOLDS,
                        checks=("text-milder-than-gaps.milder/any-gap",),
                    ),
                ),
                repair=Repair(
                    says=(
                        "Assumption 2 implies positive gaps; it does not ask for a known lower "
                        "bound on them."
                    ),
                    checks=("text-milder-than-gaps.milder/implied-gaps",),
                    errata=("E45",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-eigenvalues-of-covariances",
        kind=Kind.TEXT,
        title="The constants are functions of eigenvalues of covariance matrices",
        section="Section 4.1",
        statement=(
            "The constants depend on the tasks through extreme eigenvalues of covariance matrices "
            "introduced earlier, and on the chain."
        ),
        uses=("lemma-10", "lemma-11", "lemma-12"),
        parts=(
            Part(
                id="text-eigenvalues-of-covariances.eigenvalues",
                says="They depend on eigenvalues of covariance matrices.",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Appendix C calls E[o_i ⊗ o_j] covariance, Appendix D.1 defines λ_min and "
                    "λ_max as singular values: with these words the sentence is right. In the "
                    "usual sense it is not: Σ_21 and Σ_31 are neither symmetric nor centred; "
                    "centred, they lose a rank: on a three-task example the singular values "
                    "(4.106, 0.361, 0.272) become (0.362, 0.273, 0)."
                ),
                readings=(
                    Reading(
                        id="text-eigenvalues-of-covariances.eigenvalues.as-defined",
                        says="Singular values of E[o_i ⊗ o_j], as the appendices define them.",
                        status=Status.HOLDS,
                        checks=("text-eigenvalues-of-covariances.eigenvalues/as-defined",),
                    ),
                    Reading(
                        id="text-eigenvalues-of-covariances.eigenvalues.usual-sense",
                        says="Eigenvalues and covariances in the usual sense.",
                        status=Status.REFUTED,
                        checks=(
                            "text-eigenvalues-of-covariances.eigenvalues/symmetric",
                            "text-eigenvalues-of-covariances.eigenvalues/centred",
                        ),
                    ),
                ),
                repair=Repair(
                    says=(
                        "Largest singular value of Σ_21, k-th singular values of Σ_31 and of O, "
                        "uncentred second moments."
                    ),
                    checks=("text-eigenvalues-of-covariances.eigenvalues/singular-values",),
                    errata=("E29", "E44"),
                ),
            ),
            Part(
                id="text-eigenvalues-of-covariances.full-expressions",
                says="Appendix D gives the full expressions, those of ρ_1 and ρ_2 by reference.",
                status=Status.HOLDS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "ρ_3 to ρ_6 are expressed through ρ_1 and ρ_2, for which the reader is sent to "
                    "the appendix of another paper; ρ_x and ρ_T are renamings of what Lemma 14 and "
                    "Lemma 12 give."
                ),
                checks=("text-eigenvalues-of-covariances.full-expressions/symbols",),
                repair=Repair(
                    says="Appendix D gives all constants but ρ_1 and ρ_2, which are imported.",
                    checks=("text-eigenvalues-of-covariances.full-expressions/imports",),
                    errata=("E60",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-rho-unknown",
        kind=Kind.TEXT,
        title="The constants are parameters, like a confidence level",
        section="Section 4.1",
        statement=(
            "The constants ρ are not known in practice; they are a parameter of the algorithm that "
            "plays the part of a confidence level."
        ),
        uses=("theorem-2",),
        decisions=("D58",),
        parts=(
            Part(
                id="text-rho-unknown.parameter",
                says="ρ has to be chosen by the user.",
                status=Status.HOLDS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "ρ_1 and ρ_2 are existential and the rest needs the unknown O and T. Nor do "
                    "data help: two Bernoulli tasks of rates 1/2 ± a, one flip per task, the next "
                    "task the same with probability λ and redrawn otherwise. O and T have rank 2. "
                    "While all tasks are redrawn the flips are fair, so the distributions of h "
                    "flips for a and for b are within (h-1)λ of each other, and every estimator "
                    "has an error of |a-b|/2 in one of the two models with probability at least "
                    "(1-(h-1)λ)/2. For any number ρ and δ' < 1/2 there is an h that the premise "
                    "admits with ρ√(log c_h/h) < |a-b|/2, and λ = (1-2δ')/(2h) makes the "
                    "probability larger than δ': one of the two models needs a larger constant."
                ),
                checks=(
                    "text-rho-unknown.parameter/any-number",
                    "text-rho-unknown.parameter/close-laws",
                ),
            ),
            Part(
                id="text-rho-unknown.confidence-level",
                says="Choosing ρ is like choosing a confidence level.",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "On the same data a larger ρ makes wider intervals, misses more rarely and "
                    "drops fewer tasks, as a higher level does. But a level is kept whatever the "
                    "distribution of the data is, and no ρ keeps any: take N chains of two "
                    "Bernoulli tasks with rates 1/2 ± a_j, one flip per task, where the next task "
                    "is the same with probability λ and redrawn otherwise. As long as all are "
                    "redrawn the flips are fair in every model, and where the a_j are more than an "
                    "interval apart it covers one of them at most. So every estimator misses in "
                    "one of the models with probability 1 - 1/N - (h-1)λ or more, which is as near "
                    "to 1 as one likes."
                ),
                readings=(
                    Reading(
                        id="text-rho-unknown.confidence-level.trade-off",
                        says="A larger ρ gives wider intervals and at most as many failures.",
                        status=Status.HOLDS,
                        checks=(
                            "text-rho-unknown.confidence-level/rarer-misses",
                            "text-rho-unknown.confidence-level/fewer-dropped",
                        ),
                    ),
                    Reading(
                        id="text-rho-unknown.confidence-level.guarantee",
                        says="Every ρ has a failure probability below 1 that it guarantees.",
                        status=Status.REFUTED,
                        checks=("text-rho-unknown.confidence-level/no-level",),
                    ),
                ),
                repair=Repair(
                    says=(
                        "ρ is a hypothesis on the tasks. Where it is at least their constant, "
                        "Theorem 2's level is δ'; of a smaller one nothing is known. For one "
                        "Bernoulli task Hoeffding's inequality gives a constant that is large "
                        "enough."
                    ),
                    checks=("text-rho-unknown.confidence-level/repaired-large-enough",),
                    errata=("E63",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-rate",
        kind=Kind.TEXT,
        title="The deviations decay like 1/√h",
        section="Section 4.1",
        statement="Constants aside, the deviations decay at the classical rate 1/√h.",
        uses=("theorem-2",),
        parts=(
            Part(
                id="text-rate.rate",
                says="The error of the estimated models is O(1/√h).",
                status=Status.REFUTED,
                proof=Proof.GAP,
                evidence=Evidence.CHECKED,
                reason=(
                    "Up to the √log h of Theorem 2 it is right where Theorem 2 is; under "
                    "Assumption 2 alone there is no decay (independent tasks, three-cycle). On an "
                    "ergodic three-task chain with rank-k pseudo-inverses we measured medians "
                    "0.146, 0.071, 0.037 over 8 runs at h = 600, 2400, 9600: a halving per factor "
                    "four. Standard deviations without a floor decay only like h^(-1/4)."
                ),
                checks=("text-rate.rate/two-coins", "text-rate.rate/no-floor"),
                repair=Repair(
                    says="O(√(log(h)/h)) under the hypotheses of the repaired Theorem 2.",
                    checks=("text-rate.rate/ergodic",),
                    errata=("E26", "E33", "E34"),
                ),
            ),
        ),
    ),
    Claim(
        id="text-perfect-models-in-the-limit",
        kind=Kind.TEXT,
        title="All models become exact in the limit",
        section="Section 4.1",
        statement="As h grows the agent recovers the exact models of all tasks.",
        uses=("theorem-2",),
        parts=(
            Part(
                id="text-perfect-models-in-the-limit.consistency",
                says="Ô_h → O.",
                status=Status.REFUTED,
                proof=Proof.GAP,
                evidence=Evidence.CHECKED,
                reason=(
                    "Fails under Assumption 2 (two indistinguishable families of independent "
                    "tasks; a cycle of three tasks, of which disjoint triples show one in each "
                    "view), and with adaptive samples, where the limit is the biased matrix."
                ),
                checks=(
                    "text-perfect-models-in-the-limit.consistency/two-coins",
                    "text-perfect-models-in-the-limit.consistency/one-task",
                ),
                repair=Repair(
                    says=(
                        "Consistent, up to relabelling, under the repaired Assumption 2 and with "
                        "observations of fixed sample size."
                    ),
                    checks=("text-perfect-models-in-the-limit.consistency/ergodic",),
                    errata=("E26", "E41"),
                ),
            ),
        ),
    ),
    Claim(
        id="text-tasks-before-transfer",
        kind=Kind.TEXT,
        title="O(1/ε²) tasks before transfer mode, and this is tight",
        section="Section 4.1",
        statement=(
            "PTUM enters the transfer mode after O(1/ε²) tasks; this is tight in the worst case "
            "but conservative in practice."
        ),
        uses=("theorem-2", "algorithm-1"),
        parts=(
            Part(
                id="text-tasks-before-transfer.number",
                says="O(1/ε²) tasks suffice.",
                status=Status.REFUTED,
                proof=Proof.GAP,
                evidence=Evidence.CHECKED,
                reason=(
                    "Line 2 of PTUM needs ρ√(log c_h/h) < ε(1-γ)/(4(1+γ)), that is h of order "
                    "(ρ²/(ε²(1-γ)²)) log h: a logarithm in ε is missing, and ρ_σp adds (1-γ)^(-4). "
                    "For fixed γ and under the repaired assumptions it is Õ(1/ε²), if standard "
                    "deviations have a floor; without one Δ falls like h^(-1/4) (E33), which "
                    "gives Õ(1/ε⁴)."
                ),
                checks=("text-tasks-before-transfer.number/logarithm",),
                repair=Repair(
                    says=(
                        "Õ(1/ε²) for fixed γ, under the hypotheses of the repaired Theorem 2 with "
                        "a floor under standard deviations."
                    ),
                    checks=("text-tasks-before-transfer.number/with-logarithm",),
                    errata=("E26", "E33", "E46"),
                ),
            ),
            Part(
                id="text-tasks-before-transfer.tight",
                says="No method needs fewer tasks in the worst case.",
                status=Status.AMBIGUOUS,
                proof=Proof.IMPORTED,
                evidence=Evidence.CHECKED,
                reason=(
                    "Line 2 asks for models within a < ε(1-γ)/(4(1+γ)). Two models that differ by "
                    "2a in one reward rate, N samples of it per task: hN flips tell them apart "
                    "with error probability δ' only if hN is of order 1/a² (two binomial "
                    "distributions; at hN = 1/(4a²) every method misses with probability above "
                    "0.15 in one of them). So with N fixed any method needs Ω(1/(Nε²)) tasks, and "
                    "O(1/ε²) is the right order. But Algorithm 2 takes its observations from the "
                    "samples of the fallback, and a PAC fallback needs N of order 1/ε² itself: "
                    "then the bound is a constant, and 200 tasks are enough for two Bernoulli "
                    "tasks at every ε ≤ 1/1000. The citation is about the samples of a target task "
                    "for which an approximate model is known: it supports that Δ must be of order "
                    "ε, not how many tasks that takes. See docs/sequential_limits.md."
                ),
                readings=(
                    Reading(
                        id="text-tasks-before-transfer.tight.fixed-samples",
                        says="The number of samples per task does not grow as ε falls.",
                        status=Status.HOLDS,
                        checks=("text-tasks-before-transfer.tight/two-points",),
                    ),
                    Reading(
                        id="text-tasks-before-transfer.tight.growing-samples",
                        says="Tasks are observed through all samples of a PAC fallback.",
                        status=Status.REFUTED,
                        checks=("text-tasks-before-transfer.tight/each-task-once",),
                    ),
                ),
                repair=Repair(
                    says=(
                        "Ω(1/(Nε²)) tasks for N samples per pair and task. The 1/√h error of views "
                        "across tasks comes from the random task sequence and stays however large "
                        "N is; views within a task have error of order 1/√(hN)."
                    ),
                    reference=("ptum.reference.repaired.sequential.spectral:learn_within_task",),
                    checks=("text-tasks-before-transfer.tight/samples",),
                    errata=("E46",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-active-set-contains-target",
        kind=Kind.TEXT,
        title="PTUM's final set holds the current task",
        section="Section 4.2",
        statement="By design Θ̄_h contains θ*_h with sufficient probability.",
        uses=("algorithm-1", "lemma-3"),
        decisions=("D44",),
        parts=(
            Part(
                id="text-active-set-contains-target.contains",
                says="P(θ*_h ∈ Θ̃_h and θ*_h ∉ Θ̄_h) ≤ δ.",
                status=Status.HOLDS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Lemma 3, with σ^p as Lemma 14 uses it and Δ_h valid. It needs θ*_h to be in "
                    "the set that PTUM starts from, which Theorem 3 is to ensure; the text says "
                    "sufficient probability, not 1-δ. Where outcomes are deterministic δ is not "
                    "needed, which the check looks at."
                ),
                checks=("text-active-set-contains-target.contains/wrong-singleton",),
                repair=Repair(
                    says="Whatever happened before: identify task h again among all k models.",
                    checks=("text-active-set-contains-target.contains/post-samples",),
                    errata=("E39",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-prediction-is-probability",
        kind=Kind.TEXT,
        title="The predicted probability of the next task",
        section="Section 4.2",
        statement="The probability that θ*_{h+1} = θ is predicted as Σ_{θ'∈Θ̄_h} T̂_h(θ,θ').",
        uses=("algorithm-2",),
        decisions=("D61",),
        parts=(
            Part(
                id="text-prediction-is-probability.sum",
                says="The sum is the probability of θ being next.",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "It adds conditional probabilities over alternatives without weights: if Θ̄_h "
                    "holds two tasks that both move to θ surely the sum is 2, and over θ the sums "
                    "add up to |Θ̄_h|. The rule only needs it to be large enough."
                ),
                readings=(
                    Reading(
                        id="text-prediction-is-probability.sum.as-upper-bound",
                        says="A prediction from above: P(θ*_{h+1} = θ) is at most the sum.",
                        status=Status.HOLDS,
                        checks=("text-prediction-is-probability.sum/bounds",),
                    ),
                    Reading(
                        id="text-prediction-is-probability.sum.as-probability",
                        says="A probability.",
                        status=Status.REFUTED,
                        checks=("text-prediction-is-probability.sum/two-ways",),
                    ),
                ),
                repair=Repair(
                    says=(
                        "An upper bound, up to the error of T̂, for P(θ*_{h+1} = θ | history) when "
                        "θ*_h ∈ Θ̄_h; the maximum over Θ̄_h is a sharper one."
                    ),
                    checks=("text-prediction-is-probability.sum/upper-bound",),
                    errata=("E58",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-never-discarded",
        kind=Kind.TEXT,
        title="A well-chosen threshold never discards the target",
        section="Section 4.2",
        statement=(
            "For a suitable threshold the target is never discarded, with high probability: the "
            "announcement of Theorem 3."
        ),
        link=Link(
            relation=Relation.DISPLAY_OF,
            target="theorem-3",
        ),
    ),
    Claim(
        id="text-sparse-T-helps",
        kind=Kind.TEXT,
        title="A sparse T reduces the sample complexity",
        section="Section 4.2",
        statement=(
            "When each task has few successors the technique can remove many models before PTUM "
            "starts."
        ),
        uses=("theorem-3", "theorem-1"),
        parts=(
            Part(
                id="text-sparse-T-helps.rule",
                says="The rule of Theorem 3 discards many models when T is sparse.",
                status=Status.REFUTED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "With its own constants the rule never fires, however sparse T is, since ρ_T k "
                    "√(log(9kdm²/δ')/h) alone exceeds η."
                ),
                checks=("text-sparse-T-helps.rule/cycle",),
                repair=Repair(
                    says=(
                        "True of the per-step rule: on the eight-task chain a loss of η = 0.03 "
                        "allows all but one task to be dropped when T is known."
                    ),
                    formulas=("ptum.spec.formulas.sequential:THEOREM_3_RULE_REPAIRED",),
                    reference=(
                        "ptum.reference.repaired.sequential.analysis.sequential_bounds:theorem_3_eliminates",
                    ),
                    checks=("text-sparse-T-helps.rule/per-step",),
                    errata=("E36",),
                ),
            ),
            Part(
                id="text-sparse-T-helps.fewer-models",
                says="Starting PTUM from fewer models does not raise its sample complexity bound.",
                status=Status.HOLDS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "In Theorem 1 both |Θ| and the minimum over Θ_ε can only improve when models "
                    "other than the target are removed."
                ),
                checks=("text-sparse-T-helps.fewer-models/bound",),
            ),
        ),
    ),
    Claim(
        id="text-not-harder-than-static",
        kind=Kind.TEXT,
        title="Sequential tasks are not much harder than static ones",
        section="Section 7",
        statement=(
            "Learning sequentially related tasks is not significantly harder than learning tasks "
            "drawn from a fixed distribution."
        ),
        uses=("algorithm-3",),
        assumes=("assumption-2",),
        parts=(
            Part(
                id="text-not-harder-than-static.comparison",
                says="What learns tasks of a fixed distribution learns sequential ones too.",
                status=Status.HOLDS,
                proof=Proof.GAP,
                evidence=Evidence.CHECKED,
                reason=(
                    "With three views inside each task, as in the cited method for independent "
                    "tasks, no bound depends on the chain (Part W of the repaired theory). With "
                    "views across tasks, as in Algorithm 3, the rate on ergodic chains is the same "
                    "1/√h, but that the paper showed it rests on Theorem 2 (E26 to E34); and the "
                    "static case itself is one that Algorithm 3 does not cover (E53)."
                ),
                checks=("text-not-harder-than-static.comparison/independent-tasks",),
                repair=Repair(
                    says="True of moments taken within tasks, which put no condition on T.",
                    reference=("ptum.reference.repaired.sequential.spectral:learn_within_task",),
                    checks=("text-not-harder-than-static.comparison/within-tasks",),
                    errata=("E53",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-exploits-correlations",
        kind=Kind.TEXT,
        title="The method exploits temporal correlations",
        section="Section 7",
        statement=(
            "The combined algorithm learns the task structure sequentially, exploits temporal "
            "correlations and quickly identifies each new task."
        ),
        uses=("theorem-3", "algorithm-2"),
        parts=(
            Part(
                id="text-exploits-correlations.combined",
                says="Algorithm 2 as run in Appendix E starts tasks with fewer models than all.",
                status=Status.HOLDS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "The sentence goes on to say that simulations confirmed it. With the η, ρ_T "
                    "and three models of Appendix E.2 three of the eight tasks are left at every h "
                    "from 300 to 400, if T and the current task are known. With the constants of "
                    "Theorem 3 nothing is discarded (E36)."
                ),
                checks=("text-exploits-correlations.combined/as-analysed",),
                repair=Repair(
                    says="With a guarantee: the per-step rule, identification from post-samples.",
                    checks=("text-exploits-correlations.combined/per-step",),
                    errata=("E36",),
                ),
            ),
        ),
    ),
)
