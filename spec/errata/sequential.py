"""Mistakes of Section 4, the conclusion, the experiments and Appendices C to E."""

from __future__ import annotations

from ptum.spec.records import ErrataGroup, Erratum
from ptum.spec.vocabulary import Evidence, Rank, RepairSupport, Severity

GROUPS: tuple[ErrataGroup, ...] = ()

ERRATA: tuple[Erratum, ...] = (
    Erratum(
        id="E25",
        title="The third view is conditioned on the wrong task",
        group="",
        rank=Rank.MINOR,
        touches=(
            "text-third-view.conditioned-on",
            "text-third-view.weights",
            "text-moment-identities.moments",
            "text-moment-identities.observation",
            "text-moment-identities.transition",
            "theorem-2.bounds",
        ),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "μ_{3,j} is defined as E[o_3 | θ*_3 = θ_j] with stationary weights; the formula for O "
            "then returns O T^{-1}. That for T returns the identity if it is given the true O, and "
            "T only if it is given this wrong one."
        ),
        breaks_at="Appendix C, the sentence after Theorem 3.6 is cited.",
        repair=(
            "μ_{3,j} = E[o_3 | θ*_2 = θ_j] = O T e_j and ω_j = P(θ*_2 = θ_j), averaged over the "
            "triples."
        ),
        cost="None: the algorithm never uses the definition.",
        still_stands=(
            "All identities, exactly, also for chains that are not stationary; Algorithm 3 itself."
        ),
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-third-view.conditioned-on/own-task",
            "text-third-view.weights/stationary",
            "text-moment-identities.moments/printed-form",
            "text-moment-identities.observation/printed-mean",
            "text-moment-identities.transition/identity-matrix",
        ),
    ),
    Erratum(
        id="E26",
        title="Assumption 2 is too weak",
        group="",
        rank=Rank.MAJOR,
        touches=(
            "assumption-2.sufficient",
            "theorem-2.bounds",
            "text-moment-identities.moments",
            "text-moments-from-samples.consistent",
            "text-rate.rate",
            "text-perfect-models-in-the-limit.consistency",
            "text-tasks-before-transfer.number",
            "text-not-harder-than-static.comparison",
            "algorithm-3.estimates",
            "text-task-stochasticity-critical.all-values",
            "text-moment-identities.observation",
            "text-assumption-guaranteed.delivered",
        ),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "Full column rank and positive stationary weights do not make O and T recoverable: "
            "independent tasks, a singular T and a three-cycle with disjoint triples satisfy them "
            "and defeat Algorithm 3, as does T = I if the stationary law need not be unique."
        ),
        breaks_at=(
            "Σ_31 = O T² diag(π̄) O^T has rank k only if T is invertible and π̄ > 0; a realised "
            "run must moreover visit every task in every view."
        ),
        repair=(
            "Add: T invertible and irreducible, period no multiple of 3 (or overlapping triples), "
            "aperiodic for finite-sample bounds. Or take three views within each task: then rank O "
            "= k and all tasks met suffice."
        ),
        cost=(
            "Tasks drawn independently, the common case of the literature, are excluded for views "
            "across tasks."
        ),
        still_stands="The method on ergodic chains with invertible T.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "assumption-2.sufficient/two-coins",
            "theorem-2.bounds/two-coins",
            "text-rate.rate/two-coins",
            "text-assumption-guaranteed.delivered/two-coins",
            "text-perfect-models-in-the-limit.consistency/two-coins",
            "text-perfect-models-in-the-limit.consistency/one-task",
            "text-moments-from-samples.consistent/three-cycle",
            "algorithm-3.estimates/unlearnable",
            "text-task-stochasticity-critical.all-values/one-half",
            "text-not-harder-than-static.comparison/independent-tasks",
        ),
    ),
    Erratum(
        id="E27",
        title="Lemma 10 is quoted with too few hypotheses",
        group="",
        rank=Rank.MAJOR,
        touches=("lemma-10.bound", "lemma-11.bound"),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "Under Assumption 2 as printed no constants ρ_1, ρ_2 exist for independent tasks or "
            "for a three-cycle."
        ),
        breaks_at=(
            "The whitening: M_2 has rank below k, so the k-th eigenvalue of M̂_2 is noise or zero."
        ),
        repair=(
            "Import the lemma with invertible, ergodic T, rank-k pseudo-inverses and observations "
            "of fixed sample size."
        ),
        cost="Constants stay existential; nothing here verifies them.",
        still_stands="The use of the lemma in Lemmas 11 and 12 on such chains.",
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        evidence=Evidence.CHECKED,
        counterexamples=("lemma-10.bound/independent-tasks", "lemma-10.bound/three-cycle"),
    ),
    Erratum(
        id="E28",
        title="Full pseudo-inverses of noisy moments",
        group="",
        rank=Rank.MAJOR,
        touches=("algorithm-3.estimates", "lemma-11.bound", "theorem-2.bounds"),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "With as many independent rows as triples, Σ̂_32 Σ̂_12^† o_1 = o_3 and Σ̂_31 Σ̂_21^† "
            "o_2 = o_3 exactly; with more triples the noise directions are inverted as well."
        ),
        breaks_at=(
            "Algorithm 3, lines 3 and 9: the estimated moments have rank up to min(m, d-2SA+1), "
            "not k."
        ),
        repair=(
            "Pseudo-inverse of the best rank-k approximation: Appendix E.2 prescribes a low-rank "
            "SVD of the moments for the experiments and calls it critical (D87), but Algorithm 3 "
            "and its analysis are without it."
        ),
        cost="One SVD per matrix.",
        still_stands="The population identities, where the moments have rank k.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("algorithm-3.estimates/views-collapse",),
    ),
    Erratum(
        id="E29",
        title="λ_min of a rank-deficient matrix is zero",
        group="",
        rank=Rank.MAJOR,
        touches=("lemma-11.bound", "lemma-12.bound", "text-eigenvalues-of-covariances.eigenvalues"),
        severity=Severity.VACUOUS,
        place="",
        reading="",
        wrong=(
            "ρ_3 and ρ_4 divide by the least singular value of a d×d matrix of rank at most k < d, "
            "which is zero, so that Lemmas 11 and 12 speak of no h."
        ),
        breaks_at="Definition of λ_min in Appendix D.1 together with Lemma 11.",
        repair=(
            "Read λ_min(Σ_31) as the k-th singular value; ‖Σ̂^†‖ is then bounded for the truncated "
            "matrix."
        ),
        cost="None.",
        still_stands="The shape of the bounds.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("lemma-11.bound/no-such-h", "lemma-12.bound/no-such-h"),
    ),
    Erratum(
        id="E30",
        title="The moment deviation lacks scale, sample number and mixing",
        group="",
        rank=Rank.MAJOR,
        touches=("equation-8.bound", "theorem-2.bounds", "lemma-11.bound"),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "√(log(1/δ')/h) bounds neither the spectral norm of a mean of matrices of norm up to "
            "2SA nor a mean over dependent triples. Two certain tasks with 2SA = 12, kept with "
            "probability 3/5 and 600 in number, exceed the bound 0.062 with probability at least "
            "0.82, where δ' = 0.1 is allowed."
        ),
        breaks_at="Equation 8, quoted as Proposition 6 of another paper.",
        repair="(2SA/√m)(√(1+4g) + (1+g)√log(1/δ)) with m = ⌊h/3⌋ and g = Σ_{s≥1} κ(T^{3s-2}).",
        cost=(
            "A factor 2SA, a factor √3 and the mixing constant, about 44 for the paper's "
            "eight-task chain."
        ),
        still_stands="The rate 1/√h.",
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        evidence=Evidence.CHECKED,
        counterexamples=("equation-8.bound/two-tasks",),
    ),
    Erratum(
        id="E31",
        title="Perturbation of the pseudo-inverse",
        group="",
        rank=Rank.MAJOR,
        touches=(
            "lemma-11.pseudo-inverse",
            "lemma-11.implication",
            "lemma-11.bound",
            "theorem-2.bounds",
        ),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "‖Σ^† - Σ̂^†‖ ≤ (2/λ_min)‖Σ - Σ̂‖ does not even scale: for 0.1 and 0.05 it claims 1 "
            "where the difference is 10."
        ),
        breaks_at="Proof of Lemma 11, the display quoted as Proposition 7.",
        repair=(
            "For the rank-k truncation and ‖Σ - Σ̂‖ ≤ σ_k/2: (4/σ_k²)‖Σ - Σ̂‖‖μ‖ for vectors μ in "
            "the range of Σ, which is all that Lemma 11 needs, and (4√2/σ_k²)‖Σ - Σ̂‖ for the "
            "whole matrix. Weyl's inequality suffices."
        ),
        cost="One more factor 1/σ_k(Σ_31).",
        still_stands="The condition ‖Σ - Σ̂‖ ≤ σ_k/2.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("lemma-11.pseudo-inverse/scalars", "lemma-11.implication/four-cycle"),
    ),
    Erratum(
        id="E32",
        title="Constants of Lemmas 11 and 12",
        group="",
        rank=Rank.MAJOR,
        touches=(
            "lemma-11.implication",
            "lemma-11.constants",
            "lemma-11.bound",
            "lemma-12.implication",
            "lemma-12.bound",
        ),
        severity=Severity.CONSTANT,
        place="",
        reading="",
        wrong=(
            "The proof of Lemma 11 displays 2SA + 4SA λ_max where its ingredients give 2SA + 8SA "
            "λ_max and the statement has 4SA + 8SA λ_max; with the corrected pseudo-inverse bound "
            "ρ_4 grows like 1/σ_k². Lemma 12 drops a term that its factor 8 happens to cover."
        ),
        breaks_at="Last displays of both proofs.",
        repair=(
            "ρ_4' = 4λ_max(Σ_21)ρ_2/σ_k + √(2SA)C/σ_k + 8λ_max(Σ_21)√(2SA)C/σ_k² with σ_k = "
            "σ_k(Σ_31) and C r the moment errors; ρ_6' = 2(ρ_2 + ρ_4')/σ_k(O), since Ô^†Ô = I "
            "and a column of T is an average."
        ),
        cost=(
            "ρ_4 gains 1/σ_k(Σ_31) and the scale of equation 8; ρ_6 loses SA, √k and one 1/σ_k(O)."
        ),
        still_stands="Lemma 12 as an implication, with its printed constant.",
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        evidence=Evidence.CHECKED,
        counterexamples=("lemma-11.constants/scalars",),
    ),
    Erratum(
        id="E33",
        title="Lemma 14 needs projection and one floor",
        group="",
        rank=Rank.MAJOR,
        touches=(
            "lemma-13.bound",
            "lemma-14.rewards",
            "lemma-14.values",
            "lemma-14.reward-std",
            "lemma-14.value-std",
            "theorem-2.bounds",
            "text-rate.rate",
        ),
        severity=Severity.MISSING_ASSUMPTION,
        place="",
        reading="",
        wrong=(
            "The proof takes estimated blocks for probability vectors and Ṽ* for a function into "
            "[0, 1/(1-γ)], and assumes a floor on random estimates that Theorem 2 does not state."
        ),
        breaks_at=(
            '"Direct application" of Lemma 13; the bound |(p-p̃)^T V| for V in [0, 1/(1-γ)].'
        ),
        repair=(
            "Project blockwise first; a floor on the true deviations suffices; bounds √U e/2, √S "
            "e/(2(1-γ)), √U e/(2σ̄), √S e/(2σ̄(1-γ)²)."
        ),
        cost="None: the projected bounds are smaller.",
        still_stands="Lemma 13, which even holds with one floor, and the reward line.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-rate.rate/no-floor",
            "lemma-14.values/stretched-row",
            "lemma-14.reward-std/swollen-law",
            "lemma-14.value-std/stretched-row",
        ),
    ),
    Erratum(
        id="E34",
        title="Theorem 2: what h, which labels",
        group="",
        rank=Rank.MAJOR,
        touches=(
            "theorem-2.bounds",
            "theorem-2.condition",
            "theorem-2.all-h",
            "lemma-14.probability",
            "text-rate.rate",
        ),
        severity=Severity.AMBIGUOUS,
        place="",
        reading="",
        wrong=(
            'h is bound by the premise and again by "for all h ≥ 1"; Lemma 14 omits the premise '
            "of Lemma 11; the premise has 2h²d where the proof needs π²h²d; the permutation of "
            "Lemma 10 has disappeared; the rate drops √log h."
        ),
        breaks_at="Statement of Theorem 2 and of Lemma 14.",
        repair=(
            "\"With probability 1-δ', for all h with h ≥ ρ_3 log(π²h²d/δ'), up to one relabelling "
            'per h".'
        ),
        cost="None.",
        still_stands="The union over h: the levels 6δ'/(π²h²) add up to δ'.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("theorem-2.all-h/first-task", "lemma-14.probability/two-tasks-seen"),
    ),
    Erratum(
        id="E35",
        title="Slips of notation in Section 4 and Appendix D",
        group="",
        rank=Rank.REMARK,
        touches=(
            "theorem-2.value-std",
            "lemma-12.bound",
            "lemma-14.reward-std",
            "lemma-14.value-std",
            "theorem-2.uniform",
            "assumption-5.floor",
        ),
        severity=Severity.TYPO,
        place="",
        reading="",
        wrong=(
            "σ^r with three arguments for σ^p; σ^p of V* in Section 2 but of Ṽ* in the proofs; E_m "
            "for E_h; a condition on m for one on h; p̃(s|s,a) for p̃(s'|s,a); p, q ∈ X for P(X); "
            "λ_k, σ_k and λ_min for one thing; the floor of Assumption 5 is σ̲, in Lemma 14 and "
            "its proof it is σ̄, and it is called one of variances but used as one of deviations; "
            '"discards with probability at most 1-δ" for δ.'
        ),
        breaks_at=(
            "Assumption 5, fourth line of Theorem 2, Lemmas 12 to 14, proofs of Theorems 2 and 3."
        ),
        repair="As said.",
        cost="None.",
        still_stands="Everything.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
    ),
    Erratum(
        id="E36",
        title="Theorem 3 never fires",
        group="",
        rank=Rank.MAJOR,
        touches=(
            "theorem-3.never",
            "theorem-3.logarithm",
            "theorem-3.at-any-time",
            "text-sparse-T-helps.rule",
            "text-exploits-correlations.combined",
        ),
        severity=Severity.VACUOUS,
        place="",
        reading="",
        wrong=(
            "With η = δ'/(3km²) the confidence term alone exceeds η for every k ≥ 2, h ≤ m and ρ_T "
            "≥ 0.05, while Lemma 12 gives ρ_T ≥ 36.6; at the largest allowed δ the term δk = k²η "
            "exceeds it as well. The logarithm prints 9kdm² for 18kdm²."
        ),
        breaks_at="The choice of η: a union over m² terms and k tasks is put into one threshold.",
        repair=(
            "A bound per step with a free η: drop a set whose predicted mass plus √|E_h| e^T_h is "
            "at most η."
        ),
        cost="No statement about all m steps together.",
        still_stands="Trivially, the printed guarantee for T̂ ≥ 0.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-sparse-T-helps.rule/cycle",
            "text-exploits-correlations.combined/as-analysed",
            "theorem-3.logarithm/nine",
            "theorem-3.at-any-time/for-ever",
            "theorem-3.never/tuned",
        ),
    ),
    Erratum(
        id="E37",
        title='A "never" rule has little power',
        group="",
        rank=Rank.REMARK,
        touches=("theorem-3.power", "theorem-3.never", "text-sparse-T-helps.rule"),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "A rule that misses with probability at most δ' over m steps, for every T, drops an "
            "impossible successor, in expectation, at no more than a fraction eδ' of its chances."
        ),
        breaks_at=(
            "Two-point comparison: a chain that makes the impossible jump with probability 1/v is "
            "not told apart in v visits."
        ),
        repair="Bound the miss probability per step.",
        cost="Misses happen; the algorithm must recover from them (E39).",
        still_stands="Rules with a large failure budget.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("theorem-3.power/rare-successor",),
    ),
    Erratum(
        id="E38",
        title="Lemma 15 treats a random set as fixed",
        group="",
        rank=Rank.MAJOR,
        touches=("lemma-15.bound", "theorem-3.never"),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "The unconditional probability of the next task is compared with a sum over a set that "
            "depends on the current task."
        ),
        breaks_at=(
            "First inequality of its proof: P(θ*_h = θ') summed over θ' outside Θ̄_h is not at "
            "most δ when Θ̄_h is random. The term δk would be δ even for a fixed set."
        ),
        repair=(
            "Condition on the history: T(θ,θ*_h) ≤ max_{θ'∈Θ̄_h} T̂(θ,θ') + e^T_h when θ*_h ∈ Θ̄_h."
        ),
        cost="None: the conditional bound has neither δk nor the factor k.",
        still_stands="The idea of the rule.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("lemma-15.bound/sticky-tasks",),
    ),
    Erratum(
        id="E39",
        title="A miss is silent and persists",
        group="",
        rank=Rank.REMARK,
        touches=(
            "algorithm-2.feedback",
            "text-active-set-contains-target.contains",
            "theorem-3.never",
            "text-top-three.robust",
        ),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "PTUM started without the true task cannot find it, from a singleton it takes no "
            "sample, and its wrong answer feeds the next prediction. On the eight-task chain with "
            "one successor kept, 57% of 100 tasks are, in expectation, solved with the wrong "
            "model."
        ),
        breaks_at=(
            "Proof of Theorem 3: P(θ*_{l-1} ∉ Θ̄_{l-1}) ≤ δ is used without the event θ*_{l-1} ∈ "
            "Θ̃_{l-1}."
        ),
        repair=(
            "Identify each finished task again, from post-samples of fixed number and among all k "
            "models."
        ),
        cost="SA post-samples per task, which the observation needs anyway.",
        still_stands="Everything up to the first miss.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "algorithm-2.feedback/silent-miss",
            "text-active-set-contains-target.contains/wrong-singleton",
        ),
    ),
    Erratum(
        id="E40",
        title="Labels of successive estimates",
        group="",
        rank=Rank.MAJOR,
        touches=(
            "algorithm-2.labels",
            "lemma-11.bound",
            "lemma-12.bound",
            "lemma-14.probability",
            "theorem-2.bounds",
        ),
        severity=Severity.MISSING_ASSUMPTION,
        place="",
        reading="",
        wrong=(
            "The power method returns components in an order of its own; Algorithm 2 combines T̂_h "
            "with a set named after the previous estimate. With two tasks of equal weight two runs "
            "on the same exact moments exchange the labels with probability 1/2."
        ),
        breaks_at=(
            'Algorithm 2, line 9; statements of Lemmas 11, 12, 14 without "up to a permutation".'
        ),
        repair=(
            "Match each estimate to the previous one by least-cost assignment; rows and columns of "
            "T̂ follow."
        ),
        cost=(
            "An assignment problem of size k; right once errors are below a quarter of the least "
            "column distance, which Lemma 12's premise implies."
        ),
        still_stands="All bounds, read up to one permutation.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("algorithm-2.labels/restarts", "lemma-14.probability/exchanged-names"),
    ),
    Erratum(
        id="E41",
        title="Adaptive samples bias the observations",
        group="",
        rank=Rank.MAJOR,
        touches=(
            "text-unbiased-observations.mean",
            "text-conditionally-independent.given-task",
            "text-columns-are-models.exact",
            "text-hmm-reduction.model",
            "text-perfect-models-in-the-limit.consistency",
            "theorem-2.bounds",
        ),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "PTUM's stopping and its choice of pairs depend on the data, so empirical means are "
            "biased and depend on the past beyond θ*_h. A coin of chance 0.1 that PTUM tells from "
            "one of 0.9 has a mean frequency of 0.0938."
        ),
        breaks_at='Section 4, "it is easy to see".',
        repair="Build o_h from fresh samples whose number is fixed before the task.",
        cost="SA post-samples or more per task.",
        still_stands="The reduction to a hidden Markov model, with such observations.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-unbiased-observations.mean/stopping",
            "text-columns-are-models.exact/adaptive",
            "text-conditionally-independent.given-task/two-pasts",
            "text-hmm-reduction.model/adaptive",
        ),
    ),
    Erratum(
        id="E42",
        title="Estimates are not probabilities",
        group="",
        rank=Rank.MAJOR,
        touches=(
            "algorithm-3.probabilities",
            "lemma-14.values",
            "lemma-14.reward-std",
            "lemma-14.value-std",
            "theorem-2.bounds",
        ),
        severity=Severity.MISSING_ASSUMPTION,
        place="",
        reading="",
        wrong=(
            "Ô and T̂ can have negative entries and blocks that do not sum to one; models built "
            "from them need not have a value function."
        ),
        breaks_at="Algorithm 2, line 7.",
        repair="Euclidean projection of each block and each column on the simplex.",
        cost="None in Euclidean norm; entrywise errors may grow by a factor below 2.",
        still_stands="All Euclidean column bounds.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "algorithm-3.probabilities/signed",
            "lemma-14.values/stretched-row",
            "lemma-14.reward-std/swollen-law",
            "lemma-14.value-std/stretched-row",
        ),
    ),
    Erratum(
        id="E43",
        title="The empirical moments are not symmetric",
        group="",
        rank=Rank.REMARK,
        touches=(
            "algorithm-3.whitening",
            "algorithm-3.estimates",
            "text-symmetric-orthogonal.transformed-views",
        ),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "M̂_2 may have complex leading eigenvalues (39 of 400 runs at h = 30), M̂_3 is not "
            "symmetric, and M_3 is orthogonal only after whitening."
        ),
        breaks_at="Algorithm 3, lines 5 to 7.",
        repair=(
            "Symmetric part of M̂_2, M̂_3(W,W,W) averaged over the six orders, failure if the k-th "
            "eigenvalue is not positive."
        ),
        cost="None.",
        still_stands="The population statements, after whitening.",
        support=RepairSupport.TESTED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "algorithm-3.whitening/complex",
            "text-symmetric-orthogonal.transformed-views/overlap",
        ),
    ),
    Erratum(
        id="E44",
        title='"Covariance" and "eigenvalue"',
        group="",
        rank=Rank.REMARK,
        touches=(
            "text-covariance-matrices.uncentred",
            "text-eigenvalues-of-covariances.eigenvalues",
        ),
        severity=Severity.AMBIGUOUS,
        place="",
        reading="",
        wrong=(
            "Σ_ij are uncentred moments of different views, so neither covariances nor symmetric; "
            "centred they have rank at most k-1. The main text speaks of eigenvalues introduced "
            "before, the appendix of singular values."
        ),
        breaks_at="Section 4.1 after Theorem 2; Appendix C.",
        repair="Uncentred second moments and singular values.",
        cost="None.",
        still_stands="The formula E[o_i ⊗ o_j].",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-covariance-matrices.uncentred/covariances",
            "text-eigenvalues-of-covariances.eigenvalues/centred",
            "text-eigenvalues-of-covariances.eigenvalues/symmetric",
        ),
    ),
    Erratum(
        id="E45",
        title="Rank k is not milder than gaps",
        group="",
        rank=Rank.REMARK,
        touches=("text-milder-than-gaps.milder",),
        severity=Severity.AMBIGUOUS,
        place="",
        reading="",
        wrong=(
            "rank O = k implies distinct models; three tasks on one pair with rates 0.2, 0.5, 0.8 "
            "have gaps and rank 2."
        ),
        breaks_at="Section 4.1 after Assumption 2.",
        repair="Say that no lower bound on the gaps need be known.",
        cost="None.",
        still_stands="The remark about knowledge.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-milder-than-gaps.milder/three-rates",),
    ),
    Erratum(
        id="E46",
        title="1/ε² is not a tight number of tasks",
        group="",
        rank=Rank.REMARK,
        touches=("text-tasks-before-transfer.number", "text-tasks-before-transfer.tight"),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "The cited lower bound counts samples of one target task. With many samples per task O "
            "is known once every task has been met; and the count hides a logarithm and powers of "
            "1/(1-γ)."
        ),
        breaks_at="Last sentence of Section 4.1.",
        repair=(
            "Õ(1/ε²) tasks suffice for views across tasks; views within tasks have error of order "
            "1/√(hn)."
        ),
        cost="None.",
        still_stands="The order of the upper bound in ε.",
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-tasks-before-transfer.number/logarithm",
            "text-tasks-before-transfer.tight/each-task-once",
        ),
    ),
    Erratum(
        id="E47",
        title="The variance floor fails in the paper's own domain",
        group="",
        rank=Rank.MINOR,
        touches=("assumption-5.experiments", "text-floor-removable.true-models"),
        severity=Severity.MISSING_ASSUMPTION,
        place="",
        reading="",
        wrong=(
            "Empty cells pay 0 for certain: σ^r = 0 there, and no constant ρ_σr of Theorem 2 "
            "exists."
        ),
        breaks_at="Assumption 5 against Appendix E.2.",
        repair=(
            "For rewards in [0,b] the deviations differ by at most b√(‖p-q‖_1/2) without a floor, "
            "at rate h^(-1/4); or exclude such pairs from the deviation test."
        ),
        cost="A slower rate for the deviations.",
        still_stands="Rewards and values, which need no floor.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "assumption-5.experiments/empty-cells",
            "text-floor-removable.true-models/any-constant",
        ),
    ),
    Erratum(
        id="E48",
        title="ρ = 0.135 does not enter the transfer mode",
        group="",
        rank=Rank.MINOR,
        touches=(
            "text-rho-enters-transfer-mode.enters",
            "text-rho-enters-transfer-mode.decay-optional",
        ),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "At h = 300 Theorem 2's form gives Δ = 0.038 for δ' = 0.1 and 0.040 for δ' = 0.01 (δ' "
            "is not given), and not less than 0.036 for any δ' < 1, while PTUM's threshold is "
            "0.0066. Even without the logarithm it is 0.0078."
        ),
        breaks_at="Appendix E.2, parameters of Figure 2.",
        repair=(
            "ρ ≤ 0.022 at h = 300 (0.0232 for δ' = 0.1, 0.0221 for δ' = 0.01); or state the bound "
            "that was really used."
        ),
        cost="The experiment cannot be reproduced from its description.",
        still_stands="The final value 0.006, which does enter.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-rho-enters-transfer-mode.enters/after-start-up",
            "text-rho-enters-transfer-mode.decay-optional/last-task",
        ),
    ),
    Erratum(
        id="E49",
        title="Task indices of the near-copies",
        group="",
        rank=Rank.REMARK,
        touches=("text-task-indices.all-eight",),
        severity=Severity.TYPO,
        place="",
        reading="",
        wrong='Tasks "4 and 5" are copies of 5; 6 is never generated.',
        breaks_at="Appendix E.2.",
        repair="4 and 6.",
        cost="None.",
        still_stands="The rest of the description.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-task-indices.all-eight/printed-copies",),
    ),
    Erratum(
        id="E50",
        title="A sample is an episode, or a step",
        group="",
        rank=Rank.REMARK,
        touches=("text-sample-as-episode.count",),
        severity=Severity.AMBIGUOUS,
        place="",
        reading="",
        wrong=(
            "Section 6 counts one episode per sample in both panels of Figure 1, Appendix E one "
            "step in the left panel."
        ),
        breaks_at="Section 6 against Appendix E.1.",
        repair="Appendix E's counting.",
        cost="None.",
        still_stands="The comparison in the right panel.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.DERIVED,
    ),
    Erratum(
        id="E51",
        title="Eleven items, twelve values",
        group="",
        rank=Rank.REMARK,
        touches=("text-eleven-items.count",),
        severity=Severity.AMBIGUOUS,
        place="",
        reading="",
        wrong="Section 6 has 11 items or none, Appendix E lists 12 values.",
        breaks_at="Section 6 against Appendix E.2.",
        repair="The value 0 is the empty cell.",
        cost="None.",
        still_stands="Both lists.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-eleven-items.count/zero-is-an-item",),
    ),
    Erratum(
        id="E52",
        title="Parameters do not double",
        group="",
        rank=Rank.REMARK,
        touches=("text-parameters-doubled.factor",),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "1200 against 3700 parameters is a factor 3.1, and the spectral method estimates all "
            "of them in both experiments."
        ),
        breaks_at="Appendix E.2.",
        repair="Name the two numbers.",
        cost="None.",
        still_stands="That the problem is larger.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-parameters-doubled.factor/two",),
    ),
    Erratum(
        id="E53",
        title="The static variant is not the cited method",
        group="",
        rank=Rank.REMARK,
        touches=("text-static-reduces-to-azar.same", "text-not-harder-than-static.comparison"),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "Algorithm 3 without T̂ still takes its views from consecutive tasks; the cited method "
            "takes them from one task. The static case (independent tasks) is the one where "
            "Algorithm 3 fails."
        ),
        breaks_at="Section 6; Section 7.",
        repair="Views within a task.",
        cost="None: the within-task learner needs no condition on T.",
        still_stands="The experiments as a comparison of two uses of the same estimates.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-static-reduces-to-azar.same/independent-tasks",
            "text-not-harder-than-static.comparison/independent-tasks",
        ),
    ),
    Erratum(
        id="E54",
        title="Experiment constants lie outside Theorem 3",
        group="",
        rank=Rank.REMARK,
        touches=("text-eta-keeps-models.theorem", "text-exploits-correlations.combined"),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "η = 0.087 corresponds to δ' = 334080, δ = 0.01 to δ' ≥ 4800, ρ_T = 0.001 to no chain."
        ),
        breaks_at='Appendix E.2, "the technique described in Theorem 3".',
        repair="Call them tuning parameters.",
        cost="No guarantee for the experiments.",
        still_stands="The arithmetic: predicted probabilities above 0.005 are kept.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-eta-keeps-models.theorem/largest-eta",
            "text-exploits-correlations.combined/as-analysed",
        ),
    ),
    Erratum(
        id="E55",
        title="Figure 1 right: every policy is ε-optimal",
        group="",
        rank=Rank.MINOR,
        touches=("text-informative-goals.ptum-samples",),
        severity=Severity.AMBIGUOUS,
        place="",
        reading="",
        wrong=(
            "Goals that pay at most 0.81 once give values below ε = 1, so PTUM stops with no "
            "sample."
        ),
        breaks_at="Appendix E.1, absorbing state with reward 0 and ε = 1.",
        repair="PTUM's models pay in every step of the goal, or ε below 0.81.",
        cost="PTUM and the baselines then see different MDPs.",
        still_stands="The layout.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-informative-goals.ptum-samples/paid-once",),
    ),
    Erratum(
        id="E56",
        title="Three remarks on the ablations",
        group="",
        rank=Rank.REMARK,
        touches=(
            "text-piecewise-constant-in-epsilon.zero",
            "text-logarithmic-in-states.piecewise",
            "text-excess-vanishes-before-zero.reason",
        ),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "At ε = 0 line 2 compares Δ ≥ 0 and always falls back; the steps over the grid size "
            "are not due to the number of models, which is fixed; and Δ costs samples where it "
            "changes no set of models to discard (37 against 41 for two certain arms, and on the "
            "grid of Figure 3 itself)."
        ),
        breaks_at="Appendix E.1, all three panels of Figure 3.",
        repair=(
            "Strict comparison in line 2; steps come from integer counts; Δ widens the intervals "
            "and lowers the index."
        ),
        cost="None.",
        still_stands="The step form in ε for exact models.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-piecewise-constant-in-epsilon.zero/falls-back",
            "text-logarithmic-in-states.piecewise/same-models",
            "text-excess-vanishes-before-zero.reason/two-arms",
        ),
    ),
    Erratum(
        id="E57",
        title='"Almost deterministic" experiments',
        group="",
        rank=Rank.REMARK,
        touches=("text-almost-deterministic.transitions",),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong=(
            "Transitions that fail with probability up to 0.45 are not almost deterministic, and "
            'the "more stochastic" experiment keeps those of Figure 4.'
        ),
        breaks_at='Appendix E.2, "Increasing the MDP stochasticity".',
        repair=(
            "Only rewards become more stochastic than in Figure 4; than in Figure 2, where actions "
            "fail with probability 0.1, transitions do so as well."
        ),
        cost="None.",
        still_stands="The comparison for rewards.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-almost-deterministic.transitions/same-failures",),
    ),
    Erratum(
        id="E58",
        title="A sum over alternatives is not a probability",
        group="",
        rank=Rank.REMARK,
        touches=("text-prediction-is-probability.sum",),
        severity=Severity.FALSE,
        place="",
        reading="",
        wrong="Σ_{θ'∈Θ̄_h} T̂(θ,θ') can exceed 1 and sums to |Θ̄_h| over θ.",
        breaks_at="Section 4.2, second paragraph.",
        repair="Call it an upper bound, or take the maximum over Θ̄_h.",
        cost="None.",
        still_stands="Its use in a sufficient condition.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-prediction-is-probability.sum/two-ways",),
    ),
    Erratum(
        id="E59",
        title="One sample per pair is not free",
        group="",
        rank=Rank.MINOR,
        touches=("text-at-least-one-sample.wlog",),
        severity=Severity.MISSING_ASSUMPTION,
        place="",
        reading="",
        wrong=(
            "PTUM may finish with no sample; the observation needs SA at least, 3000 per task in "
            "the experiments, which no bound of the paper counts; whether its curves do is open "
            "(D83)."
        ),
        breaks_at='Section 4, "without loss of generality".',
        repair="Count post-samples as a cost of sequential learning.",
        cost="SA times the number of post-samples per task.",
        still_stands="The identification cost reported for PTUM itself.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-at-least-one-sample.wlog/singleton",),
    ),
    Erratum(
        id="E60",
        title="The bounds are not computable",
        group="",
        rank=Rank.REMARK,
        touches=(
            "text-plug-in-bounds.known",
            "text-eigenvalues-of-covariances.full-expressions",
            "text-assumption-guaranteed.delivered",
        ),
        severity=Severity.MISSING_ASSUMPTION,
        place="",
        reading="",
        wrong=(
            "Section 4 sets out to guarantee Assumption 1, which asks for known constants, but "
            "every ρ holds unknown quantities, as the text after Theorem 2 says itself. The full "
            "expressions that it announces leave ρ_1 and ρ_2 to another paper."
        ),
        breaks_at="Opening of Section 4 and text after Theorem 2.",
        repair="ρ is a parameter; Assumption 1 is a hypothesis about it.",
        cost="No end-to-end guarantee for Algorithm 2.",
        still_stands="Theorem 2's form as a template for Δ_h.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-plug-in-bounds.known/small-gap",
            "text-eigenvalues-of-covariances.full-expressions/symbols",
        ),
    ),
    Erratum(
        id="E61",
        title="Accounting in the proof of Theorem 3",
        group="",
        rank=Rank.MINOR,
        touches=("theorem-3.never",),
        severity=Severity.PROOF_GAP,
        place="",
        reading="",
        wrong=(
            "The event of Lemma 12 is one event but charged once per task; a double sum over steps "
            "costs m² where the first miss costs m; the validity of Δ_h (Theorem 2) is not "
            "budgeted."
        ),
        breaks_at="Last three displays of the proof.",
        repair=(
            "First-miss decomposition with levels of order δ'/m, plus the failure probability of "
            "Theorem 2."
        ),
        cost="None.",
        still_stands="The recursion over steps.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
    ),
    Erratum(
        id="E62",
        title="Near-copies do not make PTUM's problem harder",
        group="",
        rank=Rank.REMARK,
        touches=("text-copies-hard.trivial-otherwise",),
        severity=Severity.AMBIGUOUS,
        place="",
        reading="",
        wrong=(
            "Appendix E adds near-copies because identification would be almost trivial without "
            "them. To name the task they are hard; but PTUM stops where the models that are left "
            "share an ε-optimal policy, and with exact models a task takes about 200 samples on "
            "lists drawn as described and 300 where the copies are replaced by random tasks "
            "(text-copies-hard.trivial-otherwise/lists)."
        ),
        breaks_at="Appendix E.2, how the tasks of Figure 2 are made.",
        repair="Say which problem is meant; copies matter while their losses exceed the slack.",
        cost="None.",
        still_stands="The lists, and the comparison of two variants on them.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-copies-hard.trivial-otherwise/two-arms",),
    ),
    Erratum(
        id="E63",
        title="A chosen ρ keeps no confidence level",
        group="",
        rank=Rank.REMARK,
        touches=("text-rho-unknown.confidence-level",),
        severity=Severity.AMBIGUOUS,
        place="",
        reading="",
        wrong=(
            "After Theorem 2 the choice of ρ is likened to that of the level of a confidence "
            "interval. No ρ has a failure probability below 1 that it keeps for all tasks: with "
            "ρ = 1 and 2¹⁹ tasks every estimator misses with probability 0.9 in one of twenty "
            "chains of two coins."
        ),
        breaks_at=(
            "A level holds for every law of the data; the constant of Theorem 2 differs from law "
            "to law and is not bounded."
        ),
        repair=(
            "Call ρ a hypothesis on the tasks: from their constant on the repaired Theorem 2 keeps "
            "δ', below it nothing is known."
        ),
        cost="None beyond E60.",
        still_stands="On the same data a larger ρ makes wider intervals and fewer misses.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-rho-unknown.confidence-level/no-level",),
    ),
    Erratum(
        id="E64",
        title="A learner that stops at ε may ask more with tighter values",
        group="what-is-explained",
        rank=Rank.REMARK,
        touches=("text-fallback-choice.optimism",),
        severity=Severity.AMBIGUOUS,
        place=("Section 3.3, second paragraph, the sentence on tighter upper bounds"),
        reading=(
            "Tighter optimistic values leave fewer pairs that MaxQInit may ask at all, and so a "
            "smaller guarantee."
        ),
        wrong=(
            "What we held: tighter initial values need not shorten a run. Of a learner that stops "
            "once it is sure to be within ε: of ten arms at ε = 0.1 it asks one with the bounds 1 "
            "for the good arm and 0.55 for the others, and all ten when 1 becomes 0.52."
        ),
        breaks_at="A tighter bound on a good pair moves it behind worse ones.",
        repair=(
            "Speak of the pairs with U(s,a) ≥ V*(s), all that an optimistic learner may ask: "
            "tighter bounds leave no more of them. Without the stop at ε, as in MaxQInit on R-MAX, "
            "a run asks those above V*, so that it never asks more either, ties apart."
        ),
        cost="None for guarantees; single runs may get longer.",
        still_stands="At ε = 0 a bound that falls below V* saves the samples of its pair.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-fallback-choice.optimism/asked-last",),
        withdrawn=(
            "The paper says that samples could be saved, of MaxQInit, which does not stop at ε: "
            "its runs ask the pairs with U above V*, so that tighter bounds never make it ask "
            "more, ties apart. The instance is about another learner."
        ),
    ),
    Erratum(
        id="E65",
        title="An online agent also needs a way to its pairs",
        group="what-is-explained",
        rank=Rank.REMARK,
        touches=("text-no-generative-model.diameter",),
        severity=Severity.AMBIGUOUS,
        place="Section 3.3, first paragraph, last sentence",
        reading=(
            "Some agent in the manner of E³, or with the information as a bonus, needs about D "
            "times as many steps as PTUM needs queries."
        ),
        wrong=(
            "What we held: which model the way to a pair is planned in is left open, and it "
            "decides. Planned in the most hopeful active model the agent may never arrive, "
            "although D = 2: where three states have one value, no test notices that a promised "
            "short cut leads back to its start."
        ),
        breaks_at="Lines 12 and 17 see moves through values alone; a way depends on the moves.",
        repair=(
            "Let the target move as its own model says and the budget exceed the bound. Where all "
            "models move alike, D+1 times the queries, in expectation. Where moves are certain, "
            "with probability 1-δ, D+1 times the sum of the bound, min{SA,|Θ|-1} and |Θ|-1, if a "
            "model that mispredicts a move is not planned with again. The proof is Proposition O "
            "of docs/repaired_transfer.md."
        ),
        cost=(
            "Random moves that differ between models are left open, and so is an agent that plans "
            "in the moves it has seen, as E³ does."
        ),
        still_stands="Theorem 1 as a bound on the queries.",
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        evidence=Evidence.CHECKED,
        counterexamples=("text-no-generative-model.diameter/blind-tests",),
        withdrawn=(
            "The sentence is a conjecture and called so, of sketches that fix no way to plan. It "
            "is proved where all models move alike and where moves are certain, and open where "
            "moves are random and differ; what fails is a plan that the paper does not name."
        ),
    ),
)
