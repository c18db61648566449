"""Errata of Section 4, of the experiments and of Appendices C to E."""

from __future__ import annotations

from ptum.spec.records import ErrataGroup, Erratum
from ptum.spec.vocabulary import Evidence, Rank, RepairSupport, Severity

GROUPS: tuple[ErrataGroup, ...] = (
    ErrataGroup(
        id="learnable-chains",
        title="Assumption 2 does not make the chain of tasks learnable",
        explanation=(
            "Section 4 asks for full column rank of O and positive stationary weights. Tasks drawn "
            "independently, a transition matrix without inverse and a cycle of three tasks meet "
            "both and cannot be learned from three consecutive tasks, the first not by any method "
            "where there is one pair and one sample of it. With T invertible and ergodic the "
            "method is right, and with three views inside each task no condition on T is needed."
        ),
    ),
    ErrataGroup(
        id="spectral-bounds",
        title="The error bounds for Ô and T̂",
        explanation=(
            "Lemma 11 rests on three steps that are false as printed: the deviation of the moments "
            "without scale and mixing, the norm of a full pseudo-inverse, and its perturbation "
            "without a second factor 1/σ_k. With full pseudo-inverses the error has tails like "
            "1/x, so that no constants save Theorem 2. With rank-k pseudo-inverses, as the "
            "experiments use them, and larger constants the rate √(log h/h) holds."
        ),
    ),
    ErrataGroup(
        id="estimates-as-models",
        title="From estimated columns to models of named tasks",
        explanation=(
            "Algorithm 2 reads models off Ô and combines T̂ with sets of labels. Estimates need "
            "not be probabilities, standard deviations need a floor, and labels change from one "
            "estimate to the next; the printed lines and lemmas pass over all three. Projection on "
            "the simplex, a floor under the true standard deviations and a matching of columns "
            "mend them at no cost in the rate."
        ),
    ),
    ErrataGroup(
        id="next-task",
        title="Predicting the next task",
        explanation=(
            "Theorem 3 puts a union bound over all steps and tasks into one threshold, and its "
            "rule then never drops a task. The lemma behind it treats a random set as fixed. A "
            "bound per step, given the history, is true, needs neither δk nor the factor k, and "
            "does drop tasks."
        ),
    ),
    ErrataGroup(
        id="observations",
        title="What is observed of a task",
        explanation=(
            "The observation of a task is made of samples whose number and place depend on what "
            "was seen, which biases it and ties it to the past. Fresh samples of a number that is "
            "fixed beforehand make the reduction to a hidden Markov model exact. They have to be "
            "taken, and counted, for every task."
        ),
    ),
    ErrataGroup(
        id="explained-in-section-4",
        title="Explanations of Section 4 and Appendix C that say a little too much",
        explanation=(
            "Sentences that interpret the assumption, the constants and the rate, or name a "
            "quantity. Each is right in one reading, which is given; in another one it is not. No "
            "proof uses them."
        ),
    ),
    ErrataGroup(
        id="experiments-as-described",
        title="Descriptions of the experiments that do not fit together",
        explanation=(
            "Numbers and sentences of Section 6 and Appendix E that contradict each other or leave "
            "open what was run. They matter to whoever repeats the experiments, and say nothing "
            "about what the authors ran."
        ),
    ),
)
"""The groups of this half; its slips of the pen are in that of the other one."""

