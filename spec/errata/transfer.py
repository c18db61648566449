"""Errata of Sections 1 to 3 and of Appendix B (the PTUM half of the paper)."""

from __future__ import annotations

from ptum.spec.records import ErrataGroup, Erratum
from ptum.spec.vocabulary import Evidence, Rank, RepairSupport, Severity

GROUPS: tuple[ErrataGroup, ...] = (
    ErrataGroup(
        id="transferred-values",
        title="What Assumption 1 has to bound",
        explanation=(
            "PTUM returns the policy of one model after comparing it in all others, so its "
            "guarantee needs the error of the transitions on those values too, and Assumption 1 "
            "speaks of optimal values only. On a two-state instance all its errors are 0 and the "
            "policy returned loses nine times ε. Section 4 bounds the error on every function, so "
            "the stronger assumption costs nothing there; the standard deviation σ^p has to be "
            "that of the approximate values, as the proofs use it."
        ),
    ),
    ErrataGroup(
        id="index-can-vanish",
        title="Line 2 admits models that the index cannot tell apart",
        explanation=(
            "The index subtracts 8Δ from every gap, and at the threshold of line 2 all gaps may be "
            "smaller. Then Lemma 7 fails, line 18 chooses among ties, and the number of queries "
            "is bounded by nothing in Corollary 1. With 18 in the place of 4 both are true, the "
            "corollary with explicit constants, and from four states on 18 cannot be lowered. At "
            "Δ = 0 the printed statements are right."
        ),
    ),
    ErrataGroup(
        id="max-min",
        title="Maximum and minimum change places in Theorem 1",
        explanation=(
            "The proof has, in each iteration, one active model of Θ_ε and all pairs to tell it "
            "from the target; the denominator of Theorem 1 takes the minimum over models first, at "
            "each pair alone. Where every pair is silent on some model it is 0 and the bound says "
            "nothing, and Corollary 1 does not follow from it. With the minimum over models "
            "outside the bound is never larger and always finite, and at Δ = 0 the corollary holds."
        ),
    ),
    ErrataGroup(
        id="analysis-of-ptum",
        title="Rules, conditions and constants that the analysis of PTUM leaves out",
        explanation=(
            "Steps of the analysis that are wrong or incomplete as printed, while what is built on "
            "them stands. Most need a word more: which of tied pairs is queried, whose value "
            "measures a gap, for which number of samples a step is made, what a bounded variable "
            "is, and which δ goes to which phase."
        ),
    ),
    ErrataGroup(
        id="what-is-explained",
        title="Explanations that say more than is proved",
        explanation=(
            "Sentences of Sections 1 to 3 that interpret or compare. Two are wrong as they stand, "
            "what Θ_ε is and what Γ = 0 means; the others hold in a special case or for what a "
            "lemma counts, and the comparisons with other algorithms rest on nothing. No proof "
            "uses any of them."
        ),
    ),
    ErrataGroup(
        id="slips-of-the-pen",
        title="Slips of the pen",
        explanation=(
            "Misprints and signs that contradict what is clearly meant. They are listed for "
            "whoever implements the paper line by line; nothing depends on them."
        ),
    ),
)
"""The groups of this half; slips of the pen are of both."""

