"""Sections 1 and 3: Algorithm 1, Assumption 1, Definition 1, Theorem 1, Corollary 1, equations 1-4.

The claims made in running text of these sections have records of their own, after the numbered
items of the subsection they stand in.
"""

from __future__ import annotations

from ptum.spec.records import Claim, Link, Part, Reading, Repair
from ptum.spec.vocabulary import Evidence, Kind, Proof, Relation, Status

_INTRODUCTION: tuple[Claim, ...] = (
    Claim(
        id="text-tighter-than-existing",
        kind=Kind.TEXT,
        title="Tighter bounds than before",
        section="Section 1",
        statement=(
            "The sample-complexity bounds are announced as much tighter than those known and "
            "as showing a gain over learning from scratch."
        ),
        uses=("theorem-1", "corollary-1"),
        parts=(
            Part(
                id="text-tighter-than-existing.tighter",
                says="Theorem 1 improves on earlier bounds for task identification.",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "The one earlier bound of which the paper says what it depends on is in 1/Γ². "
                    "Given the other factors of Theorem 1 it is 128 min{SA,|Θ|} L/((1-γ)²Γ²), "
                    "and at Δ = 0 the two compare as their denominators do. In the three-arm "
                    "instance of theorem-1.bound Γ = 0.7, and the printed bound is infinite. "
                    "Elsewhere it is smaller by any factor: a near-copy of the target makes Γ "
                    "tiny and is not in Θ_ε. Constants and the setting of earlier papers, "
                    "learning online, are not compared; learning from scratch is the next part."
                ),
                readings=(
                    Reading(
                        id="text-tighter-than-existing.tighter.everywhere",
                        says="On every instance Theorem 1's bound is at most the one in Γ.",
                        status=Status.REFUTED,
                        checks=("text-tighter-than-existing.tighter/three-arms",),
                    ),
                    Reading(
                        id="text-tighter-than-existing.tighter.somewhere",
                        says="For every factor there are instances on which it is smaller by it.",
                        status=Status.HOLDS,
                        checks=("text-tighter-than-existing.tighter/near-copies",),
                    ),
                ),
                repair=Repair(
                    says=(
                        "The repaired Theorem 1 has the information of the blocking models in "
                        "its denominator, which is at least (1-γ)²Γ² at Δ = 0: there it is never "
                        "above the bound in Γ. Nothing is said about other papers."
                    ),
                    formulas=("ptum.spec.formulas.transfer:THEOREM_1_REPAIRED",),
                    checks=("text-tighter-than-existing.tighter/repaired-never-larger",),
                    errata=("E22",),
                ),
            ),
            Part(
                id="text-tighter-than-existing.from-scratch",
                says="The bound beats learning from scratch.",
                status=Status.UNPROVED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Not on every instance: with few pairs 128 log(8SAn(|Θ|+1)/δ) alone is more "
                    "than it takes to try them all, and the denominators of the two bounds are "
                    "different quantities. But on some: in one state where one unknown action of "
                    "A pays 1 the best learner without models needs about (1-δ)A/2 questions, "
                    "while PTUM, given |Θ| of these tasks, is bounded by 128|Θ| times that "
                    "logarithm, since every other model is contradicted by one action with "
                    "information 1. From A = 20000|Θ| on that is less, for every δ from 0.01 to "
                    "1/2, every |Θ| ≤ 100 and every budget n ≤ 10⁷ (Appendix E has at most 10⁶) "
                    "that exceeds the bound; larger ones take more actions per model. Which "
                    "instances those of the paper are it does not say."
                ),
                checks=("text-tighter-than-existing.from-scratch/many-actions",),
                repair=Repair(
                    says=(
                        "The number of pairs enters the repaired bound through a logarithm "
                        "when |Θ|-1 < SA; whether this beats a given algorithm depends on the "
                        "instance."
                    ),
                    errata=("E22",),
                ),
            ),
        ),
    ),
)

_SECTION_3: tuple[Claim, ...] = (
    Claim(
        id="assumption-1",
        kind=Kind.ASSUMPTION,
        number=1,
        label="ass:model-err",
        title="Model uncertainty",
        section="Section 3",
        statement=(
            "Known constants bound, over all models and pairs, the errors of mean reward, of mean "
            "next value Ṽ*_θ', of reward standard deviation and of transition standard deviation; "
            "Δ is the largest of the four."
        ),
        uses=("text-mean-reward", "text-optimal-policy", "text-variances"),
        formulas=(
            "ptum.spec.formulas.transfer:ASSUMPTION_1_R",
            "ptum.spec.formulas.transfer:ASSUMPTION_1_P",
            "ptum.spec.formulas.transfer:ASSUMPTION_1_SIGMA_R",
            "ptum.spec.formulas.transfer:ASSUMPTION_1_SIGMA_P",
        ),
        reference=(
            "ptum.reference.transfer.assumptions:model_errors",
            "ptum.reference.tasks.models:ApproximateModels",
        ),
        decisions=("D02", "D19", "D20", "D21", "D36"),
        parts=(
            Part(
                id="assumption-1.reward",
                formulas=("ptum.spec.formulas.transfer:ASSUMPTION_1_R",),
                checks=("assumption-1.reward/formula",),
                says="max over θ of ‖r_θ - r̃_θ‖_∞ is at most Δ^r_max.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason="An assumption. The proofs use it for the target alone.",
            ),
            Part(
                id="assumption-1.transition",
                formulas=("ptum.spec.formulas.transfer:ASSUMPTION_1_P",),
                checks=("assumption-1.transition/formula",),
                says="max over θ, θ' of ‖(p_θ - p̃_θ)ᵀ Ṽ*_θ'‖_∞ is at most Δ^p_max.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "An assumption, too weak for Lemma 9: that proof also needs the error on "
                    "Ṽ_θ'^{π̃*_θ}, the value in one model of another model's policy."
                ),
                repair=Repair(
                    says=("The bound also covers ‖(p_θ' - p̃_θ')ᵀ Ṽ_θ'^{π̃*_θ}‖_∞ for all θ, θ'."),
                    checks=("assumption-1.transition/formula-repaired",),
                    formulas=("ptum.spec.formulas.transfer:ASSUMPTION_1_P_REPAIRED",),
                    reference=("ptum.reference.repaired.transfer.assumptions:model_errors",),
                    errata=("E02",),
                ),
            ),
            Part(
                id="assumption-1.deviation-r",
                formulas=("ptum.spec.formulas.transfer:ASSUMPTION_1_SIGMA_R",),
                checks=("assumption-1.deviation-r/formula",),
                says="max over θ of ‖σ^r_θ - σ̃^r_θ‖_∞ is at most Δ^{σ_r}_max.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason="An assumption. The proofs use it for the target alone.",
            ),
            Part(
                id="assumption-1.deviation-p",
                formulas=("ptum.spec.formulas.transfer:ASSUMPTION_1_SIGMA_P",),
                checks=("assumption-1.deviation-p/formula",),
                says="max over θ, θ' of ‖σ^p_θ(θ') - σ̃^p_θ(θ')‖_∞ is at most Δ^{σ_p}_max.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "An assumption. With Section 2's σ^p it compares standard deviations of two "
                    "different functions, V*_θ' and Ṽ*_θ'; Lemma 3 needs the standard deviations "
                    "of the one function Ṽ*_θ'."
                ),
                repair=Repair(
                    says="Both standard deviations are of Ṽ*_θ', under p_θ and under p̃_θ.",
                    checks=("assumption-1.deviation-p/formula-repaired",),
                    formulas=("ptum.spec.formulas.transfer:ASSUMPTION_1_SIGMA_P_REPAIRED",),
                    reference=("ptum.reference.repaired.transfer.assumptions:model_errors",),
                    errata=("E05",),
                ),
            ),
            Part(
                id="assumption-1.models-are-mdps",
                formulas=(
                    "ptum.spec.formulas.preliminaries:TASK",
                    "ptum.spec.formulas.transfer:VALUE_RANGE",
                    "ptum.spec.formulas.transfer:MODEL_RANGES",
                ),
                checks=(
                    "assumption-1.models-are-mdps/refused",
                    "assumption-1.models-are-mdps/not-implied",
                    "assumption-1.models-are-mdps/repaired-ranges",
                ),
                says=(
                    "Each approximate model is an MDP as in Section 2: p̃ are transition "
                    "probabilities and rewards lie in [0,1]."
                ),
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Said at the beginning of Section 3 and in the REQUIRE line of Algorithm 1, "
                    "and needed: Lemmas 2-4 use Ṽ* in [0, 1/(1-γ)] and a reward gap of at most 1, "
                    "and Corollary 2 is applied to the models; none follows from the four bounds "
                    "alone. One state that pays 1, γ = 0.9, and a table that returns with weight "
                    "1.01: no error exceeds 0.12, and Ṽ = 10.99 is beyond 1/(1-γ) = 10. Estimates "
                    "of Section 4 can be such tables (E42)."
                ),
            ),
        ),
    ),
    Claim(
        id="text-approximate-optimum",
        kind=Kind.TEXT,
        title="The known policies contain a good one",
        section="Section 3",
        statement=(
            "When the models are accurate, the optimal policies of the approximate models "
            "include an approximation of the target's optimal policy."
        ),
        uses=("corollary-2",),
        assumes=("assumption-1",),
        parts=(
            Part(
                id="text-approximate-optimum.exists",
                checks=("text-approximate-optimum.exists/loss",),
                says="π̃*_θ* loses at most 2Δ(1+γ)/(1-γ) in the target.",
                status=Status.HOLDS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Corollary 2 with first model M̃_θ* and second M_θ* involves only r - r̃ "
                    "and (p - p̃)ᵀṼ*_θ*, which Assumption 1 bounds: loss ≤ 2(Δ + γΔ)/(1-γ). The "
                    "mirrored blocks of E01 attain it."
                ),
            ),
        ),
    ),
    Claim(
        id="text-assumption-guaranteed",
        kind=Kind.TEXT,
        title="Section 4 delivers Assumption 1",
        section="Section 3",
        statement=(
            "Section 4 is announced to guarantee Assumption 1 when tasks arrive in sequence."
        ),
        uses=("theorem-2",),
        assumes=("assumption-1",),
        parts=(
            Part(
                id="text-assumption-guaranteed.delivered",
                says="Theorem 2 gives constants with which Assumption 1 holds.",
                status=Status.REFUTED,
                proof=Proof.GAP,
                evidence=Evidence.CHECKED,
                reason=(
                    "Theorem 2 rests on Assumption 2, which independent tasks meet: of two "
                    "Bernoulli tasks with rates {0.9, 0.1} and {0.7, 0.3} no number of tasks tells "
                    "which, so one of them keeps an error of 0.1 and no Δ below that is valid. "
                    "Where constants exist they contain unknown quantities (E60), and the bounds "
                    "hold with probability 1-δ' only, which PTUM's promise must add to its own δ "
                    "(E15)."
                ),
                checks=("text-assumption-guaranteed.delivered/two-coins",),
                repair=Repair(
                    says=(
                        "Under the repaired Assumption 2, and with ρ at least the constant of "
                        "the model as a hypothesis, Δ_{h+1} = ρ√(log c_{h,δ'}/h) satisfies "
                        "Assumption 1 with probability 1-δ'; add δ' to PTUM's own δ."
                    ),
                    checks=("text-assumption-guaranteed.delivered/hypothesis",),
                    errata=("E15", "E26", "E60"),
                ),
            ),
        ),
    ),
)