ERRATA: tuple[Erratum, ...] = (
    Erratum(
        id="E25",
        title="The third view is conditioned on θ*_3 where θ*_2 is meant",
        group="learnable-chains",
        rank=Rank.REMARK,
        touches=(
            "text-third-view.conditioned-on",
            "text-third-view.weights",
            "text-moment-identities.moments",
            "text-moment-identities.transition",
            "lemma-10.bound",
        ),
        severity=Severity.TYPO,
        place="Appendix C, the sentence that quotes Theorem 3.6: μ_{3,j} and ω_j",
        reading=(
            "A slip of an index: with μ_{3,j} = E[o_3 | θ*_2 = θ_j] = O T e_j every formula after "
            "it is the right one, and the stationary ω_j is right for a chain that starts from its "
            "stationary distribution."
        ),
        wrong=(
            "As printed μ_{3,j} is O e_j, which does not decompose M_2, would make [T]_j = O^† "
            "μ_{3,j} the identity for every chain, and leaves Lemma 10 without constants for "
            "independent tasks. The weights are those of the middle task, which the arbitrary "
            "first task of Section 2 makes different from the stationary ones."
        ),
        breaks_at="The three views are independent given the middle task.",
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
            "lemma-10.bound/independent-tasks",
        ),
    ),
    Erratum(
        id="E26",
        title="Assumption 2 does not make O and T recoverable",
        group="learnable-chains",
        rank=Rank.MAJOR,
        touches=(
            "assumption-2.sufficient",
            "theorem-2.bounds",
            "text-moment-identities.moments",
            "text-moment-identities.observation",
            "text-moments-from-samples.consistent",
            "text-rate.rate",
            "text-perfect-models-in-the-limit.consistency",
            "text-tasks-before-transfer.number",
            "algorithm-3.estimates",
            "text-assumption-guaranteed.delivered",
        ),
        severity=Severity.FALSE,
        place=(
            "Section 4.1, Assumption 2 and the sentence before it; Theorem 2; Appendix C, the "
            "averages over triples"
        ),
        reading=(
            "rank O = k and a unique stationary distribution that is positive ensure that some "
            "estimator, and Algorithm 3 in particular, recovers O and T as the number of tasks "
            "grows."
        ),
        wrong=(
            "Independent tasks meet it: two that are equally likely, with one pair and one sample "
            "of it, give the same data for the Bernoulli rates {0.9, 0.1} and {0.7, 0.3}, so that "
            "no method learns both. A T without inverse and a cycle of three tasks meet it too and "
            "defeat Algorithm 3, because Σ_31 then has rank below k."
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
            "text-moment-identities.moments/printed-form",
            "text-moment-identities.observation/printed-mean",
            "algorithm-3.estimates/unlearnable",
        ),
    ),
    Erratum(
        id="E27",
        title="Lemma 10 is quoted with too few hypotheses",
        group="learnable-chains",
        rank=Rank.MAJOR,
        touches=("lemma-10.bound", "lemma-11.bound"),
        severity=Severity.FALSE,
        place='Appendix D.2, Lemma 10, "under Assumption 2"',
        reading=(
            "Wherever Assumption 2 holds there are constants ρ_1, ρ_2, which may depend on tasks "
            "and chain, for the error of μ̂_{3,j} up to a permutation, with μ_{3,j} = O T e_j."
        ),
        wrong=(
            "For a cycle of three tasks there are none: every disjoint triple begins with the same "
            "task, M_2 has rank one, and line 6 of Algorithm 3 divides by zero."
        ),
        breaks_at=(
            "The whitening: M_2 has rank below k, so the k-th eigenvalue of M̂_2 is noise or zero."
        ),
        repair=(
            "Import the lemma with invertible, ergodic T, rank-k pseudo-inverses and observations "
            "of fixed sample size."
        ),
        cost="Constants stay existential; the rate was seen on one chain, no constant is verified.",
        still_stands="The use of the lemma in Lemmas 11 and 12 on such chains.",
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        given="the recovery theorems of Anandkumar et al. (2012, 2014)",
        evidence=Evidence.CHECKED,
        counterexamples=("lemma-10.bound/three-cycle",),
    ),
    Erratum(
        id="E28",
        title="Full pseudo-inverses of estimated moments have heavy tails",
        group="spectral-bounds",
        rank=Rank.MAJOR,
        touches=(
            "algorithm-3.estimates",
            "lemma-11.inverse-norm",
            "lemma-11.bound",
            "theorem-2.bounds",
        ),
        severity=Severity.FALSE,
        place=(
            "Algorithm 3, lines 3 and 9; Appendix D.2, proof of Lemma 11, the bound on ‖Σ̂_31^†‖; "
            "Theorem 2"
        ),
        reading=(
            "† is the pseudo-inverse of the estimate, λ_min the least singular value that is not "
            "zero, d is fixed, T is invertible and ergodic, and h is large; Appendix E.2 cuts "
            "moments to rank k in the experiments, as an aid to stability, and neither the "
            "algorithm nor the proof does."
        ),
        wrong=(
            "‖Σ̂_31^†‖ ≤ 2/λ_min(Σ_31) is false where k < d, because Σ̂_31 has small singular "
            "values where Σ_31 has none. The estimates converge, but no constants make Lemma 11 or "
            "Theorem 2 true: with two tasks and one direction of noise P(√h · error > x) is at "
            "least c/x, where exp(-x²/ρ²) is needed (docs/sequential_limits.md)."
        ),
        breaks_at=(
            "Weyl's inequality keeps the k-th singular value of Σ̂_31 away from zero, not those "
            "after it."
        ),
        repair=(
            "Pseudo-inverse of the best rank-k approximation, as Appendix E.2 has it for the "
            "experiments (D50, D87): then ‖[Σ̂_31]_k^†‖ ≤ 2/σ_k(Σ_31)."
        ),
        cost="One SVD per matrix.",
        still_stands=(
            "The population identities, consistency at fixed d, and the experiments, which cut to "
            "rank k."
        ),
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("lemma-11.inverse-norm/one-coin", "lemma-11.bound/heavy-tail"),
    ),
    Erratum(
        id="E29",
        title="λ_min(Σ_31) stands for the k-th singular value",
        group="spectral-bounds",
        rank=Rank.REMARK,
        touches=(
            "lemma-11.bound",
            "lemma-12.bound",
            "text-eigenvalues-of-covariances.eigenvalues",
        ),
        severity=Severity.TYPO,
        place="Appendix D.1, definition of λ_min; Lemma 11, ρ_3 and ρ_4",
        reading="λ_min(Σ_31) is the k-th singular value, as λ_k(O) of Lemma 12 is for O.",
        wrong=(
            "Appendix D.1 defines it as the least singular value, which is 0 for the d×d matrix "
            "Σ_31 of rank at most k < d; ρ_3 would be infinite."
        ),
        breaks_at="The definition is taken over from matrices of full rank.",
        repair="Read λ_min(Σ_31) as σ_k(Σ_31).",
        cost="None.",
        still_stands="The shape of the bounds.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("lemma-11.bound/no-such-h", "lemma-12.bound/no-such-h"),
    ),
    Erratum(
        id="E30",
        title="The deviation of the moments lacks scale, number of triples and mixing",
        group="spectral-bounds",
        rank=Rank.MAJOR,
        touches=("equation-8.bound", "theorem-2.bounds", "lemma-11.bound"),
        severity=Severity.FALSE,
        place="Appendix D.2, proof of Lemma 11, equation (8)",
        reading=(
            "With probability at least 1-δ' each, for every ergodic chain; the cited proposition "
            "may have had constants, but ρ_3 and ρ_4, which are explicit, do not show any."
        ),
        wrong=(
            "A mean of ⌊h/3⌋ dependent matrices of norm up to 2SA deviates by a multiple of 2SA/√h "
            "that grows with the mixing time. Two deterministic tasks with 2SA = 12, kept with "
            "probability 3/5, exceed √(log(1/δ')/h) = 0.062 at h = 600 with probability at least "
            "0.82, where δ' = 0.1 is allowed."
        ),
        breaks_at=(
            "A concentration inequality is quoted without the quantities that it depends on."
        ),
        repair=("(2SA/√m)(√(1+4g) + (1+g)√log(1/δ)) with m = ⌊h/3⌋ and g = Σ_{s≥1} κ(T^{3s-2})."),
        cost=(
            "A factor 2SA, a factor √3 and the mixing constant, about 44 for the paper's "
            "eight-task chain."
        ),
        still_stands="The rate 1/√h.",
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        given="the maximal coupling of Griffeath (1975)",
        evidence=Evidence.CHECKED,
        counterexamples=("equation-8.bound/two-tasks",),
    ),
    Erratum(
        id="E31",
        title="The perturbation of the pseudo-inverse lacks a factor",
        group="spectral-bounds",
        rank=Rank.MAJOR,
        touches=(
            "lemma-11.pseudo-inverse",
            "lemma-11.implication",
            "lemma-11.bound",
            "theorem-2.bounds",
        ),
        severity=Severity.FALSE,
        place="Appendix D.2, proof of Lemma 11, the display quoted as Proposition 7",
        reading=(
            "For matrices of equal rank with ‖Σ - Σ̂‖ ≤ λ_min/2, λ_min being the least singular "
            "value that is not zero."
        ),
        wrong=(
            "The bound (2/λ_min)‖Σ - Σ̂‖ does not scale like an inverse: for the numbers 0.1 and "
            "0.05 it claims 1 where the inverses differ by 10. With it Lemma 11 fails as an "
            "implication: on a four-cycle the error of a column of Ô is 0.50 where not even 0.153 "
            "is allowed."
        ),
        breaks_at="One of the two factors 1/λ_min is lost.",
        repair=(
            "For the rank-k truncation and ‖Σ - Σ̂‖ ≤ σ_k/2: (4/σ_k²)‖Σ - Σ̂‖‖μ‖ for vectors μ in "
            "the range of Σ, which is all that Lemma 11 needs, and (4√2/σ_k²)‖Σ - Σ̂‖ for the "
            "whole matrix. Weyl's inequality suffices. Then ρ_4' = 4λ_max(Σ_21)ρ_2/σ_k + "
            "√(2SA)C/σ_k + 8λ_max(Σ_21)√(2SA)C/σ_k² with σ_k = σ_k(Σ_31) and C r the moment errors."
        ),
        cost="One more factor 1/σ_k(Σ_31), so that ρ_4 grows like 1/σ_k².",
        still_stands="The condition ‖Σ - Σ̂‖ ≤ σ_k/2.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("lemma-11.pseudo-inverse/scalars", "lemma-11.implication/four-cycle"),
    ),
    Erratum(
        id="E32",
        title="Constants of Lemmas 11 and 12",
        group="spectral-bounds",
        rank=Rank.REMARK,
        touches=("lemma-11.constants", "lemma-12.implication", "lemma-12.bound"),
        severity=Severity.CONSTANT,
        place="Appendix D.2, last displays of the proofs of Lemmas 11 and 12",
        reading=(
            "The statement of Lemma 11 covers the sum of what its proof has shown; only the last "
            "display prints half of it."
        ),
        wrong=(
            "The last display of Lemma 11 has 2SA + 4SA λ_max where its ingredients give 2SA + 8SA "
            "λ_max. Lemma 12 drops a term that its factor 8 happens to cover."
        ),
        breaks_at="The factors 2λ_max, 2SA and 2/λ_min are multiplied to 4SA λ_max/λ_min.",
        repair=(
            "Print the constants of the statement in the display. With the ρ_4' of E31, ρ_6' = "
            "2(ρ_2 + ρ_4')/σ_k(O), since Ô^†Ô = I and a column of T is an average."
        ),
        cost="None; ρ_6 loses SA, √k and one 1/σ_k(O).",
        still_stands=(
            "The statement of Lemma 11, as the sum of its ingredients; Lemma 12 as an implication, "
            "with its printed constant."
        ),
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        given="the recovery theorems of Anandkumar et al. (2012, 2014)",
        evidence=Evidence.CHECKED,
        counterexamples=("lemma-11.constants/scalars",),
    ),
    Erratum(
        id="E33",
        title="Theorem 2 does not state the floor that its proof needs",
        group="estimates-as-models",
        rank=Rank.MINOR,
        touches=(
            "lemma-13.bound",
            "lemma-14.reward-std",
            "lemma-14.value-std",
            "theorem-2.bounds",
            "text-rate.rate",
            "text-tasks-before-transfer.number",
        ),
        severity=Severity.MISSING_ASSUMPTION,
        place=(
            "Section 4.1, Theorem 2, third and fourth line; Appendix D.1, Assumption 5; Lemma 14"
        ),
        reading=(
            "Assumption 5 of Appendix D.1, a floor under true and estimated standard deviations at "
            "every h, is in force in Theorem 2."
        ),
        wrong=(
            "Section 4.1 states the theorem without it, and for a deterministic reward no constant "
            "ρ_σr exists: an estimate with error e has a standard deviation of √(e(1-e)). As "
            "Assumption 5 has it the floor is one under random estimates at all h, where one under "
            "the true standard deviations is enough."
        ),
        breaks_at="Lemma 13 needs a floor under one of the two variances.",
        repair=(
            "A floor σ̄ under the true standard deviations, stated in Theorem 2; after projection "
            "(E42) errors are at most √U e/2, √S e/(2(1-γ)), √U e/(2σ̄) and √S e/(2σ̄(1-γ)²)."
        ),
        cost="None: the projected bounds are smaller.",
        still_stands="Lemma 13, which even holds with one floor; the lines for rewards and values.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-rate.rate/no-floor",),
    ),
    Erratum(
        id="E34",
        title="Theorem 2 binds h twice, and no relabelling is mentioned",
        group="estimates-as-models",
        rank=Rank.MINOR,
        touches=(
            "theorem-2.bounds",
            "theorem-2.condition",
            "theorem-2.all-h",
            "lemma-14.probability",
            "text-rate.rate",
        ),
        severity=Severity.IMPRECISE,
        place=("Theorem 2, premise and conclusion; Lemma 14, statement; Section 4.1, the rate"),
        reading=(
            "For all h that satisfy the premise the bounds hold up to one relabelling of the tasks "
            "per h, Lemma 14 inherits the premise of Lemma 11, and the rate is meant up to "
            "logarithms."
        ),
        wrong=(
            "The words are for all h ≥ 1, without relabelling and without a logarithm; but for h < "
            "3 there is no estimate, and families that differ in the names of their tasks give the "
            "same data. So read the statements are those that the proofs aim at."
        ),
        breaks_at=(
            'h is bound by the premise and again by "for all h ≥ 1"; "up to some permutation" of '
            "Lemma 10 is not repeated; the premise has 2h²d where π²h²d is used, which the "
            "existential ρ absorbs."
        ),
        repair=(
            "\"With probability 1-δ', for all h with h ≥ ρ_3 log(π²h²d/δ'), up to one relabelling "
            'per h".'
        ),
        cost="None.",
        still_stands="The union over h: the levels 6δ'/(π²h²) add up to δ'.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "theorem-2.all-h/first-task",
            "lemma-14.probability/two-tasks-seen",
            "lemma-14.probability/exchanged-names",
        ),
    ),
    Erratum(
        id="E35",
        title="Slips of notation in Section 4 and Appendix D",
        group="slips-of-the-pen",
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
        place=(
            "Theorem 2, fourth line; Assumption 5; Lemmas 12, 13 and 14; proofs of Theorems 2 and 3"
        ),
        reading="Each symbol is read as the formulas around it need it.",
        wrong=(
            "σ^r with three arguments for σ^p; σ^p of V* in Section 2 but of Ṽ* in the proofs; E_m "
            "for E_h; a condition on m for one on h; p̃(s|s,a) for p̃(s'|s,a); p, q ∈ X for P(X); "
            "λ_k, σ_k and λ_min for one thing; the floor of Assumption 5 is σ̲, in Lemma 14 and "
            "its proof it is σ̄, and it is called one of variances but used as one of standard "
            "deviations; "
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
        title="With its own constants the rule of Theorem 3 never fires",
        group="next-task",
        rank=Rank.MAJOR,
        touches=(
            "theorem-3.never",
            "theorem-3.at-any-time",
            "theorem-3.power",
            "text-sparse-T-helps.rule",
            "text-exploits-correlations.combined",
        ),
        severity=Severity.VACUOUS,
        place=(
            "Section 4.2, Theorem 3, η against the last two terms of the rule; the sentence after "
            "it on a sparse T"
        ),
        reading=(
            "ρ_T is the constant of Lemma 12, or any other of at least 0.05, δ is as small as one "
            "likes, T̂ has no negative entry, and h ≤ m."
        ),
        wrong=(
            "Then the last term is at least 3.7ρ_T/√m while η ≤ 1/(6m²), so that nothing is ever "
            "dropped, however sparse T is; at the largest allowed δ the term δk = k²η alone "
            "exceeds η. Lemma 12's constants are at least 36.6."
        ),
        breaks_at=("The choice of η: a union over m² terms and k tasks is put into one threshold."),
        repair=(
            "A bound per step with a free η: drop a set whose predicted mass plus √|E_h| e^T_h is "
            "at most η."
        ),
        cost=(
            "The bound is per step, so that m steps need levels of order δ'/m; a rule that is "
            "right for every T then drops an impossible successor at no more than a share eδ' of "
            "its occasions (theorem-3.power)."
        ),
        still_stands=(
            "Trivially, the printed guarantee; the technique with constants chosen by hand, as in "
            "Appendix E."
        ),
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-sparse-T-helps.rule/cycle",),
    ),
    Erratum(
        id="E37",
        title='A "never" rule has little power',
        group="next-task",
        rank=Rank.REMARK,
        touches=("theorem-3.power", "text-sparse-T-helps.rule"),
        severity=Severity.IMPRECISE,
        place="Section 4.2, Theorem 3 and the sentence after it",
        reading="A rule with the guarantee of Theorem 3 discards tasks now and then.",
        wrong=(
            "What we held: a rule that misses with probability at most δ' over m steps, for every "
            "T, drops an impossible successor, in expectation, at no more than a fraction eδ' of "
            "its occasions."
        ),
        breaks_at=(
            "Two-point comparison: a chain that makes the impossible jump with probability 1/v is "
            "not told apart in v visits."
        ),
        repair="Bound the miss probability per step.",
        cost="Misses happen; the algorithm must recover from them.",
        still_stands=(
            "Rules with a large failure budget, and rules that know a constant of their chain."
        ),
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        withdrawn=(
            "The proposition is true and kept as theorem-3.power, but contradicts nothing: Theorem "
            "3 says nothing about how often a task is dropped, and its ρ_T may depend on the "
            "chain, so that it is not about one rule for every T."
        ),
    ),
    Erratum(
        id="E38",
        title="Lemma 15 treats a random set as fixed",
        group="next-task",
        rank=Rank.MINOR,
        touches=("lemma-15.bound",),
        severity=Severity.FALSE,
        place="Appendix D.3, Lemma 15 and the first inequality of its proof",
        reading=(
            "P is unconditional, as the proof has it, and Θ̄_h is the set that PTUM returns. Read "
            "given the history, as the proof of Theorem 3 needs it, the inequality is true where "
            "θ*_h ∈ Θ̄_h, so with probability 1-δ'-δ in place of 1-δ', and without δk; with the "
            "maximum for the sum, without the factor k too."
        ),
        wrong=(
            "Θ̄_h depends on the current task: two tasks, 0 and 1, kept with probability 0.9, Θ̄_h = "
            "{θ*_h}, T̂ = T and δ = 0 give P(θ*_{h+1} = 0) = 0.5, while whenever θ*_h = 1, so with "
            "probability 1/2 where δ' is allowed, the right side is T̂(0,1) = 0.1 at h = ∞ (0.118 "
            "at h = 10⁸, ρ_T = 40)."
        ),
        breaks_at=(
            "P(θ*_h = θ') summed over θ' outside Θ̄_h is not at most δ when Θ̄_h is random, and "
            "for a fixed set δk would be δ."
        ),
        repair=(
            "Condition on the history: T(θ,θ*_h) ≤ max_{θ'∈Θ̄_h} T̂(θ,θ') + e^T_h when θ*_h ∈ Θ̄_h."
        ),
        cost="None: the conditional bound has neither δk nor the factor k.",
        still_stands=(
            "The bound given the history, with probability 1-δ'-δ, which is all that Theorem 3 "
            "makes of it."
        ),
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("lemma-15.bound/sticky-tasks",),
    ),
    Erratum(
        id="E39",
        title="An event dropped in the proof of Theorem 3",
        group="next-task",
        rank=Rank.REMARK,
        touches=(
            "algorithm-2.feedback",
            "text-active-set-contains-target.contains",
            "theorem-3.never",
        ),
        severity=Severity.TYPO,
        place="Appendix D.3, proof of Theorem 3, second display",
        reading=(
            "The event θ*_{l-1} ∈ Θ̃_{l-1}, with which the display begins, belongs to its last "
            "term too; then PTUM's guarantee gives δ and the proof goes on unchanged."
        ),
        wrong=(
            "The display has P(θ*_{l-1} ∉ Θ̄_{l-1}) ≤ δ without the event, which PTUM does not "
            "promise: started without the task it cannot find it. The slip is harmless where no "
            "task is dropped; where a rule does drop tasks a miss lasts, because Θ̄_h is a part of "
            "Θ̃_h."
        ),
        breaks_at="Intersecting with the complement of an event forgets the other event.",
        repair=(
            "Keep the event; and, where a rule drops tasks, identify each finished task again, "
            "from post-samples of fixed number and among all k models."
        ),
        cost="SA post-samples per task, which the observation needs anyway.",
        still_stands=(
            "The proof of Theorem 3 in this step; the experiments, which keep all possible "
            "successors."
        ),
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
    ),
    Erratum(
        id="E40",
        title="Labels of successive estimates are never matched",
        group="estimates-as-models",
        rank=Rank.MAJOR,
        touches=(
            "algorithm-2.labels",
            "lemma-11.bound",
            "lemma-12.bound",
            "lemma-14.probability",
            "theorem-2.bounds",
        ),
        severity=Severity.MISSING_ASSUMPTION,
        place="Algorithm 2, lines 7 and 9; statements of Lemmas 11, 12 and 14",
        reading=(
            "The permutation of Lemma 10 is meant in Lemmas 11, 12 and 14 too, and the components "
            "of each estimate come in some order, for example of their eigenvalues."
        ),
        wrong=(
            "Line 9 combines T̂_h with a set that is named after the previous estimate, and no "
            "order is the same in both: with two tasks of equal weight two runs on the same exact "
            "moments exchange the labels with probability 1/2."
        ),
        breaks_at="The power method returns components in an order of its own.",
        repair=(
            "Match each estimate to the previous one by least-cost assignment; rows and columns of "
            "T̂ follow."
        ),
        cost=(
            "An assignment problem of size k; right once errors of both estimates are below a "
            "quarter of the least column distance, which Lemma 12's premise implies of each (D117)."
        ),
        still_stands="All bounds, read up to one permutation.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("algorithm-2.labels/restarts",),
    ),
    Erratum(
        id="E41",
        title="Adaptive samples bias the observations",
        group="observations",
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
        place=(
            'Section 4, second paragraph, "It is easy to see" and the next two sentences; '
            "Algorithm 2, line 5"
        ),
        reading=(
            "q̂_h and p̂_h are the frequencies of all samples taken while task h is solved, as "
            "Section 4 has it. Of uniform sampling, and of post-samples of fixed number as in "
            "Appendix E.2, the sentences are true."
        ),
        wrong=(
            "PTUM's stopping and its choice of pairs depend on the data, so empirical means are "
            "biased and depend on the past beyond θ*_h. A Bernoulli reward of rate 0.1 that PTUM "
            "distinguishes from one of 0.9 has a mean frequency of 0.0938."
        ),
        breaks_at="An average over a number of samples that depends on them.",
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
        title="Estimates are taken for probabilities",
        group="estimates-as-models",
        rank=Rank.MAJOR,
        touches=(
            "algorithm-3.probabilities",
            "lemma-14.rewards",
            "lemma-14.values",
            "lemma-14.reward-std",
            "lemma-14.value-std",
            "theorem-2.bounds",
        ),
        severity=Severity.MISSING_ASSUMPTION,
        place=(
            "Algorithm 2, line 7; Appendix D.3, proof of Lemma 14, where functions into [0, "
            "1/(1-γ)] and Lemma 13 come in"
        ),
        reading=(
            "Models are read off the blocks of Ô as they are. Theorem 2 and Lemma 14 call them "
            "distributions, and of distributions their lines on values are true; Appendix E.2 "
            "remarks that estimates could be normalised, but no line of the algorithms does so."
        ),
        wrong=(
            "Blocks of Ô can have negative entries and need not sum to one, and then Ṽ* leaves [0, "
            "1/(1-γ)] or does not exist. Two states, γ = 0.9, every p = 0.5 estimated as 0.555, "
            "all standard deviations at least 0.3: the error of the columns is e = 0.11, that of "
            "expected values 55, where Lemma 14 allows 2.2."
        ),
        breaks_at="Nothing in Algorithm 3 makes its output a probability vector.",
        repair="Euclidean projection of each block and each column on the simplex.",
        cost="None in Euclidean norm; entrywise errors may grow by a factor below 2.",
        still_stands=(
            "All Euclidean column bounds; the reward line, and that of reward standard deviations "
            "for small errors."
        ),
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "algorithm-3.probabilities/signed",
            "lemma-14.values/stretched-row",
            "lemma-14.value-std/stretched-row",
            "lemma-14.reward-std/swollen-law",
        ),
    ),
    Erratum(
        id="E43",
        title="The empirical moments are not symmetric",
        group="explained-in-section-4",
        rank=Rank.REMARK,
        touches=(
            "algorithm-3.whitening",
            "algorithm-3.estimates",
            "text-symmetric-orthogonal.transformed-views",
        ),
        severity=Severity.IMPRECISE,
        place="Algorithm 3, lines 5 to 7",
        reading=(
            "M̂_2 is near the symmetric M_2 for large h, and whoever implements the lines "
            "symmetrises both moments, as the cited method for symmetric tensors supposes."
        ),
        wrong=(
            "The lines do not say so, and M̂_2 may have complex or negative leading eigenvalues, "
            "of which line 6 takes roots; where two eigenvalues of M_2 agree also for large h. "
            "With three tasks and 10 samples per pair a leading pair was complex in 39 of 400 runs "
            "at h = 30."
        ),
        breaks_at="An estimate of a symmetric matrix from different views is not symmetric.",
        repair=(
            "Symmetric part of M̂_2, M̂_3(W,W,W) averaged over the six orders, failure if the k-th "
            "eigenvalue is not positive."
        ),
        cost="None.",
        still_stands="The population statements: whitening makes M_3 symmetric and orthogonal.",
        support=RepairSupport.TESTED,
        evidence=Evidence.CHECKED,
        counterexamples=("algorithm-3.whitening/complex",),
    ),
    Erratum(
        id="E44",
        title='"Covariance" and "eigenvalue"',
        group="explained-in-section-4",
        rank=Rank.REMARK,
        touches=(
            "text-covariance-matrices.uncentred",
            "text-eigenvalues-of-covariances.eigenvalues",
        ),
        severity=Severity.IMPRECISE,
        place="Section 4.1 after Theorem 2; Appendix C, definition of Σ_{i,j}",
        reading=(
            "Covariance is Appendix C's word for E[o_i ⊗ o_j], and the eigenvalues are the "
            "singular values of Appendix D.1; so read both sentences are right."
        ),
        wrong=(
            "In the usual sense of the words they are not: centred the matrices have rank at most "
            "k-1, and between different views they are not symmetric."
        ),
        breaks_at="The main text speaks of matrices that only Appendix C introduces.",
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
        group="explained-in-section-4",
        rank=Rank.REMARK,
        touches=("text-milder-than-gaps.milder",),
        severity=Severity.UNSUPPORTED,
        place="Section 4.1, the sentence after Assumption 2",
        reading="No lower bound on the gaps has to be known; so read the sentence is right.",
        wrong=(
            "As an implication it is the other way round: rank O = k makes all models different, "
            "while three tasks on one pair with rates 0.2, 0.5, 0.8 have gaps and rank 2."
        ),
        breaks_at="Distinct columns need not be independent.",
        repair="Say that no lower bound on the gaps need be known.",
        cost="None.",
        still_stands="The remark about knowledge.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-milder-than-gaps.milder/three-rates",),
    ),
    Erratum(
        id="E46",
        title="1/ε² tasks: right for a fixed number of samples per task, up to a logarithm",
        group="explained-in-section-4",
        rank=Rank.REMARK,
        touches=("text-tasks-before-transfer.number", "text-tasks-before-transfer.tight"),
        severity=Severity.IMPRECISE,
        place="Section 4.1, last sentence",
        reading=(
            "With N samples per pair and task, N fixed, any method needs Ω(1/(Nε²)) tasks before "
            "errors can be of order ε(1-γ) (two points, docs/sequential_limits.md), so that the "
            "order in ε is the right one."
        ),
        wrong=(
            "The bound of Theorem 2 gives it up to a logarithm in 1/ε; and where tasks are "
            "observed through all samples of a PAC fallback, as in Algorithm 2, N itself is of "
            "order 1/ε² and a number of tasks that does not grow can be enough. The citation is "
            "about samples of one target task: it supports that Δ must be of order ε, not how many "
            "tasks that takes."
        ),
        breaks_at=(
            "log(h) in Theorem 2; the number of samples per task, of which neither bound nor "
            "sentence speaks."
        ),
        repair=(
            "Õ(1/ε²) tasks for a fixed number of samples per task and a floor under standard "
            "deviations (E33); views within tasks have error of order 1/√(hN)."
        ),
        cost="None.",
        still_stands="The order of upper and lower bound in ε, for fixed N and γ.",
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        given="the recovery theorems of Anandkumar et al. (2012, 2014)",
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-tasks-before-transfer.number/logarithm",
            "text-tasks-before-transfer.tight/each-task-once",
        ),
    ),
    Erratum(
        id="E47",
        title="The floor of Assumption 5 fails in the paper's own domain",
        group="estimates-as-models",
        rank=Rank.MINOR,
        touches=("assumption-5.experiments", "text-floor-removable.true-models"),
        severity=Severity.MISSING_ASSUMPTION,
        place=(
            "Appendix D.1, Assumption 5; Appendix E.2, the domain, and Δ_h computed as Theorem 2 "
            "prescribes"
        ),
        reading=(
            "Theorem 2 under Assumption 5 covers the domain for which Appendix E.2 computes Δ_h "
            "with it."
        ),
        wrong=(
            "Empty cells pay 0 deterministically: σ^r = 0 there, Assumption 5 fails, and no "
            "constant ρ_σr of Theorem 2 exists."
        ),
        breaks_at="A deterministic reward has standard deviation 0, its estimate does not.",
        repair=(
            "For rewards in [0,b] the standard deviations differ by at most b√(‖p-q‖_1/2) without "
            "a floor, at rate h^(-1/4); or exclude such pairs from the standard deviation test."
        ),
        cost="A slower rate for the standard deviations.",
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
        group="experiments-as-described",
        rank=Rank.MINOR,
        touches=(
            "text-rho-enters-transfer-mode.enters",
            "text-rho-enters-transfer-mode.decay-optional",
        ),
        severity=Severity.FALSE,
        place="Appendix E.2, experiments of Figure 2, third paragraph",
        reading=(
            "At h = 300 Δ is Theorem 2's bound with ρ = 0.135, whatever δ' is, and is compared "
            "with line 2's threshold for ε = 0.5 and γ = 0.9."
        ),
        wrong=(
            "The bound is 0.038 for δ' = 0.1, 0.040 for δ' = 0.01 and not less than 0.036 for any "
            "δ' < 1, and even without the logarithm 0.0078, while the threshold is 0.0066."
        ),
        breaks_at="The printed parameters, put into the printed formulas.",
        repair=(
            "ρ ≤ 0.022 at h = 300 (0.0232 for δ' = 0.1, 0.0221 for δ' = 0.01); or state the bound "
            "that was really used."
        ),
        cost="The experiment cannot be reproduced from its description.",
        still_stands=(
            "The final value 0.006, which does enter; that ρ = 0.135 enters in time, at h = 13396."
        ),
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-rho-enters-transfer-mode.enters/after-start-up",),
    ),
    Erratum(
        id="E49",
        title="Task indices of the near-copies",
        group="slips-of-the-pen",
        rank=Rank.REMARK,
        touches=("text-task-indices.all-eight",),
        severity=Severity.TYPO,
        place="Appendix E.2, experiments of Figure 2, how tasks are generated",
        reading="4 and 6 are made from 5.",
        wrong='Tasks "4 and 5" are made from 5; 6 is never made.',
        breaks_at="One digit.",
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
        group="experiments-as-described",
        rank=Rank.REMARK,
        touches=("text-sample-as-episode.count",),
        severity=Severity.IMPRECISE,
        place=(
            "Section 6, Identification vs Jumpstart, against Appendix E.1, experiments of Figure 1 "
            "left"
        ),
        reading="Appendix E has the details, so that its count is that of the plots.",
        wrong=(
            "Section 6 counts one episode per sample in both panels of Figure 1, Appendix E one "
            "step in the left one. Counted as episodes the 65 samples that PTUM needs at least, on "
            "any layout, are most of the 100 of a run, and not the few of which Section 6 speaks."
        ),
        breaks_at="The two places say different things of the left panel.",
        repair="Appendix E's counting.",
        cost="None.",
        still_stands="The comparison in the right panel.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-sample-as-episode.count/least-samples",),
    ),
    Erratum(
        id="E51",
        title="Eleven items, twelve values",
        group="experiments-as-described",
        rank=Rank.REMARK,
        touches=("text-eleven-items.count",),
        severity=Severity.IMPRECISE,
        place="Section 6, Sequential Transfer; Appendix E.2, list of rewards",
        reading="Eleven items, and the value 0 for a cell without one.",
        wrong="What we held: Section 6 has 11 items or none, Appendix E lists 12 values.",
        breaks_at="The value 0 is listed among those of objects.",
        repair="The value 0 is the empty cell.",
        cost="None.",
        still_stands="Both lists.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        withdrawn=(
            "The two places agree: eleven of the twelve values are not zero, and Section 6 has "
            "cells without an item, which pay 0."
        ),
    ),
    Erratum(
        id="E52",
        title="Parameters more than double",
        group="experiments-as-described",
        rank=Rank.REMARK,
        touches=("text-parameters-doubled.factor",),
        severity=Severity.IMPRECISE,
        place=("Appendix E.2, changing both rewards and transition probabilities, last sentence"),
        reading=(
            "Two tables have to be estimated, rewards and transitions, where one was enough before."
        ),
        wrong=(
            "Counted in parameters it is 3700 against 1200, a factor 3.1, and the spectral method "
            "as printed estimates all of them in both experiments."
        ),
        breaks_at="SA(S+U) against SAU with S = 25, A = 4, U = 12.",
        repair="Name the two numbers.",
        cost="None.",
        still_stands="That the problem is larger, by more than is said.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-parameters-doubled.factor/two",),
    ),
    Erratum(
        id="E53",
        title="The static variant is not the cited method",
        group="explained-in-section-4",
        rank=Rank.REMARK,
        touches=("text-static-reduces-to-azar.same", "text-not-harder-than-static.comparison"),
        severity=Severity.UNSUPPORTED,
        place="Section 6, Sequential Transfer, the sentence on Azar et al. (2013)",
        reading=(
            "Model learning without T̂ is the same kind of method: second and third moments, and "
            "the power method."
        ),
        wrong=(
            "The views differ: Algorithm 3 takes them from three consecutive tasks, with or "
            "without T̂, the cited method from one task. For tasks drawn independently, which is "
            "its setting, Algorithm 3 has no estimate."
        ),
        breaks_at="Leaving T̂ out does not change where the views come from.",
        repair="Views within a task.",
        cost="None: the within-task learner needs no condition on T.",
        still_stands=(
            "The experiments as a comparison of two uses of the same estimates; that sequential "
            "tasks are not harder to learn than independent ones."
        ),
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-static-reduces-to-azar.same/independent-tasks",),
    ),
    Erratum(
        id="E54",
        title="Experiment constants lie outside Theorem 3",
        group="experiments-as-described",
        rank=Rank.REMARK,
        touches=("text-eta-keeps-models.theorem",),
        severity=Severity.IMPRECISE,
        place=('Appendix E.2, experiments of Figure 2, "the technique described in Theorem 3"'),
        reading="The technique, with values chosen by hand, and no guarantee.",
        wrong=(
            "What we held: η = 0.087 corresponds to δ' = 334080, δ = 0.01 to δ' ≥ 4800, ρ_T = "
            "0.001 to no chain."
        ),
        breaks_at="Theorem 3 has η = δ'/(3km²).",
        repair="Call them tuning parameters.",
        cost="No guarantee for the experiments.",
        still_stands="The arithmetic: predicted probabilities above 0.005 are kept.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        withdrawn=(
            "The paper says how the values were chosen and claims no guarantee for them: only the "
            "technique is said to be that of Theorem 3."
        ),
    ),
    Erratum(
        id="E55",
        title="Figure 1 right: as described, every policy is ε-optimal",
        group="experiments-as-described",
        rank=Rank.MINOR,
        touches=("text-informative-goals.ptum-samples",),
        severity=Severity.AMBIGUOUS,
        place=("Appendix E.1, experiments of Figure 1 right: ε = 1, goals absorbing with reward 0"),
        reading=(
            "In the models of PTUM a goal pays in every step; that it pays once is said of the "
            "online algorithms. So read PTUM has something to find out, and nothing fails."
        ),
        wrong=(
            "Nothing says that PTUM and the online algorithms have different tasks. If they have "
            "the same, goals pay at most 0.81 once, every value is below ε = 1, and PTUM stops "
            "with no sample."
        ),
        breaks_at="An accuracy above every return.",
        repair="PTUM's models pay in every step of the goal, or ε below 0.81.",
        cost="PTUM and the baselines then see different MDPs.",
        still_stands="The layout.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-informative-goals.ptum-samples/paid-once",),
    ),
    Erratum(
        id="E56",
        title="Reasons given for the ablations",
        group="experiments-as-described",
        rank=Rank.REMARK,
        touches=(
            "text-logarithmic-in-states.piecewise",
            "text-excess-vanishes-before-zero.reason",
        ),
        severity=Severity.UNSUPPORTED,
        place="Appendix E.1, additional results, the paragraphs on Figure 3 middle and right",
        reading=(
            "A finite number of models makes counts piece-wise, and Δ costs samples through the "
            "set of models to discard."
        ),
        wrong=(
            "The number of models is the same for all grid sizes, so that it explains no step of "
            "the middle curve; and Δ costs samples where it changes no set (37 against 41 for two "
            "deterministic arms, and on the grid of Figure 3 right)."
        ),
        breaks_at=(
            "Steps over the size come from counting in integers; Δ widens intervals and lowers the "
            "index."
        ),
        repair="Name the integer counts and the wider intervals.",
        cost="None.",
        still_stands="The step form in ε for exact models, and all three curves.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-logarithmic-in-states.piecewise/same-models",
            "text-excess-vanishes-before-zero.reason/two-arms",
        ),
    ),
    Erratum(
        id="E57",
        title='"Almost deterministic" experiments',
        group="experiments-as-described",
        rank=Rank.REMARK,
        touches=("text-almost-deterministic.transitions",),
        severity=Severity.IMPRECISE,
        place="Appendix E.2, increasing the MDP stochasticity, first two sentences",
        reading=(
            "The experiments above are those of Figure 2, where actions fail with probability 0.1; "
            "so read both components do become more stochastic."
        ),
        wrong=(
            "What we held: the experiment of Figure 4 stands above as well, its transitions fail "
            "with probability up to 0.45, and the new one keeps them."
        ),
        breaks_at=(
            'The same paragraph calls the transitions "the same of the previous experiment".'
        ),
        repair=(
            "Only rewards become more stochastic than in Figure 4; than in Figure 2 transitions do "
            "so as well."
        ),
        cost="None.",
        still_stands="The comparison for rewards.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-almost-deterministic.transitions/same-failures",),
        withdrawn=(
            "The experiments above can be those of Figure 2, and then both components become more "
            "stochastic: the strongest reading of the sentence is right."
        ),
    ),
    Erratum(
        id="E58",
        title="A sum over alternatives is called a probability",
        group="next-task",
        rank=Rank.REMARK,
        touches=("text-prediction-is-probability.sum",),
        severity=Severity.IMPRECISE,
        place="Section 4.2, first paragraph, Σ_{θ'∈Θ̄_h} T̂_h(θ,θ')",
        reading=(
            "A prediction from above of the probability that θ is next, which is all that the rule "
            "needs."
        ),
        wrong="As a probability it can exceed 1, and it sums to |Θ̄_h| over θ.",
        breaks_at="Conditional probabilities are added without weights.",
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
        group="observations",
        rank=Rank.MINOR,
        touches=("text-at-least-one-sample.wlog",),
        severity=Severity.IMPRECISE,
        place=(
            'Section 4, second paragraph, "without loss of generality"; Appendix E.2, the '
            "post-samples"
        ),
        reading=(
            "Whoever solves a task can add a sample of each pair, which changes no result about "
            "learning O and T."
        ),
        wrong=(
            "It is a cost that no bound counts: PTUM may finish with no sample, while the "
            "observation needs SA of them at least, and 3000 per task in the experiments. Whether "
            "the curves count them is open (D83)."
        ),
        breaks_at="Sample complexity is that of PTUM alone.",
        repair="Count post-samples as a cost of sequential learning.",
        cost="SA times the number of post-samples per task.",
        still_stands="The identification cost reported for PTUM itself.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-at-least-one-sample.wlog/singleton",),
    ),
    Erratum(
        id="E60",
        title="Section 3 promises known constants, Section 4 has none",
        group="explained-in-section-4",
        rank=Rank.REMARK,
        touches=(
            "text-plug-in-bounds.known",
            "text-eigenvalues-of-covariances.full-expressions",
            "text-assumption-guaranteed.delivered",
        ),
        severity=Severity.IMPRECISE,
        place=(
            "Section 3, last sentence after Assumption 1; opening of Section 4; Section 4.1, after "
            "Theorem 2"
        ),
        reading=(
            "Section 4 gives the form of the bound, with constants that are parameters, as the "
            "text after Theorem 2 says openly."
        ),
        wrong=(
            "Assumption 1 asks for known constants and Section 3 announces that Section 4 "
            "guarantees it; with unknown ones nothing does, since no number ρ serves all chains "
            "(text-rho-unknown.parameter)."
        ),
        breaks_at="The constants of Theorem 2 depend on what is to be learned.",
        repair="ρ is a parameter; Assumption 1 is a hypothesis about it.",
        cost="No end-to-end guarantee for Algorithm 2.",
        still_stands="Theorem 2's form as a template for Δ_h; what the text after it says.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
    ),
    Erratum(
        id="E61",
        title="What the proof of Theorem 3 leaves out",
        group="next-task",
        rank=Rank.MINOR,
        touches=("theorem-3.never", "theorem-3.logarithm"),
        severity=Severity.PROOF_GAP,
        place=(
            "Section 4.2, Theorem 3, the logarithm; Appendix D.3, last three displays of its proof"
        ),
        reading=(
            "Lemma 12 and PTUM's guarantee are used at confidence δ'/(3km²) and δ, where both "
            "apply."
        ),
        wrong=(
            "PTUM's guarantee needs a valid Δ_h, and the failure probability of Theorem 2 is not "
            "in the sum; Lemma 12's condition on h is not in the rule, whose logarithm prints "
            "9kdm² for 18kdm². That the sums over steps cost m² where the first miss costs m is "
            "wasteful, not wrong."
        ),
        breaks_at=(
            "6d divided by δ'/(3km²) is 18kdm²/δ'; events are collected without the one on which "
            "Δ_h is valid."
        ),
        repair=(
            "First-miss decomposition with levels of order δ'/m, plus the failure probability of "
            "Theorem 2; log(18kdm²/δ'), and the rule waits for Lemma 12's h."
        ),
        cost="None: the larger logarithm is at most 1.2 times the printed one.",
        still_stands="The recursion over steps.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("theorem-3.logarithm/nine",),
    ),
    Erratum(
        id="E62",
        title="Near-copies do not make PTUM's problem harder",
        group="experiments-as-described",
        rank=Rank.REMARK,
        touches=("text-copies-hard.trivial-otherwise",),
        severity=Severity.IMPRECISE,
        place=(
            "Appendix E.2, experiments of Figure 2, last two sentences on how tasks are generated"
        ),
        reading=("To name the task is harder beside a near-copy; so read the sentence is right."),
        wrong=(
            "What we held: PTUM need not name it: it stops where the models that are left share an "
            "ε-optimal policy, and with exact models a task takes about 200 samples on lists drawn "
            "as described and 300 where the copies are replaced by random tasks "
            "(text-copies-hard.trivial-otherwise/lists)."
        ),
        breaks_at="Copies that are ε-optimal for each other are solved by one policy.",
        repair=("Say which problem is meant; copies matter while their losses exceed the slack."),
        cost="None.",
        still_stands="The lists, and the comparison of two variants on them.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-copies-hard.trivial-otherwise/two-arms",),
        withdrawn=(
            "The sentence is about identification, and without copies tasks are indeed told apart "
            "with fewer samples, also in our runs of Figure 2: its strongest reading is right."
        ),
    ),
    Erratum(
        id="E63",
        title="A chosen ρ keeps no confidence level",
        group="explained-in-section-4",
        rank=Rank.REMARK,
        touches=("text-rho-unknown.confidence-level",),
        severity=Severity.IMPRECISE,
        place="Section 4.1, after Theorem 2, the sentence on confidence levels",
        reading=(
            "A larger ρ makes wider intervals and fewer misses, as a higher level does; so read "
            "the comparison is right."
        ),
        wrong=(
            "A level is kept for every distribution of the data, and no ρ has a failure "
            "probability below 1 that it keeps for all tasks: with ρ = 1 and 2¹⁹ tasks every "
            "estimator misses with probability 0.9 in one of twenty chains of two Bernoulli tasks."
        ),
        breaks_at=(
            "The constant of Theorem 2 differs from distribution to distribution and is not "
            "bounded."
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
        id="E66",
        title="Two indices of Algorithm 2",
        group="slips-of-the-pen",
        rank=Rank.REMARK,
        touches=("algorithm-2.lines",),
        severity=Severity.TYPO,
        place="Algorithm 2, lines 3 and 8",
        reading=(
            "Line 8 computes Δ_{h+1}, the error of the models that line 7 has made for task h+1 "
            "(D41), and the first task has a distribution of its own (D42)."
        ),
        wrong="Line 8 prints Δ_h, and line 3 draws θ*_1 given a θ*_0 that there is not.",
        breaks_at="Line 4 of the next round reads what line 8 wrote.",
        repair="Δ_{h+1} in line 8; θ*_1 from the initial distribution of Section 2.",
        cost="None.",
        still_stands="The algorithm.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
    ),
)
