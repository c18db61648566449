"""Section 2: tasks, values, standard deviations, gaps and the generative model."""

from __future__ import annotations

from ptum.spec.records import Claim, Part, Reading, Repair
from ptum.spec.vocabulary import Evidence, Kind, Proof, Status

_TABLE_1 = "Section 2; Appendix A (Table 1)"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="text-task",
        kind=Kind.TEXT,
        title="A task is a finite discounted MDP",
        section="Section 2",
        statement=(
            "A task θ is a tuple of finite state and action sets, transition distribution p_θ, "
            "reward distribution q_θ and a discount factor γ in [0,1); states, actions and γ are "
            "shared by all tasks."
        ),
        reference=("ptum.reference.tasks.mdp:MDP",),
        decisions=("D01", "D20"),
        parts=(
            Part(
                id="text-task.definition",
                checks=("text-task.definition/tables", "text-task.definition/shared"),
                says="M_θ = ⟨𝒮, 𝒜, p_θ, q_θ, γ⟩ with S states, A actions and 0 ≤ γ < 1.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason="A definition: there is nothing to prove.",
            ),
        ),
    ),
    Claim(
        id="text-mean-reward",
        kind=Kind.TEXT,
        title="Mean reward",
        section=_TABLE_1,
        statement="r_θ(s,a) is the expectation of the reward drawn from q_θ(·|s,a).",
        uses=("text-task",),
        formulas=("ptum.spec.formulas.preliminaries:MEAN_REWARD",),
        reference=("ptum.reference.tasks.mdp:mean_reward",),
        parts=(
            Part(
                id="text-mean-reward.definition",
                formulas=("ptum.spec.formulas.preliminaries:MEAN_REWARD",),
                checks=("text-mean-reward.definition/formula",),
                says="r_θ(s,a) = E[U | s,a] under q_θ.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason="A definition: there is nothing to prove.",
            ),
        ),
    ),
    Claim(
        id="text-rewards-in-unit-interval",
        kind=Kind.TEXT,
        title="Rewards in [0,1] without loss of generality",
        section="Section 2",
        statement="Supposing that rewards lie in [0,1] costs no generality.",
        uses=("text-task",),
        decisions=("D01",),
        parts=(
            Part(
                id="text-rewards-in-unit-interval.generality",
                says="Every task of Section 2 can be brought to rewards in [0,1].",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "The same paragraph offers 𝒰 = ℝ as an example. A known bounded range can "
                    "be rescaled; an unbounded reward cannot, and Lemma 2 has no range c to "
                    "work with. A map that is not affine, such as u/(1+u), does reach [0,1) but "
                    "turns the order of policies round: 3 with probability 2/5 beats a sure 1 "
                    "before it and loses after it."
                ),
                readings=(
                    Reading(
                        id="text-rewards-in-unit-interval.generality.bounded",
                        says=(
                            "Rewards lie in a known interval [l,h]: replace U by (U-l)/(h-l) "
                            "and ε by ε/(h-l); values change by the same affine map, so "
                            "policies keep their order."
                        ),
                        status=Status.HOLDS,
                        checks=("text-rewards-in-unit-interval.generality/bounded",),
                    ),
                    Reading(
                        id="text-rewards-in-unit-interval.generality.unbounded",
                        says=(
                            "Rewards may be any real numbers, for instance Gaussian: no affine "
                            "map brings them into [0,1]."
                        ),
                        status=Status.REFUTED,
                        checks=(
                            "text-rewards-in-unit-interval.generality/unbounded",
                            "text-rewards-in-unit-interval.generality/squashed",
                        ),
                    ),
                ),
                repair=Repair(
                    says="Rewards are bounded with known bounds, and are rescaled to [0,1].",
                    checks=("text-rewards-in-unit-interval.generality/repaired-accuracy",),
                    errata=("E23",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-value-function",
        kind=Kind.TEXT,
        title="Value of a policy",
        section=_TABLE_1,
        statement=(
            "V_θ^π(s) is the expected discounted sum of rewards of the deterministic policy π "
            "started in s."
        ),
        uses=("text-task", "text-mean-reward"),
        reference=("ptum.reference.tasks.values:policy_value",),
        parts=(
            Part(
                id="text-value-function.definition",
                checks=(
                    "text-value-function.definition/series",
                    "text-value-function.definition/reference",
                ),
                says=(
                    "V_θ^π(s) = E[Σ_t γ^t U_t | S_0 = s] under π, the solution of V = r^π + γ "
                    "P^π V."
                ),
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "A definition; I - γP^π is invertible because γ < 1, so the value is unique."
                ),
            ),
        ),
    ),
    Claim(
        id="text-optimal-policy",
        kind=Kind.TEXT,
        title="Optimal policy and optimal value",
        section=_TABLE_1,
        statement=(
            "One policy π*_θ maximises the value in all states at once, and V*_θ is its value."
        ),
        uses=("text-value-function",),
        reference=(
            "ptum.reference.tasks.values:optimal_policy",
            "ptum.reference.tasks.values:optimal_value",
        ),
        decisions=("D17",),
        parts=(
            Part(
                id="text-optimal-policy.definition",
                checks=("text-optimal-policy.definition/brute-force",),
                says="V*_θ = V_θ^{π*_θ}, with V*_θ(s) ≥ V_θ^π(s) for every s and π.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason="A definition. There may be several such policies; D17 fixes one.",
            ),
            Part(
                id="text-optimal-policy.exists",
                checks=("text-optimal-policy.exists/brute-force",),
                says="Such a policy exists.",
                status=Status.HOLDS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "The optimality operator contracts by γ < 1, and a policy that is greedy "
                    "in every state for its fixed point V attains V everywhere, while no "
                    "policy exceeds V."
                ),
            ),
        ),
    ),
    Claim(
        id="text-epsilon-optimal",
        kind=Kind.TEXT,
        title="ε-optimal policy",
        section="Section 2",
        statement="π is ε-optimal for θ when it loses at most ε against V*_θ in every state.",
        uses=("text-optimal-policy",),
        parts=(
            Part(
                id="text-epsilon-optimal.definition",
                checks=("text-epsilon-optimal.definition/line-14",),
                says="V_θ^π(s) ≥ V*_θ(s) - ε for all s.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason="A definition, given for ε > 0; it makes sense for ε = 0 too.",
            ),
        ),
    ),
    Claim(
        id="text-variances",
        kind=Kind.TEXT,
        title="Reward and transition standard deviations",
        section=_TABLE_1,
        statement=(
            "σ^r_θ(s,a) is the standard deviation of the reward; σ^p_θ(s,a;θ') is the standard "
            "deviation, under p_θ(·|s,a), of the optimal value of θ' in the next state."
        ),
        uses=("text-mean-reward", "text-optimal-policy"),
        formulas=(
            "ptum.spec.formulas.preliminaries:SIGMA_R",
            "ptum.spec.formulas.preliminaries:SIGMA_P",
        ),
        reference=(
            "ptum.reference.tasks.mdp:reward_std",
            "ptum.reference.tasks.values:transition_std",
        ),
        parts=(
            Part(
                id="text-variances.reward",
                formulas=("ptum.spec.formulas.preliminaries:SIGMA_R",),
                checks=("text-variances.reward/formula",),
                says="σ^r_θ(s,a)² = Var[U] under q_θ(·|s,a).",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason="A definition: there is nothing to prove.",
            ),
            Part(
                id="text-variances.transition",
                formulas=("ptum.spec.formulas.preliminaries:SIGMA_P",),
                checks=("text-variances.transition/formula",),
                says=(
                    "σ^p_θ(s,a;θ')² = Var[V*_θ'(S')] under p_θ(·|s,a), V*_θ' being the true one."
                ),
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "A definition, but not the one the analysis needs: line 10 of Algorithm 1 and "
                    "the proof of Lemma 3 take the standard deviation of Ṽ*_θ', and Lemma 14 "
                    "writes it so."
                ),
                repair=Repair(
                    says="σ^p_θ(s,a;θ')² = Var[Ṽ*_θ'(S')] under p_θ(·|s,a).",
                    checks=("text-variances.transition/formula-repaired",),
                    formulas=("ptum.spec.formulas.transfer:ASSUMPTION_1_SIGMA_P_REPAIRED",),
                    errata=("E05",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-model-gaps",
        kind=Kind.TEXT,
        title="Gaps between two models",
        section=_TABLE_1,
        statement=(
            "Two models are compared pair by pair: by the difference of their mean rewards, "
            "and by the difference of the mean next value, the value being that of the first "
            "model."
        ),
        uses=("text-mean-reward", "text-optimal-policy"),
        formulas=(
            "ptum.spec.formulas.preliminaries:GAP_R",
            "ptum.spec.formulas.preliminaries:GAP_P",
        ),
        reference=(
            "ptum.reference.tasks.gaps:reward_gap",
            "ptum.reference.tasks.gaps:transition_gap",
        ),
        decisions=("D33",),
        parts=(
            Part(
                id="text-model-gaps.reward",
                formulas=("ptum.spec.formulas.preliminaries:GAP_R",),
                checks=("text-model-gaps.reward/formula",),
                says="Δ^r_{s,a}(θ,θ') = |r_θ(s,a) - r_θ'(s,a)|.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason="A definition; symmetric in the two models.",
            ),
            Part(
                id="text-model-gaps.transition",
                formulas=("ptum.spec.formulas.preliminaries:GAP_P",),
                checks=("text-model-gaps.transition/formula",),
                says="Δ^p_{s,a}(θ,θ') = |(p_θ(s,a) - p_θ'(s,a))ᵀ V*_θ|.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "A definition; not symmetric, because the value is that of the first model."
                ),
            ),
        ),
    ),
    Claim(
        id="text-gap-meaning",
        kind=Kind.TEXT,
        title="What the transition gap measures",
        section="Section 2",
        statement=(
            "Δ^p says how much the return of taking s,a and then acting optimally in θ "
            "changes when the first transition alone follows θ'."
        ),
        uses=("text-model-gaps", "text-value-function"),
        parts=(
            Part(
                id="text-gap-meaning.return",
                says="Δ^p_{s,a}(θ,θ') is that change of return.",
                status=Status.AMBIGUOUS,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=(
                    "The return is r_θ(s,a) + γ pᵀV*_θ; putting p_θ' for p_θ changes it by γ "
                    "Δ^p. At γ = 0 the return does not change at all, whatever Δ^p is."
                ),
                readings=(
                    Reading(
                        id="text-gap-meaning.return.proportional",
                        says="The change of return is γ times Δ^p.",
                        status=Status.HOLDS,
                        checks=("text-gap-meaning.return/proportional",),
                    ),
                    Reading(
                        id="text-gap-meaning.return.equal",
                        says="The change of return equals Δ^p.",
                        status=Status.REFUTED,
                        checks=("text-gap-meaning.return/fork",),
                    ),
                ),
                repair=Repair(
                    says=(
                        "γ Δ^p is the change of return; Δ^p is the change of the mean next value."
                    ),
                    checks=("text-gap-meaning.return/repaired-next-value",),
                    errata=("E23",),
                ),
            ),
        ),
    ),
    Claim(
        id="text-task-chain",
        kind=Kind.TEXT,
        title="Tasks follow a Markov chain",
        section="Section 2",
        statement=(
            "The tasks are the states of a hidden Markov chain with matrix T, whose entry "
            "(i,j) is the probability that task i follows task j; the agent knows only how "
            "many tasks there are."
        ),
        uses=("text-task",),
        reference=(
            "ptum.reference.sequential.hmm:HMM",
            "ptum.reference.sequential.hmm:task_sequence",
        ),
        decisions=("D42",),
        parts=(
            Part(
                id="text-task-chain.definition",
                checks=("text-task-chain.definition/frequencies",),
                says=("[T]_{i,j} = P(θ*_{h+1} = θ_i | θ*_h = θ_j): columns, not rows, sum to one."),
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason="A definition: there is nothing to prove.",
            ),
        ),
    ),
    Claim(
        id="text-generative-model",
        kind=Kind.TEXT,
        title="Experiments with a generative model",
        section="Section 2",
        statement=(
            "For each task the agent may make up to n experiments: it names any pair s,a and "
            "receives one reward from q_θ* and one next state from p_θ*."
        ),
        uses=("text-task",),
        reference=(
            "ptum.reference.tasks.generative:GenerativeModel",
            "ptum.reference.tasks.generative:Simulator",
        ),
        decisions=("D34",),
        parts=(
            Part(
                id="text-generative-model.definition",
                checks=("text-generative-model.definition/frequencies",),
                says="A query (s,a) is answered with independent draws U ~ q_θ* and S' ~ p_θ*.",
                status=Status.DEFINITION,
                proof=Proof.NONE,
                evidence=Evidence.CHECKED,
                reason=("A definition; that answers are independent of each other is left unsaid."),
            ),
        ),
    ),
)
