"""Appendix C: learning the task chain by tensor decomposition (Algorithm 3, power method)."""

from __future__ import annotations

from ptum.spec.records import Claim, Part, Reading, Repair
from ptum.spec.vocabulary import Evidence, Kind, Proof, Status

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="algorithm-3",
        kind=Kind.ALGORITHM,
        number=3,
        label="alg:hmm-learning",
        title="Learning HMMs by Tensor Decomposition",
        section="Appendix C",
        statement=(
            "From h observations and k: cut them into ⌊h/3⌋ triples, estimate the matrices Σ_ij "
            "between views, carry views 1 and 2 over to view 3, form M̂_2 and M̂_3, whiten with "
            "the top k eigenpairs of M̂_2, decompose by the robust tensor power method, and read "
            "off μ̂_3, Ô and T̂."
        ),
        uses=("algorithm-rtp",),
        reference=("ptum.reference.sequential.spectral:learn_hmm",),
        decisions=(
            "D45",
            "D47",
            "D49",
            "D50",
            "D51",
            "D52",
            "D53",
            "D54",
            "D62",
            "D64",
            "D87",
            "D99",
            "D100",
            "D101",
            "D102",
            "D103",
            "D104",
        ),
        parts=(
            Part(
                id="algorithm-3.lines",
                says="The ten lines of the pseudo-code.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Pseudo-code. The matrices Σ̂_ii that line 2 also asks for contain observation "
                    "noise, are not of rank k and are used nowhere."
                ),
                checks=("algorithm-3.lines/fractions",),
            ),
            Part(
                id="algorithm-3.estimates",
                says="The returned matrices estimate O and T.",
                status=Status.AMBIGUOUS,
                proof=Proof.IMPORTED,
                evidence=Evidence.CHECKED,
                reason=(
                    "With full pseudo-inverses and as many triples as the observations have "
                    "directions, or fewer (m ≤ d-2SA+1; in Appendix E d = 3700 and m ≤ 133, but an "
                    "SVD comes first), Σ̂_12^† = m X_2^† (X_1^T)^†, so Σ̂_32 Σ̂_12^† o_1 = o_3, "
                    "likewise for view 2: no correlation between tasks is used "
                    "(text-svd-critical). With d fixed and more triples the noise directions are "
                    "inverted, yet M̂_2 and Ô are right up to terms of order 1/√h: consistent, with "
                    "tails like 1/x (docs/sequential_limits.md, lemma-11.bound). Truncated to rank "
                    "k it is consistent with light tails when T is invertible and every third task "
                    "visits all tasks, not under Assumption 2 alone."
                ),
                readings=(
                    Reading(
                        id="algorithm-3.estimates.full-pseudo-inverse",
                        says=(
                            "† is the Moore-Penrose inverse of the estimated matrix, d is fixed "
                            "and h grows; rank O = k, T invertible, irreducible, aperiodic."
                        ),
                        status=Status.HOLDS,
                        checks=("algorithm-3.estimates/views-collapse",),
                    ),
                    Reading(
                        id="algorithm-3.estimates.rank-k",
                        says=(
                            "† is that of the best rank-k approximation; tasks as in Assumption 2."
                        ),
                        status=Status.REFUTED,
                        checks=("algorithm-3.estimates/unlearnable",),
                    ),
                    Reading(
                        id="algorithm-3.estimates.rank-k-invertible",
                        says=(
                            "† is that of the best rank-k approximation; rank O = k, T invertible, "
                            "irreducible, aperiodic."
                        ),
                        status=Status.HOLDS,
                        checks=("algorithm-3.estimates/rate",),
                    ),
                ),
                repair=Repair(
                    says=(
                        "Every pseudo-inverse of an estimated moment is that of its best rank-k "
                        "approximation, M̂_2 and M̂_3 are symmetrised, and the learner reports "
                        "that it cannot identify the model when a k-th singular value vanishes."
                    ),
                    reference=("ptum.reference.repaired.sequential.spectral:learn_hmm",),
                    checks=("algorithm-3.estimates/exact-moments",),
                    errata=("E26", "E28", "E43"),
                ),
            ),
            Part(
                id="algorithm-3.whitening",
                says="Lines 5-6: M̂_2 has k leading eigenpairs with positive eigenvalues.",
                status=Status.REFUTED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "M̂_2 is not symmetric. With rank-k pseudo-inverses, three tasks and 10 "
                    "samples per pair its three eigenvalues of largest modulus included a complex "
                    "pair in 39 of 400 runs at h = 30 (successor probability 0.6) and in 1 of 200 "
                    "at h = 600 (0.8). One pair, three rewards, one sample per task: the rewards "
                    "331212123233 give an M̂_2 of rank 3 with eigenvalues 1.37 and 0.19 ± 0.10i."
                ),
                checks=("algorithm-3.whitening/complex",),
                repair=Repair(
                    says=(
                        "Use the symmetric part of M̂_2, and declare failure when its k-th "
                        "eigenvalue is not positive."
                    ),
                    reference=("ptum.reference.repaired.sequential.spectral:learn_hmm",),
                    checks=("algorithm-3.whitening/symmetric-part",),
                    errata=("E43",),
                ),
            ),
            Part(
                id="algorithm-3.probabilities",
                says="Columns of Ô and T̂ can be read as probabilities.",
                status=Status.REFUTED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Nothing in the ten lines enforces it. In the runs just named (rank-k, "
                    "symmetrised): T̂ had a negative entry in 398 of 400 at h = 30 and Ô in 144; "
                    "at h = 600 T̂ had one in 38 of 200, and blocks of Ô missed sum one in all "
                    "200. Three triples with two samples per task and one pair, whose frequencies "
                    "are independent in every view, give T̂ an entry of exactly -1."
                ),
                checks=("algorithm-3.probabilities/signed",),
                repair=Repair(
                    says=(
                        "Project each block of Ô and each column of T̂ on the simplex; the "
                        "Euclidean column error cannot grow, because the truth lies in the convex "
                        "set."
                    ),
                    reference=("ptum.reference.sequential.projection:project",),
                    checks=("algorithm-3.probabilities/projection",),
                    errata=("E42",),
                ),
            ),
        ),
    ),
    Claim(
        id="algorithm-rtp",
        kind=Kind.ALGORITHM,
        title=(
            "Robust tensor power method (Algorithm 1 of Anandkumar et al. 2014, called by line 7)"
        ),
        section="Appendix C",
        statement=(
            "For a symmetric k×k×k tensor: from L random unit vectors run N power steps v ← "
            "M(I,v,v)/‖·‖, keep the one with the largest M(v,v,v), run N more steps, return λ = "
            "M(v,v,v) with v, and deflate by λ v⊗v⊗v. One call gives one pair."
        ),
        reference=("ptum.reference.sequential.tensor_power:robust_tensor_power",),
        decisions=("D51", "D52", "D53"),
        parts=(
            Part(
                id="algorithm-rtp.steps",
                says="The steps of one call; line 7 means k calls with deflation.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Quoted by name only in the paper; the steps are those of the cited algorithm."
                ),
                checks=("algorithm-rtp.steps/loops",),
            ),
            Part(
                id="algorithm-rtp.recovers",
                says=(
                    "On a symmetric tensor close to an orthogonally decomposable one, enough "
                    "restarts and iterations return all components up to order, with error "
                    "proportional to the perturbation."
                ),
                status=Status.IMPORTED,
                proof=Proof.IMPORTED,
                evidence=Evidence.DERIVED,
                reason=(
                    "Credited to Theorem 5.1 of Anandkumar et al. (2014), with constants that "
                    "are not verified here. On an exactly decomposable tensor Σ λ_j v_j⊗v_j⊗v_j "
                    "the argument is short: a step squares the numbers λ_j⟨v_j,θ⟩ up to a "
                    "common factor, so the largest in absolute value wins at a quadratic rate "
                    "from every start but a null set, M(v,v,v) picks the sign, and deflation "
                    "removes that component exactly. That errors of a symmetric perturbation "
                    "stay proportional to it, also through k deflations, is what is imported; a "
                    "perturbation that is not symmetric is outside it (E43)."
                ),
            ),
        ),
    ),
    Claim(
        id="text-third-view",
        kind=Kind.TEXT,
        title="The conditional mean of the third view",
        section="Appendix C",
        statement="μ_{3,j} is E[o_3 | θ*_3 = θ_j] and ω_j the stationary weight of task j.",
        parts=(
            Part(
                id="text-third-view.conditioned-on",
                says="The vectors that M_2 and M_3 decompose into are the means of o_3 given θ*_3.",
                status=Status.REFUTED,
                proof=Proof.WRONG,
                evidence=Evidence.CHECKED,
                reason=(
                    "A slip of an index: the three views are independent given the middle task, so "
                    "the decomposition is over θ*_2: μ_{3,j} = E[o_3 | θ*_2 = θ_j] = O T e_j. With "
                    "the printed index [T]_j = O^† μ_{3,j} would be e_j for every chain. All other "
                    "parts are judged with the right one."
                ),
                checks=("text-third-view.conditioned-on/own-task",),
                repair=Repair(
                    says="μ_{3,j} = E[o_3 | θ*_2 = θ_j] = O T e_j.",
                    checks=("text-third-view.conditioned-on/middle-task",),
                    errata=("E25",),
                ),
            ),
            Part(
                id="text-third-view.weights",
                says="The weights are the stationary ones.",
                status=Status.AMBIGUOUS,
                proof=Proof.GAP,
                evidence=Evidence.CHECKED,
                reason=(
                    "They are P(θ*_2 = θ_j), averaged over the triples: (T π̄)_j for first views "
                    "of average distribution π̄, which is the stationary distribution if the chain "
                    "starts from it, or in the limit. Section 2 allows any first task; on a "
                    "three-task chain with π = (0.5, 0.3, 0.2) and uniform stationary distribution "
                    "the printed M_2 has an error of 0.11 in an entry. Algorithm 3 does not use "
                    "the weights."
                ),
                readings=(
                    Reading(
                        id="text-third-view.weights.stationary-start",
                        says="The chain has its stationary distribution from the first task on.",
                        status=Status.HOLDS,
                        checks=("text-third-view.weights/stationary-start",),
                    ),
                    Reading(
                        id="text-third-view.weights.any-start",
                        says="The first task has any distribution, as in Section 2.",
                        status=Status.REFUTED,
                        checks=("text-third-view.weights/stationary",),
                    ),
                ),
                repair=Repair(
                    says=(
                        "ω_j = P(θ*_2 = θ_j), averaged over triples. O and T are recovered exactly "
                        "whatever the initial distribution."
                    ),
                    checks=("text-third-view.weights/middle-task",),
                    errata=("E25",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-moment-identities",
        kind=Kind.TEXT,
        title="Low-rank form of the moments, and recovery of O and T",
        section="Appendix C",
        statement=(
            "M_2 = Σ_j ω_j μ_{3,j}⊗μ_{3,j}, M_3 = Σ_j ω_j μ_{3,j}⊗μ_{3,j}⊗μ_{3,j}, [O]_j = Σ_21 "
            "Σ_31^† μ_{3,j}, [T]_j = O^† μ_{3,j}."
        ),
        uses=("text-third-view",),
        assumes=("assumption-2",),
        reference=("ptum.reference.sequential.hmm:population_moments",),
        parts=(
            Part(
                id="text-moment-identities.moments",
                says=(
                    "Under Assumption 2 the two moments of the transformed views have this form, "
                    "with μ_{3,j} and ω_j of the middle task (E25)."
                ),
                status=Status.REFUTED,
                proof=Proof.IMPORTED,
                evidence=Evidence.CHECKED,
                reason=(
                    "The transformed views are those of the third one only if Σ_12 and Σ_21 have "
                    "rank k, so if T has an inverse. On a three-task chain of rank two with "
                    "positive stationary weights M_2 or M_3 differs from the right side by 0.0019 "
                    "in an entry."
                ),
                checks=("text-moment-identities.moments/printed-form",),
                repair=Repair(
                    says=(
                        "Exact with μ_{3,j} = E[o_3 | θ*_2 = θ_j], ω_j = P(θ*_2 = θ_j), for rank O "
                        "= rank T = k and π > 0."
                    ),
                    checks=("text-moment-identities.moments/exact-form",),
                    errata=("E25", "E26"),
                ),
            ),
            Part(
                id="text-moment-identities.observation",
                says="Under Assumption 2 [O]_j = Σ_21 Σ_31^† μ_{3,j}, μ_{3,j} = O T e_j (E25).",
                status=Status.REFUTED,
                proof=Proof.IMPORTED,
                evidence=Evidence.CHECKED,
                reason=(
                    "Σ_21 Σ_31^† = O T^{-1} O^† on the range of O, so an inverse of T is needed: "
                    "for three independent tasks all μ_{3,j} are the same and O is missed by 0.43 "
                    "in an entry."
                ),
                checks=("text-moment-identities.observation/printed-mean",),
                repair=Repair(
                    says="Exact with μ_{3,j} = O T e_j, T invertible and π > 0.",
                    checks=("text-moment-identities.observation/recovers",),
                    errata=("E26",),
                ),
            ),
            Part(
                id="text-moment-identities.transition",
                says="[T]_j = O^† μ_{3,j}, with μ_{3,j} = O T e_j (E25).",
                status=Status.HOLDS,
                proof=Proof.IMPORTED,
                evidence=Evidence.CHECKED,
                reason="O^† O = I for any O of full column rank, whatever T is.",
                checks=("text-moment-identities.transition/identity-matrix",),
                repair=Repair(
                    says="Exact with μ_{3,j} = O T e_j.",
                    checks=("text-moment-identities.transition/recovers",),
                    errata=("E25",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-symmetric-orthogonal",
        kind=Kind.TEXT,
        title="The transformed third moment is symmetric and orthogonal",
        section="Appendix C",
        statement=(
            "After a transformation of the observations the third moment is a symmetric orthogonal "
            "tensor whose decomposition gives the parameters."
        ),
        uses=("text-moment-identities",),
        parts=(
            Part(
                id="text-symmetric-orthogonal.transformed-views",
                says="Some transformation makes the third moment symmetric and orthogonal.",
                status=Status.HOLDS,
                proof=Proof.IMPORTED,
                evidence=Evidence.CHECKED,
                reason=(
                    "Whitening is such a transformation: M_3(W,W,W) with W^T M_2 W = I has "
                    "orthogonal components of length 1/√ω_j, in the population. Before it M_3 is "
                    "symmetric and its components overlap, and estimates are neither."
                ),
                checks=(
                    "text-symmetric-orthogonal.transformed-views/overlap",
                    "text-symmetric-orthogonal.transformed-views/whitened",
                ),
                repair=Repair(
                    says=(
                        "M_3 is symmetric in the population, M_3(W,W,W) is orthogonal too; the "
                        "estimate has to be symmetrised."
                    ),
                    checks=("text-symmetric-orthogonal.transformed-views/population",),
                    errata=("E43",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-covariance-matrices",
        kind=Kind.TEXT,
        title="The matrices between views are covariances",
        section="Appendix C",
        statement="Σ_ij = E[o_i ⊗ o_j] are the covariance matrices of the views.",
        parts=(
            Part(
                id="text-covariance-matrices.uncentred",
                says="Covariance matrices serve the purpose.",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "The formula is the uncentred second moment, and must be: centring removes the "
                    "direction of the mean and leaves rank k-1 (third singular value 0.272 becomes "
                    "4e-16 on a three-task example)."
                ),
                readings=(
                    Reading(
                        id="text-covariance-matrices.uncentred.formula",
                        says="E[o_i ⊗ o_j] without centring.",
                        status=Status.HOLDS,
                        checks=("text-covariance-matrices.uncentred/second-moments",),
                    ),
                    Reading(
                        id="text-covariance-matrices.uncentred.word",
                        says="Covariances in the usual sense.",
                        status=Status.REFUTED,
                        checks=("text-covariance-matrices.uncentred/covariances",),
                    ),
                ),
                repair=Repair(
                    says="Uncentred second moments.",
                    checks=("text-covariance-matrices.uncentred/rank",),
                    errata=("E44",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-moments-from-samples",
        kind=Kind.TEXT,
        title="All moments can be estimated from triples",
        section="Appendix C",
        statement=(
            "With 3m tasks cut into m contiguous triples, averages over triples estimate all "
            "required moments."
        ),
        assumes=("assumption-2",),
        decisions=("D45",),
        parts=(
            Part(
                id="text-moments-from-samples.consistent",
                says="Averages over disjoint triples converge to moments that determine O and T.",
                status=Status.REFUTED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "A three-cycle started in task 1 satisfies Assumption 2, and all disjoint "
                    "triples start in the same task: Σ_31 has rank one (singular values 5.45, 0, "
                    "0; with overlapping triples 4.11, 0.74, 0.56)."
                ),
                checks=("text-moments-from-samples.consistent/three-cycle",),
                repair=Repair(
                    says=(
                        "True for an invertible, irreducible T whose period is no multiple of 3, "
                        "or of any period with overlapping triples."
                    ),
                    checks=("text-moments-from-samples.consistent/enough-visits",),
                    errata=("E26",),
                ),
            ),
        ),
    ),
)