_SECTION_3_1: tuple[Claim, ...] = (
    Claim(
        id="definition-1",
        kind=Kind.DEFINITION,
        number=1,
        label="def:psi",
        title="Information for model discrimination",
        section="Section 3.1",
        statement=(
            "With x the part of a gap above 8Δ, the reward information is the smaller of "
            "(x/σ̃^r_θ)² and x, the transition information the smaller of (x/σ̃^p_θ(s,a;θ))² "
            "and (1-γ)x, and the information is the larger of the two."
        ),
        uses=("text-model-gaps", "text-variances", "assumption-1"),
        formulas=(
            "ptum.spec.formulas.transfer:INFORMATION_R",
            "ptum.spec.formulas.transfer:INFORMATION_P",
            "ptum.spec.formulas.transfer:INFORMATION",
        ),
        reference=(
            "ptum.reference.transfer.information:information_r",
            "ptum.reference.transfer.information:information_p",
            "ptum.reference.transfer.information:information",
        ),
        decisions=("D08", "D09", "D33"),
        parts=(
            Part(
                id="definition-1.information",
                formulas=(
                    "ptum.spec.formulas.transfer:INFORMATION_R",
                    "ptum.spec.formulas.transfer:INFORMATION_P",
                    "ptum.spec.formulas.transfer:INFORMATION",
                ),
                checks=("definition-1.information/formula",),
                says="I_{s,a}(θ,θ') = max{I^r_{s,a}(θ,θ'), I^p_{s,a}(θ,θ')}.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "A definition. Value function and standard deviation belong to the first "
                    "argument, so I is not symmetric; with D08 it is a number in [0,1] for every "
                    "input."
                ),
            ),
        ),
    ),
    Claim(
        id="algorithm-1",
        kind=Kind.ALGORITHM,
        number=1,
        label="alg:policy-transfer",
        title="Policy Transfer from Uncertain Models (PTUM)",
        section="Section 3.1",
        statement=(
            "Twenty-two lines: fall back to a PAC algorithm when Δ is large (line 2); else, "
            "for at most n iterations, build the empirical model (7-10), drop the models that fail "
            "a test (12), stop when one active policy is good in all active models (14), or "
            "query the pair of largest index (16-20); fall back when the iterations run out (22)."
        ),
        uses=("definition-1", "lemma-3", "text-generative-model", "text-epsilon-optimal"),
        assumes=("assumption-1",),
        formulas=(
            "ptum.spec.formulas.transfer:TRANSFER_THRESHOLD",
            "ptum.spec.formulas.transfer:STOPPING_SLACK",
            "ptum.spec.formulas.transfer:EMPIRICAL_REWARD",
            "ptum.spec.formulas.transfer:EMPIRICAL_TRANSITION",
            "ptum.spec.formulas.transfer:EMPIRICAL_SIGMA_R",
            "ptum.spec.formulas.transfer:EMPIRICAL_SIGMA_P",
            "ptum.spec.formulas.transfer:INDEX",
            "ptum.spec.formulas.transfer:PASS_NUMBER",
        ),
        reference=(
            "ptum.reference.transfer.ptum:ptum",
            "ptum.reference.transfer.stopping:transfer_threshold",
            "ptum.reference.transfer.stopping:enters_transfer_mode",
            "ptum.reference.transfer.empirical:empirical_model",
            "ptum.reference.transfer.confidence:confidence_set",
            "ptum.reference.transfer.stopping:stopping_slack",
            "ptum.reference.transfer.stopping:stopping_models",
            "ptum.reference.transfer.information:index",
            "ptum.reference.transfer.information:query",
            "ptum.reference.transfer.fallback:UniformSampling",
        ),
        decisions=(
            "D02",
            "D03",
            "D04",
            "D05",
            "D06",
            "D07",
            "D08",
            "D09",
            "D10",
            "D11",
            "D12",
            "D13",
            "D14",
            "D15",
            "D16",
            "D17",
            "D18",
            "D19",
            "D22",
            "D24",
            "D25",
            "D26",
            "D27",
            "D32",
            "D35",
            "D37",
            "D39",
            "D114",
        ),
        parts=(
            Part(
                id="algorithm-1.pseudocode",
                formulas=(
                    "ptum.spec.formulas.transfer:EMPIRICAL_REWARD",
                    "ptum.spec.formulas.transfer:EMPIRICAL_TRANSITION",
                    "ptum.spec.formulas.transfer:EMPIRICAL_SIGMA_R",
                    "ptum.spec.formulas.transfer:EMPIRICAL_SIGMA_P",
                    "ptum.spec.formulas.transfer:STOPPING_SLACK",
                    "ptum.spec.formulas.transfer:INDEX",
                    "ptum.spec.formulas.transfer:PASS_NUMBER",
                ),
                checks=("algorithm-1.pseudocode/formula", "algorithm-1.pseudocode/invariants"),
                says="The 22 lines as printed.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "A definition with many points left open; the decisions close them. Line "
                    "20 stores under s,a what was drawn at S_t,A_t, and Section 3.1 cites "
                    "lines 20-22 for 16-18."
                ),
                repair=Repair(
                    says=(
                        "Line 20 stores in the data sets of (S_t,A_t); the index stands in "
                        "lines 16-18."
                    ),
                    reference=("ptum.reference.repaired.transfer.ptum:ptum",),
                    checks=("algorithm-1.pseudocode/repaired-invariants",),
                    errata=("E24",),
                ),
            ),
            Part(
                id="algorithm-1.transfer-mode",
                formulas=("ptum.spec.formulas.transfer:TRANSFER_THRESHOLD",),
                checks=("algorithm-1.transfer-mode/formula",),
                says="Line 2: transfer mode is entered exactly when Δ < ε(1-γ)/(4(1+γ)).",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "A definition, but too generous: above (1-γ)ε/(18(1+γ)) every index can "
                    "vanish before the run may stop. It also shuts out ε = Δ = 0."
                ),
                repair=Repair(
                    says=(
                        "Fall back exactly when Δ > (1-γ)ε/(18(1+γ)); equality enters transfer "
                        "mode."
                    ),
                    checks=("algorithm-1.transfer-mode/formula-repaired",),
                    formulas=("ptum.spec.formulas.transfer:TRANSFER_THRESHOLD_REPAIRED",),
                    reference=(
                        "ptum.reference.repaired.transfer.stopping:transfer_threshold",
                        "ptum.reference.repaired.transfer.stopping:enters_transfer_mode",
                    ),
                    errata=("E01", "E12"),
                ),
            ),
            Part(
                id="algorithm-1.ensures",
                checks=(
                    "algorithm-1.ensures/wrong-policy",
                    "algorithm-1.ensures/both-phases",
                    "algorithm-1.ensures/exact",
                ),
                says="The output is ε-optimal for the target with probability at least 1-δ.",
                status=Status.REFUTED,
                proof=Proof.GAP,
                evidence=Evidence.CHECKED,
                reason=(
                    "On the two-state instance of lemma-9.optimal (γ = 0.9, ε = 0.1, Δ = 0) the "
                    "run stops in iteration 1 and its policy surely loses 0.9. Apart from that, a "
                    "transfer phase and a fallback that may each fail with probability δ give "
                    "2δ by the union bound, and more than δ is possible with exact models: "
                    "target (0.4, 0.45), rival (0.5, 0.45), γ = 0, ε = 0.04, δ = 0.1, n = 45 "
                    "never stops rightly and stops wrongly with probability 0.4⁴⁰, after which "
                    "a fallback that uses up its δ makes the sum exceed δ."
                ),
                repair=Repair(
                    says=(
                        "Under the repaired Assumption 1 and with δ/2 for each of the two "
                        "phases, the output is ε-optimal with probability at least 1-δ."
                    ),
                    formulas=("ptum.spec.formulas.transfer:ASSUMPTION_1_P_REPAIRED",),
                    reference=("ptum.reference.repaired.transfer.ptum:ptum",),
                    checks=(
                        "algorithm-1.ensures/repaired-both-phases",
                        "algorithm-1.ensures/repaired-named",
                        "algorithm-1.ensures/repaired-exact",
                    ),
                    errata=("E02", "E05", "E15"),
                ),
            ),
        ),
    ),
    Claim(
        id="equation-1",
        kind=Kind.EQUATION,
        number=1,
        label="eq:single-conf-r",
        title="Test of the mean reward",
        section="Section 3.1",
        statement="|r̂_t(s,a) - r̃_θ(s,a)| ≤ C^r_{t,δ}(s,a) for every pair.",
        link=Link(Relation.DISPLAY_OF, "algorithm-1"),
        uses=("lemma-3",),
        formulas=("ptum.spec.formulas.appendix_b:WIDTH_R",),
        reference=(
            "ptum.reference.transfer.confidence:confidence_set",
            "ptum.reference.transfer.confidence:width_r",
        ),
        decisions=("D03", "D26"),
    ),
    Claim(
        id="equation-2",
        kind=Kind.EQUATION,
        number=2,
        label="eq:single-conf-p",
        title="Test of the mean next value",
        section="Section 3.1",
        statement=(
            "|(p̂_t(s,a) - p̃_θ(s,a))ᵀ Ṽ*_θ'| ≤ C^p_{t,δ}(s,a;θ') for every pair and θ' in Θ."
        ),
        link=Link(Relation.DISPLAY_OF, "algorithm-1"),
        uses=("lemma-3",),
        formulas=("ptum.spec.formulas.appendix_b:WIDTH_P",),
        reference=(
            "ptum.reference.transfer.confidence:confidence_set",
            "ptum.reference.transfer.confidence:width_p",
        ),
        decisions=("D03", "D10", "D26"),
    ),
    Claim(
        id="equation-3",
        kind=Kind.EQUATION,
        number=3,
        label="eq:single-conf-sr",
        title="Test of the reward standard deviation",
        section="Section 3.1",
        statement="|σ̂^r_t(s,a) - σ̃^r_θ(s,a)| ≤ C^{σ_r}_{t,δ}(s,a) for every pair.",
        link=Link(Relation.DISPLAY_OF, "algorithm-1"),
        uses=("lemma-3",),
        formulas=("ptum.spec.formulas.appendix_b:WIDTH_SIGMA_R",),
        reference=(
            "ptum.reference.transfer.confidence:confidence_set",
            "ptum.reference.transfer.confidence:width_sigma_r",
        ),
        decisions=("D03", "D15", "D26"),
    ),
    Claim(
        id="equation-4",
        kind=Kind.EQUATION,
        number=4,
        label="eq:single-conf-sp",
        title="Test of the transition standard deviation",
        section="Section 3.1",
        statement=(
            "|σ̂^p_t(s,a;θ') - σ̃^p_θ(s,a;θ')| ≤ C^{σ_p}_{t,δ}(s,a) for every pair and θ' in Θ."
        ),
        link=Link(Relation.DISPLAY_OF, "algorithm-1"),
        uses=("lemma-3",),
        formulas=("ptum.spec.formulas.appendix_b:WIDTH_SIGMA_P",),
        reference=(
            "ptum.reference.transfer.confidence:confidence_set",
            "ptum.reference.transfer.confidence:width_sigma_p",
        ),
        decisions=("D03", "D10", "D15", "D26"),
    ),
    Claim(
        id="text-returns-epsilon-optimal",
        kind=Kind.TEXT,
        title="What PTUM promises",
        section="Section 3.1",
        statement=(
            "The text repeats the ENSURE line: an ε-optimal policy with probability at least 1-δ."
        ),
        link=Link(Relation.DISPLAY_OF, "algorithm-1"),
    ),
    Claim(
        id="text-pac-algorithm",
        kind=Kind.TEXT,
        title="What an (ε,δ)-PAC algorithm is",
        section="Section 3.1",
        statement=(
            "An algorithm is (ε,δ)-PAC when it finds an ε-optimal policy with probability 1-δ "
            "from a number of samples that is polynomial in the quantities of the problem."
        ),
        uses=("text-epsilon-optimal",),
        reference=("ptum.reference.transfer.fallback:UniformSampling",),
        decisions=("D11",),
        parts=(
            Part(
                id="text-pac-algorithm.definition",
                checks=(
                    "text-pac-algorithm.definition/samples",
                    "text-pac-algorithm.definition/probability",
                ),
                says=("Polynomially many samples, and ε-optimality with probability at least 1-δ."),
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason="A definition, which does not list the quantities of the problem.",
            ),
        ),
    ),
    Claim(
        id="text-threshold-nearly-tight",
        kind=Kind.TEXT,
        title="The threshold of line 2 is nearly tight",
        section="Section 3.1",
        statement=(
            "It is conjectured that, in the worst case, Δ must be below a multiple of ε for "
            "transfer to help; a lower bound of Feng et al. is cited in support."
        ),
        uses=("algorithm-1",),
        parts=(
            Part(
                id="text-threshold-nearly-tight.conjecture",
                says="No algorithm can gain from models whose error exceeds order (1-γ)ε.",
                status=Status.UNPROVED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "The paper calls it a conjecture, for the worst case. With (1-γ)ε/2 as the "
                    "order it holds on Bernoulli rewards: one unknown action of A pays 1 with "
                    "probability 1/2 + g, all others with 1/2, and the model that pays 1/2 + g/2 "
                    "everywhere is within g/2 of all these tasks, in standard deviations too "
                    "unless g is large. For any ε < g/(1-γ), so for some Δ barely above (1-γ)ε/2, "
                    "it says nothing about which task it is, and the best learner needs of order "
                    "A/g² questions as without it; the check computes this learner. On the other "
                    "side a single model within (1-γ)ε/(2(1+γ)) needs no question at all, by "
                    "Corollary 2. Open is what lies between, and whether worthless models exist "
                    "where learning takes the full 1/(1-γ)³. For PTUM itself the printed threshold "
                    "is beyond the tight one, (1-γ)ε/(18(1+γ))."
                ),
                checks=("text-threshold-nearly-tight.conjecture/best-learner",),
                repair=Repair(
                    says=(
                        "For PTUM with four states or more, (1-γ)ε/(18(1+γ)) is the largest "
                        "threshold at which the index cannot vanish; for other algorithms the "
                        "question is open."
                    ),
                    formulas=("ptum.spec.formulas.transfer:TRANSFER_THRESHOLD_REPAIRED",),
                    errata=("E01",),
                ),
            ),
            Part(
                id="text-threshold-nearly-tight.lower-bound",
                says=(
                    "A poorly approximate model alone cannot lower the worst-case sample "
                    "complexity."
                ),
                status=Status.HOLDS,
                proof=Proof.IMPORTED,
                evidence=Evidence.CHECKED,
                reason=(
                    "Credited to Feng et al. (2019). A weaker form has a short proof: let all "
                    "actions stay, let one unknown action of each state pay 1 with probability 1/2 "
                    "+ g and all others with 1/2, with g slightly above (1-γ)ε. A wrong action "
                    "loses g/(1-γ) > ε, so all S hidden actions must be found. The model that pays "
                    "1/2 everywhere is within g of every one of these tasks in rewards and "
                    "standard deviations, and exact in transitions, so for Δ > (1-γ)ε it is a "
                    "valid and worthless input: learning with it is learning without. In one state "
                    "n questions then name the hidden action with probability at most 1/A + g "
                    "√(n/(A(1-4g²))): compare with a state where no action pays more, in total "
                    "variation, by Pinsker and -log(1-x) ≤ x/(1-x). So 1-δ takes n ≥ "
                    "A(1-δ-1/A)²(1-4g²)/g², and the check computes the best learner. Line 2's "
                    "threshold is smaller than (1-γ)ε by 4(1+γ), at most 8."
                ),
                checks=("text-threshold-nearly-tight.lower-bound/best-learner",),
            ),
        ),
    ),
    Claim(
        id="text-arbitrary-initialisation",
        kind=Kind.TEXT,
        title="Empirical quantities without data",
        section="Section 3.1",
        statement=(
            "Empirical means and standard deviations may be set arbitrarily for a pair that has no "
            "sample."
        ),
        uses=("lemma-3",),
        decisions=("D03", "D15"),
        parts=(
            Part(
                id="text-arbitrary-initialisation.harmless",
                checks=("text-arbitrary-initialisation.harmless/filled-in",),
                says="The values chosen at N = 0 change nothing.",
                status=Status.HOLDS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "All four widths are infinite for N ≤ 1, so every test passes whatever was "
                    "chosen."
                ),
            ),
            Part(
                id="text-arbitrary-initialisation.only-at-zero",
                checks=(
                    "text-arbitrary-initialisation.only-at-zero/one-sample",
                    "text-arbitrary-initialisation.only-at-zero/repaired-filled-in",
                ),
                says="One sample needs no choice that matters either.",
                status=Status.HOLDS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "The paper speaks of no sample only. With one, lines 9 and 10 divide 0 by "
                    "N-1 = 0, but Lemma 3 makes the widths infinite for N ≤ 1, so that no test "
                    "looks at the quotient (D03)."
                ),
            ),
        ),
    ),
    Claim(
        id="text-width-form",
        kind=Kind.TEXT,
        title="Shape of the confidence widths",
        section="Section 3.1",
        statement="The widths are said to have the form √(log(c/δ)/N_t(s,a)).",
        uses=("lemma-3",),
        parts=(
            Part(
                id="text-width-form.form",
                says="C_{t,δ}(s,a) is of the order √(log(c/δ)/N_t(s,a)).",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "The next sentence sends the reader to Appendix B for the full expression, so "
                    "the form is a shape. It is that of what the samples add: with L the "
                    "logarithm and N ≥ L, the width beyond Δ^x_max is at most 17/3 "
                    "√(L/N)/(1-γ). It is not that of the whole width, which has the constant "
                    "Δ^x_max, and a term 7L/(3(N-1)) that is all there is when the sample "
                    "standard deviation and Δ are 0."
                ),
                readings=(
                    Reading(
                        id="text-width-form.form.leading-term",
                        says="What the samples add to the width is at most of that order.",
                        status=Status.HOLDS,
                        checks=("text-width-form.form/leading-term",),
                    ),
                    Reading(
                        id="text-width-form.form.whole-width",
                        says="The width halves when the samples are quadrupled.",
                        status=Status.REFUTED,
                        checks=(
                            "text-width-form.form/model-error",
                            "text-width-form.form/no-spread",
                        ),
                    ),
                ),
                repair=Repair(
                    says=(
                        "Width = standard deviation term √(2σ̂²L/N) + range term of order L/N + "
                        "model error."
                    ),
                    formulas=("ptum.spec.formulas.appendix_b:WIDTH_R",),
                    reference=("ptum.reference.transfer.confidence:width_r",),
                    checks=("text-width-form.form/repaired-three-terms",),
                    errata=("E23",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-target-never-eliminated",
        kind=Kind.TEXT,
        title="The target stays active",
        section="Section 3.1",
        statement="With probability at least 1-δ the target is never dropped.",
        link=Link(Relation.DISPLAY_OF, "lemma-3"),
    ),
    Claim(
        id="text-stopping-is-safe",
        kind=Kind.TEXT,
        title="Stopping gives an ε-optimal policy",
        section="Section 3.1",
        statement=(
            "A policy that is (ε - 2Δ(1+γ)/(1-γ))-optimal in all active models is announced to "
            "be ε-optimal for the target."
        ),
        link=Link(Relation.DISPLAY_OF, "lemma-9"),
    ),
    Claim(
        id="text-index-shortest-time",
        kind=Kind.TEXT,
        title="The index picks the fastest pair",
        section="Section 3.1",
        statement=(
            "Querying the pair of largest index is presented as querying the pair that drops "
            "an active model soonest, and the analysis as confirming this."
        ),
        uses=("definition-1", "algorithm-1"),
        parts=(
            Part(
                id="text-index-shortest-time.fastest",
                says="The queried pair is the one that eliminates some active model soonest.",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Offered as an interpretation. By what Lemma 4 asks, with exact models and the "
                    "standard deviations and values of the model that comes first, it is exact: "
                    "the count is 32L over the information. By what happens it is not. In the "
                    "bandit of lemma-7.positive every index is 0, so line 18 may take arm 0, whose "
                    "reward is the same in both models and drops nothing; arms 1 and 2 differ by "
                    "0.09 > Δ = 0.012 and do drop a model. A positive index errs too: exact "
                    "models, deterministic rewards, a rival that pays 0.1 more at arm 0 and has a "
                    "Bernoulli(1/2) reward at arm 1, where the target always pays 1/2. The index "
                    "is 0.1 at arm 0, which needs 23L samples, and 0 at arm 1, where test (3) "
                    "needs 8L."
                ),
                readings=(
                    Reading(
                        id="text-index-shortest-time.fastest.by-lemma-4",
                        says="With exact models no pair is asked fewer samples by Lemma 4.",
                        status=Status.HOLDS,
                        checks=("text-index-shortest-time.fastest/asked-by-lemma-4",),
                    ),
                    Reading(
                        id="text-index-shortest-time.fastest.of-all-pairs",
                        says="No pair drops a model with fewer samples.",
                        status=Status.REFUTED,
                        checks=(
                            "text-index-shortest-time.fastest/silent-arm",
                            "text-index-shortest-time.fastest/telling-deviation",
                        ),
                    ),
                ),
                repair=Repair(
                    says=(
                        "A pair of positive index drops some active model after at most 128L "
                        "over its index; nothing is said about other pairs being slower."
                    ),
                    formulas=("ptum.spec.formulas.appendix_b:FUNDAMENTAL_REPAIRED",),
                    reference=(
                        "ptum.reference.repaired.transfer.analysis.sample_complexity:fundamental_bound",
                    ),
                    checks=("text-index-shortest-time.fastest/repaired-upper-bound",),
                    errata=("E21",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-kl-divergence",
        kind=Kind.TEXT,
        title="Information and Kullback-Leibler divergence",
        section="Section 3.1",
        statement=(
            "For Gaussian variables the squared-gap-over-variance terms of Definition 1 would "
            "be proportional to a Kullback-Leibler divergence."
        ),
        uses=("definition-1",),
        parts=(
            Part(
                id="text-kl-divergence.gaussian",
                says="(gap/σ_θ)² is proportional to KL between the two Gaussian distributions.",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "With one common standard deviation KL = gap²/(2σ²). With standard deviations "
                    "σ_1, σ_2 it is log(σ_2/σ_1) + (σ_1² + gap²)/(2σ_2²) - 1/2, which is positive "
                    "at gap 0 while the information is 0. The shift by 8Δ spoils the ratio as well."
                ),
                readings=(
                    Reading(
                        id="text-kl-divergence.gaussian.equal-variances",
                        says="Both models have the same standard deviation, and Δ = 0.",
                        status=Status.HOLDS,
                        checks=("text-kl-divergence.gaussian/equal-variances",),
                    ),
                    Reading(
                        id="text-kl-divergence.gaussian.any-variances",
                        says="The two models may have different standard deviations.",
                        status=Status.REFUTED,
                        checks=("text-kl-divergence.gaussian/unequal-variances",),
                    ),
                ),
                repair=Repair(
                    says="At Δ = 0 and with equal variances the term is twice the divergence.",
                    checks=("text-kl-divergence.gaussian/repaired-information",),
                    errata=("E23",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-linear-term-minor",
        kind=Kind.TEXT,
        title="The linear terms of Definition 1 are minor",
        section="Section 3.1",
        statement=(
            "The right-hand terms of Definition 1 are said to matter little for the algorithm "
            "and its analysis."
        ),
        uses=("definition-1", "theorem-1"),
        parts=(
            Part(
                id="text-linear-term-minor.minor",
                says="The linear terms of Definition 1 matter little.",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "In the rate they do: Corollary 1 keeps only ((1-γ)x)² of the information, and "
                    "the linear term is never below that. Where the distributions have no spread "
                    "they are everything: with deterministic rewards σ̃ = 0, the left term is "
                    "infinite and the linear term is the whole information. Without it Theorem 1 "
                    "would allow 0 queries, while no mean test can fail before N - 1 > 7L/3, and "
                    "line 18 could not tell a gap of 0.01 from one of 0.9, which is about 90 times "
                    "as fast."
                ),
                readings=(
                    Reading(
                        id="text-linear-term-minor.minor.in-the-rate",
                        says="The rate of Corollary 1 would be no better without them.",
                        status=Status.HOLDS,
                        checks=("text-linear-term-minor.minor/in-the-rate",),
                    ),
                    Reading(
                        id="text-linear-term-minor.minor.in-every-run",
                        says="On every instance Theorem 1 and line 18 could do without them.",
                        status=Status.REFUTED,
                        checks=(
                            "text-linear-term-minor.minor/bound",
                            "text-linear-term-minor.minor/choice",
                        ),
                    ),
                ),
                repair=Repair(
                    says=(
                        "The linear term decides whenever the excess gap is above the variance "
                        "(times 1-γ for transitions), in particular for deterministic models."
                    ),
                    checks=("text-linear-term-minor.minor/repaired-decides",),
                    errata=("E23",),
                ),
            ),
        ),
    ),
)

_SECTION_3_2: tuple[Claim, ...] = (
    Claim(
        id="theorem-1",
        kind=Kind.THEOREM,
        number=1,
        label="th:pac-bound",
        title="Sample complexity of PTUM",
        section="Section 3.2",
        statement=(
            "In transfer mode, with probability at least 1-δ, the returned policy is ε-optimal "
            "and the number of queries is at most 128 min{SA,|Θ|} log(8SAn(|Θ|+1)/δ) over the "
            "max over pairs of the min over Θ_ε of the information between target and model."
        ),
        uses=(
            "algorithm-1",
            "definition-1",
            "lemma-3",
            "lemma-6",
            "lemma-8",
            "lemma-9",
            "text-pair-constant-in-phase",
        ),
        assumes=("assumption-1", "assumption-3", "assumption-4"),
        formulas=(
            "ptum.spec.formulas.transfer:KAPPA",
            "ptum.spec.formulas.transfer:THETA_EPS",
            "ptum.spec.formulas.transfer:THEOREM_1",
        ),
        reference=(
            "ptum.reference.transfer.analysis.sample_complexity:kappa_eps",
            "ptum.reference.transfer.analysis.sample_complexity:theta_eps",
            "ptum.reference.transfer.analysis.sample_complexity:theorem_1_bound",
        ),
        decisions=("D04", "D06", "D21", "D23", "D28", "D29", "D30", "D31", "D32"),
        parts=(
            Part(
                id="theorem-1.set",
                formulas=(
                    "ptum.spec.formulas.transfer:KAPPA",
                    "ptum.spec.formulas.transfer:THETA_EPS",
                ),
                checks=("theorem-1.set/formula",),
                says=(
                    "κ_ε and the set Θ_ε of models whose reward gap to the target exceeds κ_ε "
                    "or whose transition gap exceeds κ_ε/γ."
                ),
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "A definition. A model may enter Θ_ε by one gap alone although the two "
                    "together cannot block stopping; the smaller set Θ_s = {G_r + γG_p > 2κ_ε} "
                    "suffices."
                ),
                repair=Repair(
                    says=(
                        "Θ_s := {θ : ‖r̃_θ - r̃_θ*‖ + γ‖(p̃_θ - p̃_θ*)ᵀṼ*_θ*‖ > 2κ_ε}, a part "
                        "of Θ_ε on which the information is positive for every Δ ≤ "
                        "(1-γ)ε/(18(1+γ))."
                    ),
                    checks=("theorem-1.set/formula-repaired",),
                    formulas=("ptum.spec.formulas.transfer:THETA_S",),
                    reference=(
                        "ptum.reference.repaired.transfer.analysis.sample_complexity:theta_s",
                    ),
                    errata=("E01", "E03"),
                ),
            ),
            Part(
                id="theorem-1.correct",
                checks=(
                    "theorem-1.correct/wrong-policy",
                    "theorem-1.correct/literal-deviation",
                    "theorem-1.correct/exact",
                ),
                says=(
                    "With probability at least 1-δ the returned policy is ε-optimal for the target."
                ),
                status=Status.REFUTED,
                proof=Proof.WRONG,
                evidence=Evidence.CHECKED,
                reason=(
                    "This is Lemma 9. Two states, γ = 0.9, ε = 0.1, all four errors 0: the run "
                    "stops in iteration 1 with certainty and its policy loses 0.9 = 9ε "
                    "(lemma-9.optimal)."
                ),
                repair=Repair(
                    checks=(
                        "theorem-1.correct/repaired-named",
                        "theorem-1.correct/repaired-drawn",
                        "theorem-1.correct/repaired-exact",
                        "theorem-1.correct/cheapest",
                    ),
                    says=(
                        "True when the transition line of Assumption 1 also covers the values "
                        "Ṽ_θ'^{π̃*_θ}."
                    ),
                    formulas=("ptum.spec.formulas.transfer:ASSUMPTION_1_P_REPAIRED",),
                    reference=("ptum.reference.repaired.transfer.assumptions:model_errors",),
                    errata=("E02", "E05"),
                ),
            ),
            Part(
                id="theorem-1.bound",
                checks=(
                    "theorem-1.bound/named",
                    "theorem-1.bound/drawn",
                    "theorem-1.bound/exact",
                ),
                says="The number of queries is at most the printed quotient.",
                status=Status.VACUOUS,
                proof=Proof.GAP,
                evidence=Evidence.CHECKED,
                reason=(
                    "Never violated (a positive max-min keeps the index positive, and max-min "
                    "≤ min-max), but it may say τ ≤ ∞. One state, γ = 0.5, ε = 0.4, Δ = 0, "
                    "Bernoulli means (0.5, 0.2, 0.2) against (0.5, 0.9, 0.2) and (0.5, 0.2, "
                    "0.9): each arm is silent on one rival, so max-min = 0, while min-max = "
                    "0.7 and runs with n = 10000, δ = 0.1 stop after about 170 queries."
                ),
                repair=Repair(
                    checks=(
                        "theorem-1.bound/repaired-named",
                        "theorem-1.bound/repaired-drawn",
                        "theorem-1.bound/repaired-exact",
                        "theorem-1.bound/repaired-finite",
                        "theorem-1.bound/cheapest",
                    ),
                    says=(
                        "The number of queries is at most 128 min{SA,|Θ|-1} L / M with "
                        "L = log(8SAn(|Θ|+1)/δ) and M the min over Θ_s of the max over pairs of "
                        "the information; M > 0 for every Δ ≤ (1-γ)ε/(18(1+γ)). With 2.61Δ for 8Δ "
                        "in Definition 1, 23 takes the place of 128 and 7.22 that of 18."
                    ),
                    formulas=("ptum.spec.formulas.transfer:THEOREM_1_REPAIRED",),
                    reference=(
                        "ptum.reference.repaired.transfer.analysis.sample_complexity:theorem_1_bound",
                    ),
                    errata=("E03", "E18", "E19"),
                ),
            ),
            Part(
                id="theorem-1.phases",
                says="The factor is |Θ| when that is smaller than SA.",
                status=Status.AMBIGUOUS,
                proof=Proof.GAP,
                evidence=Evidence.CHECKED,
                reason=(
                    "The counting over phases needs the same pair to be queried while the "
                    "active set stays the same, and the algorithm states no rule for ties. One "
                    "state, 400 arms, γ = 0, ε = 0.5, Δ = 0, n = 100000, δ = 0.1, target "
                    "(1,0,…,0) against (0,1,…,1): all indices are 1 and the bound is 5884; a "
                    "fixed order needs 55 queries, uniform random ties about 14000, always the "
                    "least sampled pair 21601."
                ),
                readings=(
                    Reading(
                        id="theorem-1.phases.fixed-ties",
                        checks=(
                            "theorem-1.phases/fixed-order",
                            "theorem-1.phases/few-models",
                        ),
                        says="Ties are broken by a fixed order of the pairs.",
                        status=Status.HOLDS,
                    ),
                    Reading(
                        id="theorem-1.phases.any-ties",
                        checks=(
                            "theorem-1.phases/least-sampled",
                            "theorem-1.phases/random-ties",
                        ),
                        says="Ties may be broken in any way, for instance at random.",
                        status=Status.REFUTED,
                    ),
                ),
                repair=Repair(
                    checks=("theorem-1.phases/repaired",),
                    says=(
                        "With ties broken by a fixed order the factor is min{SA, |Θ|-1}; with "
                        "any other rule it is SA."
                    ),
                    formulas=("ptum.spec.formulas.transfer:THEOREM_1_REPAIRED",),
                    reference=(
                        "ptum.reference.repaired.transfer.analysis.sample_complexity:theorem_1_bound",
                    ),
                    errata=("E10",),
                ),
            ),
        ),
    ),
    Claim(
        id="corollary-1",
        kind=Kind.COROLLARY,
        number=1,
        label="cor:samp-comp",
        title="Sample complexity in terms of the smallest gap",
        section="Section 3.2",
        statement=(
            "With Γ the smallest gap between the target and another model, the number of "
            "queries is, with probability at least 1-δ and up to logarithms, of order "
            "min{SA,|Θ|} log(1/δ) / (max{Γ²,ε²}(1-γ)⁴)."
        ),
        uses=("theorem-1",),
        assumes=("assumption-1", "assumption-3", "assumption-4"),
        formulas=(
            "ptum.spec.formulas.transfer:GAMMA_GAP",
            "ptum.spec.formulas.transfer:COROLLARY_1",
        ),
        reference=(
            "ptum.reference.transfer.analysis.sample_complexity:gap_Gamma",
            "ptum.reference.transfer.analysis.sample_complexity:corollary_1_rate",
        ),
        decisions=("D21", "D23", "D29"),
        parts=(
            Part(
                id="corollary-1.gap",
                formulas=("ptum.spec.formulas.transfer:GAMMA_GAP",),
                checks=("corollary-1.gap/formula",),
                says=(
                    "Γ, the smallest over the other models of the larger of the two sup-gaps "
                    "to the target."
                ),
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason="A definition; with a single model it is a minimum over nothing (D29).",
            ),
            Part(
                id="corollary-1.rate",
                checks=("corollary-1.rate/endless-bandit",),
                says="The rate holds for every Δ that enters transfer mode.",
                status=Status.REFUTED,
                proof=Proof.WRONG,
                evidence=Evidence.CHECKED,
                reason=(
                    "Where every index is 0 the queries depend on which of the tied pairs line 18 "
                    "takes. Take the first, as a fixed order does, which the phases of Theorem 1 "
                    "need: one state, three arms, γ = 0, ε = 1/2, Δ = 0.1, deterministic rewards "
                    "(0, 0.9, 0.4) against (Δ+x, 0.4, 0.9), Γ = 1/2. All assumptions are met, and "
                    "arm 0 drops the rival after 7L/(3x) queries, 4760 at x = 0.01 (n = 10⁶) and "
                    "583333 at x = 0.0001 (n = 10⁸), while Γ and ε stay as they are. In the bandit "
                    "of lemma-7.positive, where arm 0 is the same in both models, such a run never "
                    "ends; with ties broken at random it takes about 1300 queries at n = 5000 and "
                    "1500 at n = 50000. Even below the repaired threshold the shift 8Δ can make "
                    "the information as small as one likes."
                ),
                repair=Repair(
                    checks=(
                        "corollary-1.rate/repaired-drawn",
                        "corollary-1.rate/repaired-tiny-index",
                        "corollary-1.rate/cheapest",
                    ),
                    says=(
                        "For Δ ≤ (1-γ)ε/(18(1+γ)) and ε ≤ 1/(1-γ) the number of queries is at "
                        "most min{SA,|Θ|-1} L min{1000/((1-γ)²Γ²), 16000/((1-γ)⁴ε²)}, where "
                        "L = log(8SAn(|Θ|+1)/δ). With 2.61Δ for 8Δ in Definition 1, 7.22, 6300 "
                        "and 193000 take the places of 18, 1000 and 16000."
                    ),
                    formulas=("ptum.spec.formulas.transfer:COROLLARY_1_REPAIRED",),
                    reference=(
                        "ptum.reference.repaired.transfer.analysis.sample_complexity:corollary_1_bound",
                    ),
                    errata=("E07",),
                ),
            ),
            Part(
                id="corollary-1.rate-exact",
                checks=(
                    "corollary-1.rate-exact/drawn",
                    "corollary-1.rate-exact/information",
                ),
                says="The rate holds when Δ = 0.",
                status=Status.HOLDS,
                proof=Proof.WRONG,
                evidence=Evidence.CHECKED,
                reason=(
                    "Not from the printed theorem but from min-max: standard deviations are at "
                    "most half the range, so max over pairs of I ≥ (1-γ)²max{Γ²,κ_ε²} on Θ_ε, and "
                    "κ_ε = (1-γ)ε/4. For ε > 1/(1-γ) the run stops in iteration 1."
                ),
            ),
            Part(
                id="corollary-1.exchange",
                formulas=("ptum.spec.formulas.transfer:COROLLARY_1_EXCHANGE",),
                checks=("corollary-1.exchange/three-arms",),
                says=(
                    "First step of the proof: max over pairs of min over Θ_ε of I is at least "
                    "max{Γ²,κ_ε²}(1-γ)²."
                ),
                status=Status.REFUTED,
                proof=Proof.WRONG,
                evidence=Evidence.CHECKED,
                reason=(
                    "Each model has a large gap somewhere, but not all at one pair: in the "
                    "three-arm instance of theorem-1.bound the left side is 0 and the right "
                    "side 0.7²·0.5² = 0.1225."
                ),
                repair=Repair(
                    checks=(
                        "corollary-1.exchange/repaired-exact-models",
                        "corollary-1.exchange/repaired-with-errors",
                    ),
                    says=(
                        "With min over models outside and max over pairs inside, the step "
                        "holds at Δ = 0; for Δ > 0 the information is only at least φ((1-γ)w), "
                        "φ(z) = min{4z²,z}, w = (1-γ)ε/2 - 9(1+γ)Δ."
                    ),
                    formulas=("ptum.spec.formulas.transfer:COROLLARY_1_REPAIRED",),
                    reference=(
                        "ptum.reference.repaired.transfer.analysis.sample_complexity:corollary_1_bound",
                    ),
                    errata=("E04", "E07"),
                ),
            ),
            Part(
                id="corollary-1.constant",
                formulas=("ptum.spec.formulas.transfer:COROLLARY_1_CONSTANT",),
                checks=("corollary-1.constant/forgotten-square",),
                says="Second step: max{Γ²,κ_ε²}(1-γ)² ≥ max{Γ²,ε²}(1-γ)⁴/8.",
                status=Status.REFUTED,
                proof=Proof.WRONG,
                evidence=Evidence.CHECKED,
                reason=(
                    "From κ_ε ≥ (1-γ)ε/8 the square gives 1/64. At γ = 0, ε = 0.5, Δ = 0, Γ = "
                    "0.13: κ_ε = 0.125, left side 0.0169, right side 0.25/8 = 0.03125."
                ),
                repair=Repair(
                    checks=(
                        "corollary-1.constant/repaired",
                        "corollary-1.constant/repaired-exact-models",
                    ),
                    says="The step holds with 1/64 in place of 1/8, and with 1/16 at Δ = 0.",
                    errata=("E06",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-pac",
        kind=Kind.TEXT,
        title="PTUM is (ε,δ)-PAC",
        section="Section 3.2",
        statement=(
            "Theorem 1 is said to make PTUM (ε,δ)-PAC, its bound being polynomial in what matters."
        ),
        uses=("theorem-1", "text-pac-algorithm"),
        parts=(
            Part(
                id="text-pac.implied",
                checks=(
                    "text-pac.implied/infinite-bound",
                    "text-pac.implied/wrong-policy",
                ),
                says="Theorem 1 implies that PTUM is (ε,δ)-PAC.",
                status=Status.REFUTED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "An infinite bound is not polynomial (max-min = 0 in the three-arm "
                    "instance of theorem-1.bound), and the output need not be ε-optimal "
                    "(theorem-1.correct)."
                ),
                repair=Repair(
                    checks=("text-pac.implied/repaired",),
                    says=(
                        "The repaired theorem and corollary give ε-optimality and a bound "
                        "polynomial in SA, |Θ|, 1/ε, 1/(1-γ) and log(n/δ), for n large enough."
                    ),
                    formulas=("ptum.spec.formulas.transfer:COROLLARY_1_REPAIRED",),
                    errata=("E02", "E03", "E07"),
                ),
            ),
        ),
    ),
    Claim(
        id="text-scales-with-min",
        kind=Kind.TEXT,
        title="The smaller of tasks and pairs",
        section="Section 3.2",
        statement=(
            "Up to logarithms the sample complexity scales with the smaller of the number of "
            "tasks and the number of pairs, whereas learning without transfer is at least "
            "linear in SA."
        ),
        uses=("theorem-1",),
        decisions=("D06",),
        parts=(
            Part(
                id="text-scales-with-min.minimum",
                says="The factor in front is min{SA,|Θ|}.",
                status=Status.AMBIGUOUS,
                proof=Proof.GAP,
                evidence=Evidence.CHECKED,
                reason=(
                    "The |Θ| half rests on how ties are broken: 2 models and 400 tied arms "
                    "cost 55 queries in a fixed order and about 14000 at random "
                    "(theorem-1.phases)."
                ),
                readings=(
                    Reading(
                        id="text-scales-with-min.minimum.fixed-ties",
                        checks=(
                            "text-scales-with-min.minimum/fixed-order",
                            "text-scales-with-min.minimum/few-pairs",
                        ),
                        says="Ties are broken by a fixed order of the pairs.",
                        status=Status.HOLDS,
                    ),
                    Reading(
                        id="text-scales-with-min.minimum.any-ties",
                        checks=("text-scales-with-min.minimum/least-sampled",),
                        says="Ties may be broken in any way.",
                        status=Status.REFUTED,
                    ),
                ),
                repair=Repair(
                    checks=("text-scales-with-min.minimum/repaired",),
                    says=("The factor is min{SA,|Θ|-1} with a fixed order of the pairs, else SA."),
                    formulas=("ptum.spec.formulas.transfer:THEOREM_1_REPAIRED",),
                    errata=("E10",),
                ),
            ),
            Part(
                id="text-scales-with-min.no-transfer",
                says="Without transfer the sample complexity is at least linear in SA.",
                status=Status.HOLDS,
                proof=Proof.IMPORTED,
                evidence=Evidence.CHECKED,
                reason=(
                    "A known lower bound, and linearity in SA has a short proof: γ = 0, rewards "
                    "deterministic, in each state one action, placed at random, pays 1 and all "
                    "others 0, ε < 1. A learner that would ask j times in state s before giving "
                    "up, j independent of the action placed there, names it with probability at "
                    "most (j+1)/A and asks j - j(j-1)/(2A) ≥ j/2 times on average. So it is right "
                    "in state s with probability at most (2E[m_s]+1)/A, and right everywhere with "
                    "at most (2n/S+1)/A for n expected queries. To be right with probability 1-δ "
                    "it needs n ≥ S((1-δ)A - 1)/2. On all sizes that were computed the best "
                    "learner guesses, or asks until it has found every action, with "
                    "S(A-1)(A+2)/(2A) questions, or tosses a coin between the two."
                ),
                checks=("text-scales-with-min.no-transfer/best-learner",),
            ),
        ),
    ),
    Claim(
        id="text-theta-eps-meaning",
        kind=Kind.TEXT,
        title="What Θ_ε stands for",
        section="Section 3.2",
        statement=(
            "Θ_ε is explained as the models whose optimal policy cannot be guaranteed to be "
            "ε-optimal for the target."
        ),
        uses=("theorem-1", "corollary-2"),
        decisions=("D31",),
        parts=(
            Part(
                id="text-theta-eps-meaning.policies",
                checks=("text-theta-eps-meaning.policies/three-states",),
                says="Outside Θ_ε the model's own optimal policy is ε-optimal for the target.",
                status=Status.REFUTED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Θ_ε controls the loss of the target's policy in the model. States y, G, B "
                    "(G, B absorbing), γ = 0.9, ε = 0.4, Δ = 0, κ_ε = 0.01. Target: r(y) = "
                    "(0.5, 0.31), r(G) = r(B) = 0.5, (y,0)→B, (y,1)→y. Model: r(y) = (0.4901, "
                    "0.3199), r(G) = 0.5099, r(B) = 0.4901, (y,1)→G. Reward gap 0.0099, "
                    "transition gap 0, yet its policy takes action 1 in y (4.909 against "
                    "4.901) and loses 1.9 in the target."
                ),
                repair=Repair(
                    checks=(
                        "text-theta-eps-meaning.policies/repaired-own-policy",
                        "text-theta-eps-meaning.policies/repaired-model-policy",
                        "text-theta-eps-meaning.policies/repaired-tight",
                    ),
                    says=(
                        "Outside Θ_ε the target's policy loses at most ε - 2Δ(1+γ)/(1-γ) in "
                        "the model; the model's policy loses at most 1/(1-γ) times that in the "
                        "target, and no better constant is possible."
                    ),
                    errata=("E14",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-eliminate-all-suffices-to-stop",
        kind=Kind.TEXT,
        title="Eliminating Θ_ε is enough to stop",
        section="Section 3.2",
        statement="Once all models of Θ_ε are dropped the run stops, by Lemma 6.",
        uses=("lemma-6",),
        parts=(
            Part(
                id="text-eliminate-all-suffices-to-stop.stops",
                checks=("text-eliminate-all-suffices-to-stop.stops/drawn",),
                says=("On the event E, no active model in Θ_ε implies that line 14 stops the run."),
                status=Status.HOLDS,
                proof=Proof.COMPLETE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Contraposition of Lemma 6: the target is active and its policy loses at "
                    "most 4κ_ε/(1-γ) = ε - 2Δ(1+γ)/(1-γ) in every model outside Θ_ε. It is not "
                    "necessary."
                ),
            ),
        ),
    ),
    Claim(
        id="text-oracle-proportional",
        kind=Kind.TEXT,
        title="As good as an oracle",
        section="Section 3.2",
        statement=(
            "The sample complexity of PTUM is said to be proportional to that of a strategy "
            "which knows beforehand the most informative pairs for eliminating Θ_ε."
        ),
        uses=("theorem-1",),
        parts=(
            Part(
                id="text-oracle-proportional.oracle",
                says="PTUM is within a constant factor of that oracle.",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "The oracle is not defined. Bound: in the three-arm instance of "
                    "theorem-1.bound it is infinite while sampling arms 1 and 2 in turn ends. "
                    "Run: one state, γ = 0, ε = 0.5, Δ = 0, deterministic arms; target (0.4, "
                    "0.15, 0,…,0), one blocking model with 0.95 at arm 1, and K models with 0.85 "
                    "at one of K further arms. PTUM (n = 100000, δ = 0.1) drops the K harmless "
                    "models first: 106, 280, 590, 1240 queries for K = 2, 5, 10, 20; sampling arm "
                    "1 alone takes 57, 60, 63, 66. Tests: γ = 0.9, states w, s0, x, y, z, all but "
                    "s0 absorbing, s0 → x in the target and → y in a rival that finds x and y "
                    "equal too and differs by g in z only; a third model with r(w) = 1, r(x) = "
                    "0.9, r(y) = 0.1. PTUM drops the third model at w and then needs about 46/g "
                    "queries of z (n = 100000, δ = 0.1), while 47 samples of w and 59 of s0, "
                    "where the third model's value tells x from y, are enough: |Θ| = 3 and SA = "
                    "10 stay the same while the ratio goes like 1/g. In information: every plan "
                    "needs at least L/(min-max) samples, and the repaired Theorem 1 is 128 "
                    "min{SA,|Θ|-1} times that."
                ),
                readings=(
                    Reading(
                        id="text-oracle-proportional.oracle.printed-bound",
                        checks=("text-oracle-proportional.oracle/three-arms",),
                        says=("The bound of Theorem 1 is proportional to the cost of the oracle."),
                        status=Status.REFUTED,
                    ),
                    Reading(
                        id="text-oracle-proportional.oracle.constant-factor",
                        checks=("text-oracle-proportional.oracle/distractors",),
                        says=(
                            "The number of queries of PTUM is within a universal constant of "
                            "the oracle's."
                        ),
                        status=Status.REFUTED,
                    ),
                    Reading(
                        id="text-oracle-proportional.oracle.up-to-the-factor",
                        checks=("text-oracle-proportional.oracle/hidden-test",),
                        says=(
                            "It is so up to logarithms and the factor min{SA,|Θ|}, for an "
                            "oracle that eliminates by PTUM's own tests."
                        ),
                        status=Status.REFUTED,
                    ),
                    Reading(
                        id="text-oracle-proportional.oracle.in-information",
                        checks=("text-oracle-proportional.oracle/information-plan",),
                        says=(
                            "It is so up to 128 min{SA,|Θ|}, for an oracle whose cost is the "
                            "least number of samples that collect log(8SAn(|Θ|+1)/δ) units of "
                            "I(θ*,θ) on every θ of Θ_ε."
                        ),
                        status=Status.HOLDS,
                    ),
                ),
                repair=Repair(
                    checks=("text-oracle-proportional.oracle/repaired-finite",),
                    says=(
                        "The repaired bound has the min over blocking models of the max over "
                        "pairs in its denominator; no comparison with an oracle is claimed."
                    ),
                    formulas=("ptum.spec.formulas.transfer:THEOREM_1_REPAIRED",),
                    errata=("E03", "E22"),
                ),
            ),
        ),
    ),
    Claim(
        id="text-independent-of-epsilon",
        kind=Kind.TEXT,
        title="No growth as ε shrinks",
        section="Section 3.2",
        statement=(
            "Corollary 1 is said to show that the sample complexity does not scale with ε: for "
            "small ε it scales with Γ."
        ),
        uses=("corollary-1",),
        parts=(
            Part(
                id="text-independent-of-epsilon.bounded",
                checks=(
                    "text-independent-of-epsilon.bounded/rate",
                    "text-independent-of-epsilon.bounded/runs",
                ),
                says="For fixed Γ > 0 the rate of Corollary 1 stays bounded as ε tends to 0.",
                status=Status.HOLDS,
                proof=Proof.COMPLETE,
                evidence=Evidence.CHECKED,
                reason=(
                    "max{Γ²,ε²} ≥ Γ². In transfer mode ε → 0 forces Δ → 0, where the rate "
                    "itself is right (corollary-1.rate-exact)."
                ),
            ),
        ),
    ),
    Claim(
        id="text-gamma-worst-case",
        kind=Kind.TEXT,
        title="Γ is only the worst case",
        section="Section 3.2",
        statement=(
            "The dependence on Γ is that of Brunskill and Li; here it is called a worst case, "
            "Γ being the least positive information and Theorem 1 scaling with the greatest."
        ),
        uses=("theorem-1", "corollary-1"),
        parts=(
            Part(
                id="text-gamma-worst-case.same-dependence",
                says="The bound of Brunskill and Li depends on Γ in the same way.",
                status=Status.IMPORTED,
                proof=Proof.IMPORTED,
                evidence=Evidence.DERIVED,
                reason=(
                    "The theorem of Brunskill and Li (2013) is not restated and not verified "
                    "here. What can be compared is the form: telling two means apart that "
                    "differ by Γ takes of order 1/Γ² samples with any concentration inequality, "
                    "so an identification phase based on the least gap between models has 1/Γ² "
                    "in its count, as Corollary 1 has. Their gap is a distance between rows of "
                    "parameters, the one here is seen through value functions, and it can be "
                    "zero where theirs is not (E13), so the two bounds are alike in form and "
                    "not comparable number by number."
                ),
                unchecked="A comparison with a bound that this paper does not print.",
            ),
            Part(
                id="text-gamma-worst-case.worst-case",
                checks=("text-gamma-worst-case.worst-case/three-arms",),
                says="The bound of Theorem 1 is never larger than one in Γ.",
                status=Status.REFUTED,
                proof=Proof.WRONG,
                evidence=Evidence.CHECKED,
                reason=(
                    "In the three-arm instance of theorem-1.bound Γ = 0.7 and the printed "
                    "denominator is 0. Γ is a gap, not an information."
                ),
                repair=Repair(
                    checks=("text-gamma-worst-case.worst-case/repaired",),
                    says="At Δ = 0 the min-max denominator is at least (1-γ)²Γ².",
                    formulas=("ptum.spec.formulas.transfer:THEOREM_1_REPAIRED",),
                    errata=("E03", "E04"),
                ),
            ),
        ),
    ),
    Claim(
        id="text-never-worse-than-brunskill",
        kind=Kind.TEXT,
        title="Never worse than Brunskill and Li",
        section="Section 3.2",
        statement="The bound is said to be never worse than that of Brunskill and Li.",
        uses=("theorem-1", "text-gamma-worst-case"),
        parts=(
            Part(
                id="text-never-worse-than-brunskill.never-worse",
                says="The bound of the paper is at most theirs.",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Theirs is not printed; by the paper's account it has 1/Γ². If the bound of "
                    "the paper is that of Corollary 1, so has this one, and with exact models it "
                    "holds. If it is that of Theorem 1, in the "
                    "three-arm instance of theorem-1.bound Γ = 0.7 and it is infinite."
                ),
                readings=(
                    Reading(
                        id="text-never-worse-than-brunskill.never-worse.corollary-1",
                        says=(
                            "With exact models min{SA,|Θ|} log(1/δ)/(Γ²(1-γ)⁴) bounds the queries, "
                            "up to constants and logarithms."
                        ),
                        status=Status.HOLDS,
                        checks=("text-never-worse-than-brunskill.never-worse/in-gamma",),
                    ),
                    Reading(
                        id="text-never-worse-than-brunskill.never-worse.theorem-1",
                        says="Theorem 1's bound is at most one in Γ, finite where Γ > 0.",
                        status=Status.REFUTED,
                        checks=("text-never-worse-than-brunskill.never-worse/three-arms",),
                    ),
                ),
                repair=Repair(
                    checks=("text-never-worse-than-brunskill.never-worse/repaired",),
                    says=(
                        "The repaired bound is finite whenever Δ ≤ (1-γ)ε/(18(1+γ)); a "
                        "comparison needs both bounds in one setting, and theirs is for "
                        "learning online."
                    ),
                    formulas=("ptum.spec.formulas.transfer:THEOREM_1_REPAIRED",),
                    errata=("E03", "E22"),
                ),
            ),
        ),
    ),
    Claim(
        id="text-negative-transfer",
        kind=Kind.TEXT,
        title="Robust to negative transfer",
        section="Section 3.2",
        statement=(
            "Since the earlier method is robust to negative transfer and its bound is not "
            "better, PTUM is said to inherit the robustness."
        ),
        uses=("text-never-worse-than-brunskill", "algorithm-1"),
        parts=(
            Part(
                id="text-negative-transfer.inherited",
                says="A bound no worse than a robust algorithm's makes PTUM robust.",
                status=Status.UNPROVED,
                proof=Proof.GAP,
                evidence=Evidence.CHECKED,
                reason=(
                    "Comparing two upper bounds carries no property from one algorithm to the "
                    "other, and the premise is open (text-never-worse-than-brunskill). Robustness "
                    "is not defined; what can be counted is its price: with models of other tasks "
                    "than the target, a run asks at most n queries more than its fallback alone. "
                    "It may ask that many: "
                    "n is chosen without regard to what the fallback needs."
                ),
                checks=("text-negative-transfer.inherited/cost",),
                repair=Repair(
                    says=(
                        "Line 2 and the fallback protect PTUM: it costs at most n queries more "
                        "than the fallback alone, and its failure probability at most δ more."
                    ),
                    errata=("E22", "E15"),
                ),
            ),
        ),
    ),
    Claim(
        id="text-gamma-positive",
        kind=Kind.TEXT,
        title="Γ > 0 without loss of generality",
        section="Section 3.2",
        statement=(
            "Γ is said to be positive because otherwise two models are identical and one can "
            "be left out."
        ),
        uses=("corollary-1", "algorithm-1"),
        parts=(
            Part(
                id="text-gamma-positive.identical",
                checks=("text-gamma-positive.identical/equal-values",),
                says="Γ = 0 only if two models are identical.",
                status=Status.REFUTED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Three states, one action, rewards 0.5, γ = 0.9, states 1 and 2 absorbing; "
                    "state 0 leads to 1 in the target and to 2 in the model. All values are 5, "
                    "so both gaps are 0, and the models differ."
                ),
                repair=Repair(
                    checks=("text-gamma-positive.identical/repaired",),
                    says=(
                        "Zero gaps to a model imply that it has the target's optimal value and "
                        "optimal policies, because V*_θ* then solves its optimality equation "
                        "too."
                    ),
                    errata=("E13",),
                ),
            ),
            Part(
                id="text-gamma-positive.neglect",
                checks=("text-gamma-positive.neglect/left-out",),
                says="One of two models at distance Γ = 0 may be left out safely.",
                status=Status.REFUTED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Tests (2) and (4) use all models' values. States 0,1,2,z (1,2,z "
                    "absorbing), γ = 0.9, ε = 0.5, rewards 0.5 and r(z) = (0.6,0.4); target "
                    "0→1, twin 0→2; third model 0→1 with r(1) = 1, r(2) = 0, r(z) = (0.4,0.6). "
                    "With the target left out for its twin (n = 20000, δ = 0.1), 42 queries of "
                    "state 0 drop the twin, and the third model's policy loses 2 = 4ε; with "
                    "both kept the run ends rightly after 127. Nor is it enough that all Ṽ* "
                    "agree on the two: with the instance of lemma-9.optimal, its approximate "
                    "target in the part of the twin, the run stops at once and loses 9ε."
                ),
                repair=Repair(
                    checks=(
                        "text-gamma-positive.neglect/repaired-both-kept",
                        "text-gamma-positive.neglect/repaired-merged",
                    ),
                    says=(
                        "Keep both models, or merge them only when all p̃ᵀṼ*_θ', all "
                        "standard deviations and all p̃ᵀṼ_θ^{π̃*_θ'} agree: the kept model then has "
                        "the errors 0 of the repaired Assumption 1."
                    ),
                    errata=("E13",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-epsilon-zero",
        kind=Kind.TEXT,
        title="ε = 0 is allowed",
        section="Section 3.2",
        statement=(
            "With perfect models one could set ε = 0 and PTUM would return an optimal policy."
        ),
        uses=("algorithm-1", "corollary-1", "text-gamma-positive"),
        decisions=("D24",),
        parts=(
            Part(
                id="text-epsilon-zero.enters",
                checks=("text-epsilon-zero.enters/falls-back",),
                says=(
                    "With ε = Δ = 0 Algorithm 1 enters transfer mode and returns an optimal policy."
                ),
                status=Status.REFUTED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Line 2 then asks whether 0 ≥ 0, which is true, and falls back; no PAC "
                    "algorithm finds an exactly optimal policy from finitely many samples."
                ),
                repair=Repair(
                    checks=(
                        "text-epsilon-zero.enters/repaired",
                        "text-epsilon-zero.enters/repaired-drawn",
                    ),
                    says=(
                        "Fall back only when Δ exceeds the threshold; then ε = Δ = 0 enters "
                        "transfer mode, and the repaired Theorem 1 holds."
                    ),
                    formulas=("ptum.spec.formulas.transfer:TRANSFER_THRESHOLD_REPAIRED",),
                    reference=("ptum.reference.repaired.transfer.stopping:enters_transfer_mode",),
                    errata=("E12",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-discount-dependence",
        kind=Kind.TEXT,
        title="Dependence on the discount factor",
        section="Section 3.2",
        statement=(
            "The optimal power of 1/(1-γ) is three; four appears here because variances are "
            "bounded by their maximum, and a finer analysis should reach three."
        ),
        uses=("corollary-1",),
        parts=(
            Part(
                id="text-discount-dependence.optimal",
                says="The optimal dependence is 1/(1-γ)³.",
                status=Status.IMPORTED,
                proof=Proof.IMPORTED,
                evidence=Evidence.DERIVED,
                reason=(
                    "Credited to Azar et al. (2013) for learning one model from scratch; not "
                    "verified here. The power is plausible by the usual count: a variance of "
                    "returns of order 1/(1-γ)³, instead of the 1/(1-γ)⁴ that bounding the "
                    "variance of next values by its maximum at every step gives, divided by ε². "
                    "A lower bound for one unknown model does not bound transfer, where the "
                    "models are known and PTUM may need no sample; so the sentence is about the "
                    "case in which transfer does not help."
                ),
                unchecked="A lower bound over all algorithms, from another paper.",
            ),
            Part(
                id="text-discount-dependence.reachable",
                says="A finer treatment of the variances gives 1/(1-γ)³.",
                status=Status.UNPROVED,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "Only announced. The fourth power is needed for the ε part alone: in the Γ "
                    "part the same argument already gives 1/(1-γ)² (corollary-1.rate, repaired). "
                    "From Theorem 1 the third cannot follow, however variances are treated: let "
                    "the target leave a state x, worth 1/(2(1-γ)), for 1/(1-γ) or 0 with equal "
                    "probability, and let the model stay in x but for a small probability to fall "
                    "(action 0) or to rise (action 1), so that the mean of the target's values "
                    "moves by g. Then max I(θ*,θ) = 4(1-γ)²g², the target's policy loses ε = "
                    "2γg/((1-γ)(1+2γg)) in the model, and the denominator of Theorem 1 is of order "
                    "(1-γ)⁴ε². PTUM itself is better off, as its index also has I(θ,θ*). Two "
                    "models that block each other at ε were never seen with a largest index below "
                    "(1-γ)³ε²/125, which is what the third power with the constant of Corollary 1 "
                    "needs; the smallest index found was (1-γ)³ε², where a detour hardly pays in "
                    "one model and never ends in the other. That is a search and no proof."
                ),
                checks=("text-discount-dependence.reachable/rival-models",),
                repair=Repair(
                    says=(
                        "Proved powers are two in the Γ part and four in the ε part, and for "
                        "Theorem 1's own denominator four is the right one."
                    ),
                    formulas=("ptum.spec.formulas.transfer:COROLLARY_1_REPAIRED",),
                    checks=("text-discount-dependence.reachable/repaired-fourth-power",),
                    errata=("E07",),
                ),
            ),
        ),
    ),
)

_SECTION_3_3: tuple[Claim, ...] = (
    Claim(
        id="text-components-independent",
        kind=Kind.TEXT,
        title="Only the sampling needs a generative model",
        section="Section 3.3",
        statement=(
            "The information measure and all components but the sampling step do not depend on "
            "having a generative model."
        ),
        uses=("algorithm-1", "definition-1"),
        reference=(
            "ptum.reference.transfer.exploration:exploration_task",
            "ptum.reference.transfer.exploration:bonus_task",
            "ptum.reference.transfer.exploration:run_online",
        ),
        parts=(
            Part(
                id="text-components-independent.components",
                says="Lines 6-18 read the models and the stored samples and nothing else.",
                status=Status.HOLDS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "True by inspection, and in runs: the same answers handed out by a target "
                    "that holds another task give the same transcript. Lemma 3 also survives: "
                    "it is a union over sample counts of each pair, so it holds for any rule "
                    "that chooses pairs from the past. So agents that walk, by a task of "
                    "exploration or by a bonus, return what PTUM would be allowed to return."
                ),
                checks=(
                    "text-components-independent.components/recorded-samples",
                    "text-components-independent.components/walking",
                ),
            ),
        ),
    ),
    Claim(
        id="text-no-generative-model",
        kind=Kind.TEXT,
        title="Online variants",
        section="Section 3.3",
        statement=(
            "Without a generative model, exploration driven by the information measure is "
            "conjectured to be analysable in the same way, at the cost of a factor linear in "
            "the diameter."
        ),
        uses=("theorem-1",),
        decisions=("D108",),
        parts=(
            Part(
                id="text-no-generative-model.diameter",
                says="The bound gains a factor D, the diameter, and nothing else.",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "A conjecture. Of the agent two sketches are given, a task of exploration as "
                    "in E³ and a bonus; how it finds its way decides. Let the target move as its "
                    "own model says. Where all models move alike it knows the fastest way, which "
                    "takes D steps at most on average, so that a query costs D+1. Where moves are "
                    "deterministic it can plan with the most optimistic model that has not "
                    "mispredicted one yet: that way is no longer than the true one. It is given up "
                    "at most min{SA,|Θ|-1} times for a move that was not predicted, each at a new "
                    "pair and each eliminating a model, and |Θ|-1 times for a model that is "
                    "eliminated by what is seen on the way, so that another pair is asked for. "
                    "Planning with the models that line 12 leaves may never arrive: in three "
                    "states of one value in both models (D = 2 in both), the wrong model promises "
                    "a short cut that leads back to where it starts, and no test of values "
                    "notices. Where moves are random and differ the conjecture is open: that the "
                    "agent has to find its way may cost more than a factor; drawn runs of one "
                    "agent, which follows the models in turn, stay far below (D+1) times the "
                    "bound. What holds is proved in docs/repaired_transfer.md (Proposition O)."
                ),
                readings=(
                    Reading(
                        id="text-no-generative-model.diameter.shared-moves",
                        says="All models move alike, and the agent takes the fastest way.",
                        status=Status.HOLDS,
                        checks=("text-no-generative-model.diameter/moving-alike",),
                    ),
                    Reading(
                        id="text-no-generative-model.diameter.certain-moves",
                        says=(
                            "Moves are deterministic, and the agent plans with the most optimistic "
                            "of the models that have mispredicted none."
                        ),
                        status=Status.HOLDS,
                        checks=("text-no-generative-model.diameter/most-hopeful",),
                    ),
                    Reading(
                        id="text-no-generative-model.diameter.line-12-alone",
                        says="The agent plans with the most optimistic of the active models.",
                        status=Status.REFUTED,
                        checks=("text-no-generative-model.diameter/blind-tests",),
                    ),
                    Reading(
                        id="text-no-generative-model.diameter.random-moves",
                        says="Some agent does it where moves are random and differ.",
                        status=Status.UNPROVED,
                        checks=("text-no-generative-model.diameter/models-in-turn",),
                    ),
                ),
                repair=Repair(
                    says=(
                        "Let the target move as its own model says. In expectation D+1 times the "
                        "queries where all models move alike, and D+1 times the sum of the bound, "
                        "min{SA,|Θ|-1} and |Θ|-1 where moves are deterministic and a model that "
                        "mispredicts one is not planned with again. Nothing is claimed for random "
                        "moves that the agent does not know."
                    ),
                    reference=(
                        "ptum.reference.repaired.transfer.exploration:fastest_way",
                        "ptum.reference.repaired.transfer.exploration:run_shared_moves",
                        "ptum.reference.repaired.transfer.exploration:run_trusting",
                    ),
                    checks=("text-no-generative-model.diameter/repaired-watchful",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-fallback-choice",
        kind=Kind.TEXT,
        title="Choice of the fallback",
        section="Section 3.3",
        statement=(
            "Any PAC algorithm will do; optimistic initial values from the data gathered so "
            "far, or passing only the surviving models on, are said to make it cheaper."
        ),
        uses=("algorithm-1", "text-pac-algorithm"),
        decisions=("D11", "D25", "D39"),
        parts=(
            Part(
                id="text-fallback-choice.optimism",
                says="Tighter optimistic values from the data would cut the sample complexity.",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "MaxQInit is named as an example, no amount is. A learner that plans with "
                    "bounds U ≥ Q* where it knows nothing, and asks what its plan takes, asks "
                    "only pairs with U(s,a) ≥ V*(s), since its plan is worth at least V*; "
                    "guarantees for such learners count these pairs, and tighter bounds leave no "
                    "more of them. If it stops once it is sure to be within ε, which MaxQInit on "
                    "R-MAX does not, a single run can ask more: of ten arms one pays 1/2 and the "
                    "others 0, ε = 0.1, U = 0.55 for the others. With U = 1 the good arm is asked "
                    "first and is good enough; with the tighter 0.52, as if it had been sampled "
                    "before, it is asked last."
                ),
                readings=(
                    Reading(
                        id="text-fallback-choice.optimism.every-run",
                        says=(
                            "On every task no run of such a learner asks more pairs, also if it "
                            "stops once it is sure to be within ε."
                        ),
                        status=Status.REFUTED,
                        checks=("text-fallback-choice.optimism/asked-last",),
                    ),
                    Reading(
                        id="text-fallback-choice.optimism.guarantee",
                        says=(
                            "The number of pairs that such a learner may ask at all does not grow."
                        ),
                        status=Status.HOLDS,
                        checks=("text-fallback-choice.optimism/worth-asking",),
                    ),
                ),
                repair=Repair(
                    says=(
                        "At ε = 0, and where no bound equals V*, such a learner asks the pairs "
                        "with U(s,a) > V*(s) and no others, so that tighter bounds never make it "
                        "ask more. At ε > 0 that is true of the guarantee alone."
                    ),
                    checks=("text-fallback-choice.optimism/repaired-zero-accuracy",),
                ),
            ),
            Part(
                id="text-fallback-choice.survivors",
                checks=("text-fallback-choice.survivors/two-phases",),
                says=(
                    "Passing on the active models leaves at most as many eliminations as before."
                ),
                status=Status.HOLDS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "The active set is a part of Θ. It contains the target only on the event "
                    "E, so the failure probabilities of the two phases add up."
                ),
            ),
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (
    *_INTRODUCTION,
    *_SECTION_3,
    *_SECTION_3_1,
    *_SECTION_3_2,
    *_SECTION_3_3,
)