ERRATA: tuple[Erratum, ...] = (
    Erratum(
        id="E01",
        title="The index can vanish: line 2 needs 18 for 4, and > for ≥",
        group="index-can-vanish",
        rank=Rank.MAJOR,
        touches=(
            "lemma-7.positive",
            "algorithm-1.transfer-mode",
            "assumption-3.threshold",
            "theorem-1.set",
            "text-threshold-nearly-tight.conjecture",
        ),
        severity=Severity.FALSE,
        place=(
            "Appendix B.3, Lemma 7 and the last sentence of its proof; Algorithm 1, line 2; "
            "Assumption 3"
        ),
        reading=(
            "On E, with Δ below the threshold of line 2 and a budget that suffices (Assumptions 3 "
            "and 4), the queried pair has a positive index in every iteration that does not stop, "
            "whatever breaks ties."
        ),
        wrong=(
            "At the printed threshold all gaps may lie below the 8Δ that Definition 1 subtracts, "
            "so that the index is 0 in iteration 1. One state, three arms, γ = 0.9, ε = 1, Δ = "
            "0.012 (threshold 0.01316), rewards (0, 0.59, 0.50) against (0, 0.50, 0.59): no gap "
            "exceeds 0.09 < 8Δ = 0.096, nothing stops (loss 0.9 > slack 0.544), with ties broken "
            "at random some 1300 queries end the run (n = 5000, δ = 0.1: Assumption 4 can be met); "
            "with ties to the first arm, the same in both models, it uses up every budget n."
        ),
        breaks_at=(
            "The proof ends with a gap above κ_ε > 0, whereas Definition 1 subtracts 8Δ; at "
            "the printed threshold κ_ε = ε(1-γ)/8 and 8Δ = 2ε(1-γ)/(1+γ)."
        ),
        repair=(
            "Line 2 falls back exactly when Δ > (1-γ)ε/(18(1+γ)). If the target's information "
            "on θ is zero at every pair, both gaps are at most 8Δ, so by Corollary 2 the "
            "target's policy loses at most 16Δ(1+γ)/(1-γ) in θ, which is within the slack ε - "
            "2Δ(1+γ)/(1-γ)."
        ),
        cost=(
            "The models must be 4.5 times as accurate to enter transfer mode. The constant "
            "cannot be lowered: with four states in two blocks whose gaps are exactly 8Δ, each "
            "policy loses 16Δ(1+γ)/(1-γ) in the other model."
        ),
        still_stands="At Δ = 0 the printed lemma is right. Lemma 8 does not need it.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("lemma-7.positive/bandit",),
    ),
    Erratum(
        id="E02",
        title="Assumption 1 does not cover the values that correctness needs",
        group="transferred-values",
        rank=Rank.MAJOR,
        touches=(
            "lemma-9.optimal",
            "theorem-1.correct",
            "assumption-1.transition",
            "algorithm-1.ensures",
            "text-pac.implied",
        ),
        severity=Severity.FALSE,
        place=(
            "Appendix B.3, Lemma 9, the bound on the first of its three terms; Assumption 1, "
            "second line; Theorem 1; Algorithm 1, ENSURE line"
        ),
        reading=(
            "With the four bounds of Assumption 1 for all θ and θ', the policy that line 14 "
            "returns on E is ε-optimal for the target."
        ),
        wrong=(
            "Assumption 1 bounds transition errors on the optimal values Ṽ* alone, while the proof "
            "needs them on the values of one model's policy in another model. States x, y, γ = "
            "0.9, ε = 0.1, r(x) = (0.5, 0.5), target r(y) = (0.5, 0.41), rival (0.2, 0.5), "
            "approximate transitions all to x and true ones too except that (y,1) stays in y: all "
            "Ṽ* are 5, so all four errors are 0, and the run stops in iteration 1 with the rival's "
            "policy, which loses 0.9."
        ),
        breaks_at=(
            "The first term is bounded by Δ(1+γ)/(1-γ) as if |(p - p̃)ᵀṼ_θ'^{π̃*_θ}| ≤ Δ, but "
            "Assumption 1 speaks of Ṽ*_θ' only."
        ),
        repair=(
            "Add to the transition line of Assumption 1 the values Ṽ_θ'^{π̃*_θ} of every "
            "model's policy in every model. Then the three terms of the proof add up to ε."
        ),
        cost=(
            "A stronger assumption; Section 4's bound for transition errors holds for every "
            "function with values in [0, 1/(1-γ)] and so covers it. Without it the output is "
            "still ε/(1-γ)-optimal, and the instance with ε = 0.09 attains that."
        ),
        still_stands=(
            "|V*_θ* - Ṽ*_θ*| ≤ Δ(1+γ)/(1-γ); the policy π̃*_θ* itself is 2Δ(1+γ)/(1-γ)-optimal."
        ),
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "lemma-9.optimal/staying",
            "theorem-1.correct/wrong-policy",
            "algorithm-1.ensures/wrong-policy",
            "text-pac.implied/wrong-policy",
        ),
    ),
    Erratum(
        id="E03",
        title="Theorem 1's bound can be infinite where PTUM stops quickly",
        group="max-min",
        rank=Rank.MAJOR,
        touches=(
            "theorem-1.bound",
            "theorem-1.set",
            "text-pac.implied",
            "text-oracle-proportional.oracle",
            "text-gamma-worst-case.worst-case",
            "text-never-worse-than-brunskill.never-worse",
        ),
        severity=Severity.VACUOUS,
        place=(
            "Theorem 1, its denominator; Appendix B.4, equation (7) and the last display; Section "
            "3.2, the paragraph after Theorem 1"
        ),
        reading=(
            "The bound need not be tight, but it is a number where PTUM stops: the text calls it "
            "polynomial in all that matters and never worse than one in Γ."
        ),
        wrong=(
            "The denominator is the max over pairs of the min over Θ_ε, so it is 0, and the bound "
            "infinite, where every pair is silent on some model of Θ_ε. One state, γ = 0.5, ε = "
            "0.4, Δ = 0, Bernoulli means (0.5, 0.2, 0.2) against (0.5, 0.9, 0.2) and (0.5, 0.2, "
            "0.9) are such a case, and runs with n = 10000, δ = 0.1 stop after about 170 queries."
        ),
        breaks_at=(
            "The proof has, in each iteration, one active model of Θ_ε and all pairs at its "
            "disposal; it then takes the minimum over models separately at each pair."
        ),
        repair=(
            "Put the minimum outside: M = min over θ of max over pairs of I(θ*,θ), over Θ_s = "
            "{G_r + γG_p > 2κ_ε}, a part of Θ_ε. For every Δ ≤ (1-γ)ε/(18(1+γ)) M is positive, "
            "and the number of queries is at most 128 min{SA,|Θ|-1} log(8SAn(|Θ|+1)/δ)/M."
        ),
        cost="None: the new denominator is never smaller.",
        still_stands="The printed bound is never exceeded, given a fixed order for ties (E10).",
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        given="the inequalities of Maurer and Pontil (2009)",
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-pac.implied/infinite-bound",
            "text-oracle-proportional.oracle/three-arms",
            "text-gamma-worst-case.worst-case/three-arms",
            "text-never-worse-than-brunskill.never-worse/three-arms",
        ),
    ),
    Erratum(
        id="E04",
        title="Corollary 1 exchanges maximum and minimum",
        group="max-min",
        rank=Rank.MINOR,
        touches=("corollary-1.exchange", "text-gamma-worst-case.worst-case"),
        severity=Severity.FALSE,
        place=("Appendix B.4, proof of Corollary 1, first inequality of its display"),
        reading=(
            "Every model of Θ_ε has a gap of at least max{Γ,κ_ε} to the target, so the denominator "
            "of Theorem 1 is at least max{Γ²,κ_ε²}(1-γ)²."
        ),
        wrong=(
            "The gaps lie at different pairs, and then the max over pairs of the min over Θ_ε can "
            "vanish: on the three-arm instance of E03 it is 0 against 0.1225."
        ),
        breaks_at=(
            "Each model of Θ_ε has a gap of at least max{Γ,κ_ε} at some pair, but the pairs "
            "differ from model to model."
        ),
        repair=(
            "Bound the min over models of the max over pairs. At Δ = 0 it is at least "
            "(1-γ)²max{Γ²,κ_ε²}, since standard deviations are at most half the range and gaps at "
            "most the range."
        ),
        cost="None.",
        still_stands="The rate of Corollary 1 at Δ = 0.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "corollary-1.exchange/three-arms",
            "text-gamma-worst-case.worst-case/three-arms",
        ),
    ),
    Erratum(
        id="E05",
        title="σ^p is a standard deviation of V* in Section 2 and of Ṽ* in the analysis",
        group="transferred-values",
        rank=Rank.MINOR,
        touches=(
            "lemma-3.coverage",
            "assumption-1.deviation-p",
            "text-variances.transition",
            "algorithm-1.ensures",
            "theorem-1.correct",
        ),
        severity=Severity.AMBIGUOUS,
        place=(
            "Section 2 and Table 1, σ^p; Assumption 1, last line; Algorithm 1, line 10; Appendix "
            "B.3, proof of Lemma 3"
        ),
        reading=(
            "σ^p_θ(s,a;θ') is the standard deviation of Ṽ*_θ', as in line 10, in the proof of "
            "Lemma 3 and in Lemma 14; so read, Lemma 3 holds, but the paper's two definitions say "
            "otherwise."
        ),
        wrong=(
            "Section 2 and Table 1 define σ^p_θ(s,a;θ') with the true V*_θ'; then the last line of "
            "Assumption 1 may be 0 while test (4) compares standard deviations of Ṽ*_θ', which "
            "differ. With γ = 0.9, ε = 8, s0 → x with probability 1/50 (else y) and rewards 0.75 "
            "and 0 in x and y, but probability 1/26 and rewards 0.648 and 0.102 in the approximate "
            "model, both literal standard deviations are 1.05, that of Ṽ* under the true "
            "distribution is 0.7644, an error of 0.2856 with Δ = 0.102, and after 80000 samples of "
            "s0 the target fails a test with probability at least 0.98."
        ),
        breaks_at=(
            "Lemma 3's last triangle inequality adds Δ^{σ_p}_max to the error of σ̂^p, which "
            "estimates the standard deviation of Ṽ*_θ' under p_θ*. The stricter threshold of E01 "
            "does not help: under it an instance of eight states fails in the same way "
            "(docs/open_questions.md)."
        ),
        repair=(
            "Define σ^p_θ(s,a;θ') as the standard deviation of Ṽ*_θ' under p_θ(·|s,a) in "
            "Assumption 1."
        ),
        cost=(
            "None for the user of Section 4: Lemma 14 is stated for this quantity. Keeping "
            "Section 2's definition would need widths enlarged by (Δ^r + γΔ^p)/(1-γ), which "
            "spoils the constants of Lemma 4."
        ),
        still_stands="When Δ^r = Δ^p = 0 the two definitions agree.",
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        given="the inequalities of Maurer and Pontil (2009)",
        evidence=Evidence.CHECKED,
        counterexamples=("lemma-3.coverage/wrong-std",),
    ),
    Erratum(
        id="E06",
        title="Corollary 1 forgets to square 8",
        group="max-min",
        rank=Rank.REMARK,
        touches=("corollary-1.constant",),
        severity=Severity.CONSTANT,
        place=("Appendix B.4, proof of Corollary 1, second inequality of its display"),
        reading=(
            "κ_ε ≥ (1-γ)ε/8 gives the second inequality, and the corollary claims a rate only."
        ),
        wrong=(
            "The 8 is not squared, and max{Γ²,κ_ε²}(1-γ)² ≥ max{Γ²,ε²}(1-γ)⁴/8 fails at γ = 0, ε = "
            "0.5, Δ = 0, Γ = 0.13: 0.0169 < 0.03125."
        ),
        breaks_at="κ_ε ≥ (1-γ)ε/8 is squared on the left only.",
        repair="1/64 in place of 1/8; 1/16 at Δ = 0, where κ_ε = (1-γ)ε/4.",
        cost="A constant inside Õ.",
        still_stands="The rate.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("corollary-1.constant/forgotten-square",),
    ),
    Erratum(
        id="E07",
        title="Corollary 1 ignores the shift by 8Δ",
        group="index-can-vanish",
        rank=Rank.MAJOR,
        touches=(
            "corollary-1.rate",
            "corollary-1.exchange",
            "text-pac.implied",
            "text-discount-dependence.reachable",
        ),
        severity=Severity.FALSE,
        place="Section 3.2, Corollary 1; Appendix B.4, its proof",
        reading=(
            "In transfer mode, with a budget that lets the run stop by itself (Assumptions 3 and "
            "4) and ties of line 18 broken by a fixed order, as the phases of Theorem 1's proof "
            "need it, the queries are within the rate up to constants and logarithms."
        ),
        wrong=(
            "Where all gaps lie below 8Δ every index is 0 and the order alone chooses: at γ = 0, ε "
            "= 1/2, Δ = 0.1, deterministic rewards (0, 0.9, 0.4) against (Δ+x, 0.4, 0.9), it takes "
            "7L/(3x) queries of the first arm to stop, rightly, with Γ = 1/2 for every small x > "
            "0. The bandit of E01 needs all n queries in that order, which Assumption 4 excludes, "
            "but about 1300 at n = 5000 and 1500 at n = 50000 with ties broken at random."
        ),
        breaks_at=(
            "The lower bound on the information is derived as if the gaps stood in Definition "
            "1 without subtracting 8Δ."
        ),
        repair=(
            "For Δ ≤ (1-γ)ε/(18(1+γ)) and ε ≤ 1/(1-γ) the number of queries is at most "
            "min{SA,|Θ|-1} L min{1000/((1-γ)²Γ²), 16000/((1-γ)⁴ε²)}. The index only chooses "
            "the pair: a positive index means an active model more than 4Δ away from the "
            "target, which is dropped after 23L max{σ²/y², 1/(lin·y)} samples with y = gap - "
            "2.6Δ ≥ 1.4Δ."
        ),
        cost="Large constants, and the stricter threshold of E01.",
        still_stands=(
            "At Δ = 0 the rate is right with small constants, and in the Γ part (1-γ)² is enough."
        ),
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        given="the inequalities of Maurer and Pontil (2009)",
        evidence=Evidence.CHECKED,
        counterexamples=("corollary-1.rate/endless-bandit",),
    ),
    Erratum(
        id="E08",
        title="A macro drops the third argument of the transition gap",
        group="analysis-of-ptum",
        rank=Rank.MINOR,
        touches=("lemma-4.transition",),
        severity=Severity.TYPO,
        place="Appendix B.3, Lemma 4, definition of n̄^p",
        reading=(
            "The gap under the minimum over θ' is measured with Ṽ*_θ', as the first display of the "
            "proof has it and as the formula was typed; so read, the lemma holds."
        ),
        wrong=(
            "Lemma 4 is typeset with a two-argument gap, which by Section 2 uses Ṽ*_θ*, while the "
            "minimum over θ' picks the standard deviation; so printed it is false. A third model "
            "whose values are equal in all successors makes n̄^p too small: 10733 where 53129 are "
            "needed, and with 10734 samples nobody is eliminated (γ = 0.5, p(x) = 0.5 against "
            "0.55)."
        ),
        breaks_at=(
            "In print alone: the source hands Ṽ*_θ' to a macro that drops its third argument, and "
            "the first display of the proof is about that value."
        ),
        repair="Write Δ̃^p_{s,a}(θ*,θ;θ') = |(p̃_θ*(s,a) - p̃_θ(s,a))ᵀṼ*_θ'|.",
        cost="None.",
        still_stands="The proof, which is about the three-argument gap throughout.",
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        given="the inequalities of Maurer and Pontil (2009)",
        evidence=Evidence.CHECKED,
        counterexamples=("lemma-4.transition/third-value", "lemma-4.transition/third-value-played"),
    ),
    Erratum(
        id="E09",
        title="Lemma 8's proof: a false equality, and a second half unlike the first",
        group="analysis-of-ptum",
        rank=Rank.MINOR,
        touches=("lemma-8.bound", "lemma-8.display", "lemma-8.same-steps"),
        severity=Severity.PROOF_GAP,
        place=(
            "Appendix B.3, proof of Lemma 8: first equality of its first display, and the "
            "paragraph on the case that F_t does not hold"
        ),
        reading=(
            "The index is at most four times what the farthest active model gives, and transitions "
            "are treated as rewards are, with one value for all gaps; so read, both halves go "
            "through."
        ),
        wrong=(
            "The display has an equality with the active models farthest from and closest to the "
            "target, but the closest is the target itself: with rewards 0.2, 0.5 (target), 0.8 the "
            "index has gap 0.6 and the display 0.3. The half on transitions is left out as the "
            "same, but must say whose value measures the gaps: with Ṽ*_θ*, by which Section 2 "
            "measures gaps from the target, they can be 0 while I^p is 0.8."
        ),
        breaks_at=("The first equality of the proof, and the sentence that skips the second half."),
        repair=(
            "Let (θ_1,θ_2) attain the index and W be the mean reward, or the mean next value "
            "Ṽ*_θ_1. Then |W_1 - W_2| ≤ 2 max over active θ of |W_θ - W_θ*|, and Lemma 4 with "
            "θ' = θ'' = θ_1 drops the farthest model: N_t(S_t,A_t) ≤ 128L/I_t(S_t,A_t). This "
            "is where tests (2) and (4) must be made with other models' values: with own "
            "values only, θ* with p(x|s0) = 0.1, r(x) = 1, r(y) = 0 and θ with p(x|s0) = 0.9, "
            "r(x) = r(y) = 0.5 are never told apart at s0, where the index is largest, and a "
            "run uses up any budget."
        ),
        cost="None; the result is stronger, with the whole index in the denominator.",
        still_stands="The lemma as printed.",
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        given="the inequalities of Maurer and Pontil (2009)",
        evidence=Evidence.CHECKED,
        counterexamples=(
            "lemma-8.display/three-rewards",
            "lemma-8.same-steps/own-values",
            "lemma-8.same-steps/silent-target",
        ),
    ),
    Erratum(
        id="E10",
        title="The |Θ| half of Theorem 1 needs a rule for ties",
        group="analysis-of-ptum",
        rank=Rank.MINOR,
        touches=(
            "theorem-1.phases",
            "text-pair-constant-in-phase.constant",
            "text-scales-with-min.minimum",
        ),
        severity=Severity.MISSING_ASSUMPTION,
        place=(
            "Appendix B.4, bound over Θ, the sentence that the chosen pair does not change; "
            "Algorithm 1, line 18"
        ),
        reading=(
            "Line 18's argmax is one pair for each active set: ties are broken in the same way "
            "throughout a phase."
        ),
        wrong=(
            "Nothing says so, and with another rule the |Θ| half is false. With target (1,0,…,0) "
            "against (0,1,…,1), 400 arms, γ = 0, ε = 0.5, n = 100000, δ = 0.1, all arms are tied: "
            "uniform random ties cost about 14000 queries, and more than the bound of 5884 but for "
            "a probability of 10⁻¹²; taking the least sampled arm costs 21601."
        ),
        breaks_at=(
            "Line 18's argmax is not unique, and the phase argument multiplies one pair's "
            "bound by the number of phases."
        ),
        repair="Break ties by a fixed order of the pairs.",
        cost="None.",
        still_stands="The SA half, for any rule.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "theorem-1.phases/least-sampled",
            "theorem-1.phases/random-ties",
            "text-scales-with-min.minimum/least-sampled",
            "text-pair-constant-in-phase.constant/least-sampled",
        ),
    ),
    Erratum(
        id="E11",
        title="Bernstein's inequalities with half the range",
        group="analysis-of-ptum",
        rank=Rank.MINOR,
        touches=("lemma-1.bernstein", "lemma-2.bernstein"),
        severity=Severity.FALSE,
        place="Appendix B.2, Lemmas 1 and 2",
        reading=("Both inequalities hold for every X with |X| ≤ c, every n ≥ 2 and δ."),
        wrong=(
            "Both lemmas ask for |X| ≤ c but have the range term of a variable with range c, and "
            "Lemma 1 then fails: X = ±c, P(X = c) = 5.569·10⁻⁴, n = 1000, δ = 10⁻⁶ has failure "
            "probability 1.99δ. Lemma 2 is not what the cited theorem says, but it is true."
        ),
        breaks_at=(
            "The statements are quoted for |X| ≤ c where the sources have a range, or a "
            "deviation from the mean, of at most c."
        ),
        repair=(
            "X in [0,c] (for Lemma 1 also |X - E[X]| ≤ c); for Lemma 2 it is enough to say n ≥ 2 "
            "and the variance with n - 1 (docs/open_questions.md)."
        ),
        cost="None: rewards lie in [0,1] and values in [0,1/(1-γ)]. Lemma 1 is never used.",
        still_stands="Lemma 2 as printed, by another proof than the cited one.",
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        given="the inequalities of Bernstein and of Maurer and Pontil (2009)",
        evidence=Evidence.CHECKED,
        counterexamples=("lemma-1.bernstein/symmetric-law",),
    ),
    Erratum(
        id="E12",
        title="The equality sign of line 2 shuts out ε = 0",
        group="slips-of-the-pen",
        rank=Rank.REMARK,
        touches=(
            "text-epsilon-zero.enters",
            "algorithm-1.transfer-mode",
            "assumption-3.threshold",
            "text-piecewise-constant-in-epsilon.zero",
        ),
        severity=Severity.TYPO,
        place=(
            "Algorithm 1, line 2; Assumption 3; Section 3.2 and Appendix E.1, the sentences on ε = "
            "0"
        ),
        reading=(
            "Perfect models enter transfer mode for every ε ≥ 0, as the sentences on ε = 0 say "
            "themselves."
        ),
        wrong=(
            "With ε = Δ = 0 line 2 as printed tests 0 ≥ 0 and falls back, and Assumption 3 is 0 < "
            "0."
        ),
        breaks_at="≥ in line 2 where > is meant.",
        repair=(
            "Fall back only when Δ exceeds the threshold. With (1-γ)ε/(18(1+γ)) all repaired "
            "statements hold at equality, and at ε = Δ = 0 too."
        ),
        cost="None.",
        still_stands=(
            "For Δ = 0 and every ε > 0 transfer mode is entered; with ε below the least positive "
            "loss the policy returned on E is optimal."
        ),
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-epsilon-zero.enters/falls-back",
            "text-piecewise-constant-in-epsilon.zero/falls-back",
        ),
    ),
    Erratum(
        id="E13",
        title="Γ = 0 does not mean identical models, and dropping a twin is not safe",
        group="what-is-explained",
        rank=Rank.MINOR,
        touches=("text-gamma-positive.identical", "text-gamma-positive.neglect"),
        severity=Severity.FALSE,
        place="Section 3.2, the sentence on Γ > 0 after Corollary 1",
        reading=(
            "If Γ = 0, a model equals the target in all that PTUM looks at, and either of the two "
            "may be left out."
        ),
        wrong=(
            "Two models that lead from state 0 to different states of equal value have Γ = 0. "
            "Leaving out the target for such a twin can end in a policy that loses 4ε, because "
            "a third model's values tell the twin from the data (γ = 0.9, ε = 0.5, loss 2 "
            "after 42 queries)."
        ),
        breaks_at=(
            "Γ compares models through the target's value function only; tests (2) and (4) "
            "compare them through all value functions."
        ),
        repair=(
            "Γ = 0 for a model implies that it shares the target's optimal values and "
            "policies. Keep both, or merge only models with equal means and standard deviations of "
            "rewards and of every Ṽ*_θ' and equal means of every Ṽ_θ^{π̃*_θ'}; the latter are "
            "needed for the reason of E02."
        ),
        cost="Corollary 1 has no finite Γ part when Γ = 0; its ε part remains.",
        still_stands="Γ > 0 can be assumed where a model with Γ = 0 always agrees in that sense.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-gamma-positive.identical/equal-values",
            "text-gamma-positive.neglect/left-out",
        ),
    ),
    Erratum(
        id="E14",
        title="Θ_ε is explained the wrong way round",
        group="what-is-explained",
        rank=Rank.MINOR,
        touches=("text-theta-eps-meaning.policies",),
        severity=Severity.FALSE,
        place="Section 3.2, after Theorem 1, the sentence that explains Θ_ε",
        reading=(
            "A model outside Θ_ε has an optimal policy that is sure to be ε-optimal for the target."
        ),
        wrong=(
            "A model outside Θ_ε can have a policy that loses far more than ε in the target: 1.9 "
            "at ε = 0.4, γ = 0.9, reward gap 0.0099 < κ_ε = 0.01, transition gap 0."
        ),
        breaks_at=(
            "Lemma 6 applies Corollary 2 to the target's policy in the model; the explanation "
            "speaks of the model's policy in the target."
        ),
        repair=(
            "Θ_ε holds the models in which the target's policy cannot be guaranteed. Outside "
            "it the model's policy loses at most slack/(1-γ) in the target."
        ),
        cost="None; only the explanation changes.",
        still_stands="Lemma 6 and everything built on it.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=("text-theta-eps-meaning.policies/three-states",),
    ),
    Erratum(
        id="E15",
        title="A run of both phases is promised 1-2δ, not 1-δ",
        group="analysis-of-ptum",
        rank=Rank.REMARK,
        touches=(
            "algorithm-1.ensures",
            "text-negative-transfer.inherited",
            "text-assumption-guaranteed.delivered",
        ),
        severity=Severity.CONSTANT,
        place=("Algorithm 1, ENSURE line and line 22; Section 3.1, second sentence"),
        reading=(
            "Assumptions 3 and 4 exclude the fallback, and then 1-δ is right; it is right too "
            "where line 2 falls back at once."
        ),
        wrong=(
            "The promise is made for all runs: a transfer phase stops wrongly with probability at "
            "most δ, the fallback of one that uses up its budget fails with at most another δ, and "
            "1-2δ is what follows. Used in Section 4, Assumption 1 itself holds only with some "
            "probability."
        ),
        breaks_at=(
            "No argument is given for runs of both phases. More than δ is possible: with exact "
            "models, a transfer phase that never stops rightly and a fallback that uses up its own "
            "δ the excess is nearly 1-δ times the probability that the transfer phase stops "
            "wrongly, which with these wide intervals is 10⁻¹⁶ in the instance."
        ),
        repair=(
            "Give δ/2 to the widths and δ/2 to the fallback; add the failure probability of "
            "Assumption 1 where it is estimated."
        ),
        cost="log 2 inside the logarithms.",
        still_stands="1-δ when Assumptions 1, 3 and 4 hold, or when line 2 falls back at once.",
        support=RepairSupport.PROVED,
        evidence=Evidence.DERIVED,
        counterexamples=("algorithm-1.ensures/both-phases",),
    ),
    Erratum(
        id="E16",
        title="'n large enough' is circular",
        group="analysis-of-ptum",
        rank=Rank.REMARK,
        touches=("assumption-4.budget",),
        severity=Severity.IMPRECISE,
        place="Appendix B.1, Assumption 4; Section 3.2, first paragraph",
        reading="n exceeds the bound of Theorem 1, and some n does.",
        wrong=(
            "As worded the assumption asks that the run succeed. Read as above it depends on n "
            "through log n, and as printed the bound can be infinite (E03)."
        ),
        breaks_at="The assumption states an outcome instead of a condition.",
        repair=(
            "n > 128 min{SA,|Θ|-1} log(8SAn(|Θ|+1)/δ)/M with M of E03, which does not depend "
            "on n; all large n satisfy it."
        ),
        cost="None.",
        still_stands=(
            "The bound on queries holds for every n, met or not: it then bounds the queries "
            "made before the budget ran out."
        ),
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
    ),
    Erratum(
        id="E17",
        title="Approximate models must be MDPs",
        group="transferred-values",
        rank=Rank.REMARK,
        touches=("assumption-1.models-are-mdps",),
        severity=Severity.MISSING_ASSUMPTION,
        place="Section 3, first paragraph; Algorithm 1, REQUIRE line",
        reading=(
            "The approximate models are MDPs as Section 2 defines them, with rewards in [0,1]."
        ),
        wrong=(
            "What we held: nothing asks that p̃ be stochastic and approximate rewards lie in "
            "[0,1], and with other p̃ the values Ṽ* can leave [0,1/(1-γ)] or not exist."
        ),
        breaks_at=(
            "Nowhere. Lemma 3 uses the range 1/(1-γ) of Ṽ*, Lemma 4 that a reward gap is at most "
            "1, Lemmas 5 and 6 that the approximate models are MDPs, and they are."
        ),
        repair=(
            "None is needed in Section 3; E42 has the projection that estimates of Section 4 need."
        ),
        cost="None.",
        still_stands="Everything.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=("assumption-1.models-are-mdps/not-implied",),
        withdrawn=(
            "Section 3 calls them approximate MDP models with transition probabilities and "
            "rewards, and Algorithm 1 requires a set of approximate MDPs. That spectral estimates "
            "need not be MDPs is E42."
        ),
    ),
    Erratum(
        id="E18",
        title="'Conditioned on E' stands for 'on E'",
        group="analysis-of-ptum",
        rank=Rank.REMARK,
        touches=("text-event-e.definition", "theorem-1.bound"),
        severity=Severity.IMPRECISE,
        place=(
            "Appendix B.1, definition of E; Appendix B.4, opening of the proof of Theorem 1 and "
            "its indicators"
        ),
        reading=(
            "Every step is an implication on the event E, as this phrase is often used; so read, "
            "the argument stands."
        ),
        wrong=(
            "Taken at its word, conditioning changes the distribution of the samples; and E also "
            "speaks of iterations after the stop, in which there are no sets."
        ),
        breaks_at="The opening of the proof and the definition of E.",
        repair=(
            "Read every step as an implication on the event E = {target active in iterations "
            "1,…,min{τ,n}}; all of them are deterministic there."
        ),
        cost="None.",
        still_stands="The whole argument.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
    ),
    Erratum(
        id="E19",
        title="τ is one more than the number of queries, and visits are rounded",
        group="analysis-of-ptum",
        rank=Rank.REMARK,
        touches=("theorem-1.bound",),
        severity=Severity.CONSTANT,
        place=("Theorem 1 and Appendix B.4, sums that start from τ; equation (7)"),
        reading=(
            "τ stands for the number of queries, and the constant 128 leaves room for rounding."
        ),
        wrong=(
            "τ is called the number of queries, but the stopping iteration makes none, so Σ N_τ = "
            "τ - 1; and N_t < b at every visit allows ⌈b⌉ visits, not fewer than b as equation (7) "
            "says. With Θ_ε empty the bound is 0 and τ = 1."
        ),
        breaks_at="Equation (7) and the two sums that start from τ.",
        repair=(
            "State the bound for the number of queries τ - 1. The rounding is absorbed: the "
            "constant 32 of Lemma 4 can be 23, so 92L/M + 1 ≤ 128L/M because M ≤ 1 and L ≥ log "
            "16."
        ),
        cost="None.",
        still_stands="The printed constant 128, for queries.",
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        given="the inequalities of Maurer and Pontil (2009)",
        evidence=Evidence.CHECKED,
    ),
    Erratum(
        id="E20",
        title="Lemma 4's proof: a hidden condition and missing squares",
        group="analysis-of-ptum",
        rank=Rank.REMARK,
        touches=("lemma-4.reward", "lemma-4.transition"),
        severity=Severity.PROOF_GAP,
        place=(
            "Appendix B.3, proof of Lemma 4: last step of the display on rewards, both displays on "
            "transitions, the sentence on N ≥ n̄"
        ),
        reading=("The steps are made for the N > n̄ of the statement, with σ^p squared as there."),
        wrong=(
            "Replacing σ̂ by an active model's standard deviation costs 2√(2L/N)Δ, printed as 2Δ, "
            "which needs N ≥ 2L and is not shown. The two transition displays have σ^p without its "
            "square, and the strict inequalities are claimed for N ≥ n̄."
        ),
        breaks_at=(
            "The last inequality of the reward display, its copy for transitions, and the "
            "sentence after it."
        ),
        repair=(
            "N > n̄ ≥ 32L holds because a gap is at most 1, or 1/(1-γ), so the step is valid, "
            "even with Δ/2. Square σ^p, and ask for N > n̄."
        ),
        cost="None; with (23, 2.6Δ) in place of (32, 4Δ) the proof still closes.",
        still_stands="The statement, with the gap of E08.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
    ),
    Erratum(
        id="E21",
        title=("A sufficient number of samples is spoken of as a necessary one"),
        group="what-is-explained",
        rank=Rank.REMARK,
        touches=(
            "text-elimination-impossible.impossible",
            "text-fundamental-meaning.proportional",
            "text-index-shortest-time.fastest",
        ),
        severity=Severity.IMPRECISE,
        place=(
            "Appendix B.3, the last sentences of the proof of Lemma 4 and the paragraph before "
            "Lemma 8; Section 3.1, Step 4"
        ),
        reading=(
            "The remarks speak of what Lemmas 4 and 8 count: a gap up to 4Δ is beyond Lemma 4, and "
            "at Δ = 0 the pair of largest index is asked the fewest samples by Lemma 4, of which "
            "Lemma 8 allows four times as many."
        ),
        wrong=(
            "About what samples can do they are wrong: a pair with infinite n̄ can eliminate, the "
            "bound of Lemma 8 is no multiple of what elimination takes, and another pair may be "
            "faster than that of largest index. Exact models with declared error Δ and "
            "deterministic rewards that differ by 3Δ are told apart once 7L/(3(N-1)) < 2Δ, "
            "although n̄ is infinite and the index 0."
        ),
        breaks_at=(
            "Lemma 4 gives a sufficient count only; the shifts 4Δ and 8Δ are larger than the Δ "
            "that the tests allow."
        ),
        repair="Speak of upper bounds only.",
        cost="None; nothing is proved from these remarks.",
        still_stands="Lemmas 4 and 8.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-elimination-impossible.impossible/silenced-arm",
            "text-fundamental-meaning.proportional/no-constant",
            "text-index-shortest-time.fastest/silent-arm",
            "text-index-shortest-time.fastest/telling-deviation",
        ),
    ),
    Erratum(
        id="E22",
        title="Comparisons with other algorithms that nothing supports",
        group="what-is-explained",
        rank=Rank.MINOR,
        touches=(
            "text-negative-transfer.inherited",
            "text-never-worse-than-brunskill.never-worse",
            "text-tighter-than-existing.tighter",
            "text-tighter-than-existing.from-scratch",
            "text-oracle-proportional.oracle",
        ),
        severity=Severity.UNSUPPORTED,
        place=(
            "Section 1, the sentence on tighter bounds; Section 3.2, the sentences on an oracle, "
            "on Brunskill and Li and on negative transfer"
        ),
        reading=(
            "With the minimum of E03 outside and Δ = 0, the bound is at most one in Γ with the "
            "same other factors, below it by any factor on some instances, and within 128 "
            "min{SA,|Θ|} of the least number of samples that carry the information needed."
        ),
        wrong=(
            "More cannot be read off, since no other bound is written down and no oracle is "
            "defined: as printed the bound can be infinite where Γ > 0, and PTUM can need about K "
            "times what eliminating the one blocking model takes (106 to 1240 queries against "
            "about 60, K = 2 to 20). An upper bound that is no worse hands no property, such as "
            "robustness to negative transfer, from one algorithm to another."
        ),
        breaks_at=(
            "The printed denominator can be 0 where Γ is not (E03), and bounds are compared in "
            "place of algorithms."
        ),
        repair=(
            "What protects PTUM is line 2 and the fallback: at most n further queries and δ "
            "further failure probability. At Δ = 0 the repaired bound is at most the one in Γ with "
            "the other factors of Theorem 1 (E04); no other comparison is claimed."
        ),
        cost="The claims are given up.",
        still_stands="The bounds themselves, repaired.",
        support=RepairSupport.PROVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-oracle-proportional.oracle/three-arms",
            "text-oracle-proportional.oracle/distractors",
            "text-oracle-proportional.oracle/hidden-test",
            "text-never-worse-than-brunskill.never-worse/three-arms",
            "text-tighter-than-existing.tighter/three-arms",
        ),
    ),
    Erratum(
        id="E23",
        title="Informal remarks that hold in special cases",
        group="what-is-explained",
        rank=Rank.REMARK,
        touches=(
            "text-width-form.form",
            "text-kl-divergence.gaussian",
            "text-linear-term-minor.minor",
            "text-gap-meaning.return",
            "text-rewards-in-unit-interval.generality",
        ),
        severity=Severity.IMPRECISE,
        place=(
            "Section 2, rewards in [0,1] and the meaning of Δ^p; Section 3.1, the form of the "
            "widths and the paragraph after Definition 1"
        ),
        reading=(
            "Each gives an idea, which is right: widths beyond the model error are of that order, "
            "equal variances make the Gaussian case exact, the rate of Corollary 1 does not need "
            "the linear terms, the gap is the change of return up to γ, and rewards with known "
            "bounds can be rescaled."
        ),
        wrong=(
            "Word for word they say too much: the whole width has a 1/N term and the model error; "
            "unequal variances or Δ > 0 change the divergence; linear terms are everything for "
            "deterministic models; the change of return is γ times the gap; and 𝒰 = ℝ, offered as "
            "an example, cannot be brought into [0,1]."
        ),
        breaks_at="The sentences themselves; no proof rests on them.",
        repair="Each is restated in the repair of its own record.",
        cost="None.",
        still_stands="All numbered items.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=(
            "text-width-form.form/model-error",
            "text-width-form.form/no-spread",
            "text-kl-divergence.gaussian/unequal-variances",
            "text-linear-term-minor.minor/bound",
            "text-linear-term-minor.minor/choice",
            "text-gap-meaning.return/fork",
            "text-rewards-in-unit-interval.generality/unbounded",
            "text-rewards-in-unit-interval.generality/squashed",
        ),
    ),
    Erratum(
        id="E24",
        title="Misprints in Section 3 and Appendix B",
        group="slips-of-the-pen",
        rank=Rank.REMARK,
        touches=(
            "algorithm-1.pseudocode",
            "text-arbitrary-initialisation.only-at-zero",
            "lemma-3.coverage",
            "lemma-6.active",
            "lemma-8.bound",
            "lemma-9.optimal",
            "theorem-1.phases",
        ),
        severity=Severity.TYPO,
        place=(
            "Section 3.1 and Algorithm 1, lines 9, 10, 20; Table 1; Lemmas 3, 6, 8, 9; Appendix B.4"
        ),
        reading="All are read as they are meant.",
        wrong=(
            "Lines 9-10 divide by N - 1, and a value is provided for N = 0 only, not for N = 1. "
            "Misprints: Section 3.1 cites lines 20-22 for the index, which is in lines 16-18; line "
            "20 has s,a for S_t,A_t; Table 1 says 'after t steps' where Section 3.1 says before "
            "step t; Lemma 3 has N_t(x,a), σ̂_θ* for σ̃_θ* and, in its proof, σ̂^p with a value "
            "function for θ'; Lemmas 6 and 8 have Θ̃_t for Θ̄_t; Lemma 9 has (s,a) for (s',a') and "
            "< where ≤ is proved; the underlined set of models in the phase argument is at once "
            "the maximisers of the index and all active models; 'until … does not change' stands "
            "for 'until … changes'."
        ),
        breaks_at=(
            "Nowhere: the meaning is clear, and with one sample no test looks at lines 9-10."
        ),
        repair=(
            "Any value of the standard deviations at N ≤ 1, with infinite widths there (D03); read "
            "the misprints as meant."
        ),
        cost="None: no test is made before the second sample.",
        still_stands="Everything.",
        support=RepairSupport.NO_PROOF_INVOLVED,
        evidence=Evidence.CHECKED,
        counterexamples=(),
    ),
    Erratum(
        id="E64",
        title="A learner that stops at ε may ask more with tighter values",
        group="what-is-explained",
        rank=Rank.REMARK,
        touches=("text-fallback-choice.optimism",),
        severity=Severity.AMBIGUOUS,
        place="Section 3.3, second paragraph, the sentence on tighter upper bounds",
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
            "decides. Planned in the most optimistic active model the agent may never arrive, "
            "although D = 2: where three states have one value, no test notices that a promised "
            "short cut leads back to its start."
        ),
        breaks_at="Lines 12 and 17 see moves through values alone; a way depends on the moves.",
        repair=(
            "Let the target move as its own model says and the budget exceed the bound. Where all "
            "models move alike, D+1 times the queries, in expectation. Where moves are "
            "deterministic, with probability 1-δ, D+1 times the sum of the bound, min{SA,|Θ|-1} "
            "and |Θ|-1, if a model that mispredicts a move is not planned with again. The proof is "
            "Proposition O of docs/repaired_transfer.md."
        ),
        cost=(
            "Random moves that differ between models are left open, and so is an agent that plans "
            "in the moves it has seen, as E³ does."
        ),
        still_stands="Theorem 1 as a bound on the queries.",
        support=RepairSupport.PROVED_GIVEN_IMPORT,
        given="the inequalities of Maurer and Pontil (2009)",
        evidence=Evidence.CHECKED,
        counterexamples=("text-no-generative-model.diameter/blind-tests",),
        withdrawn=(
            "The sentence is a conjecture and called so, of sketches that fix no way to plan. It "
            "is proved where all models move alike and where moves are deterministic, and open "
            "where moves are random and differ; what fails is a plan that the paper does not name."
        ),
    ),
)
