"""Decisions D01-D39: what Sections 2 and 3 and Appendix B leave open.

Each is cited in `reference/` where the code takes it, or where a statement is read with it.
"""

from __future__ import annotations

from ptum.spec.records import Decision

DECISIONS: tuple[Decision, ...] = (
    Decision(
        id="D01",
        question="Which rewards may a task have?",
        place="Section 2, the reward space 𝒰",
        options=(
            "any distribution on [0,1]",
            "finitely many values in [0,1]",
            "any distribution on the real line",
        ),
        choice="Finitely many values in [0,1], listed with the task.",
        why=(
            "Section 4 assumes it anyway, every mean and standard deviation is then a finite sum, "
            "and the widths are valid for any distribution on [0,1]."
        ),
        otherwise=(
            "Continuous distributions on [0,1] would change nothing but the way a task is stored; "
            "unbounded ones would leave Lemma 3 without its range."
        ),
    ),
    Decision(
        id="D02",
        question="One Δ, or four constants, in the confidence widths?",
        place="Algorithm 1, REQUIRE and line 12; Lemma 3",
        options=(
            "the four constants of Assumption 1 in the widths, their maximum elsewhere",
            "the single Δ everywhere",
        ),
        choice=(
            "Both are accepted: four constants are used as Lemma 3 prints them, a single Δ "
            "stands for four equal ones. Lines 2, 14 and 16-17 always use the maximum."
        ),
        why="Lemma 3 names four, the input line names one, and each is valid.",
        otherwise=(
            "With the single Δ the widths are larger, models stay active longer and a run "
            "needs more queries; every guarantee stays."
        ),
    ),
    Decision(
        id="D03",
        question="What are the widths before a standard deviation can be estimated?",
        place="Lemma 3; Algorithm 1, lines 9-10",
        options=("infinite for N ≤ 1", "infinite for N = 0 only", "undefined"),
        choice="All four widths are infinite for N_t(s,a) ≤ 1, and no test can fail there.",
        why="Lemma 3 says so; lines 9-10 divide 0 by 0 at N = 1.",
        otherwise="Any finite value at N = 1 would be a claim that no inequality supports.",
    ),
    Decision(
        id="D04",
        question="What is τ, and how many queries has a run made?",
        place="Theorem 1; Algorithm 1, line 5",
        options=(
            "τ is the iteration that stops, and queries = τ - 1",
            "τ is the number of queries",
        ),
        choice=(
            "τ is the iteration in which line 14 stops the run; N_t counts samples taken before "
            "iteration t, so the run has made τ - 1 queries. All bounds are about queries."
        ),
        why=(
            "Section 3.1 defines N_t as excluding time t, and the stopping test comes before "
            "the query of its iteration."
        ),
        otherwise=(
            "Read as a bound on the iteration number, Theorem 1 fails by one whenever Θ_ε is "
            "empty: bound 0, τ = 1."
        ),
    ),
    Decision(
        id="D05",
        question="Is the stopping test made before the first query?",
        place="Algorithm 1, lines 5-14",
        options=("yes, in iteration 1 with all models active", "only after some data"),
        choice="Yes: a run may stop in iteration 1 with no query.",
        why=(
            "The order of the lines says so, and the guarantee needs no data when one policy "
            "is good in every model."
        ),
        otherwise="Runs that could stop at once would pay for at least one query.",
    ),
    Decision(
        id="D06",
        question="Which pair is queried when several have the largest index?",
        place="Algorithm 1, line 18; Appendix B.4",
        options=(
            "the first in lexicographic order of (s,a)",
            "one at random",
            "the one sampled least",
        ),
        choice=(
            "The first in lexicographic order. Pairs are tied where rounding could explain the "
            "difference: with I for the largest index, those of at least (1 - 10⁻⁹)I - d, where d "
            "is the lesser of 10⁻¹² and I/4."
        ),
        why=(
            "The |Θ| half of Theorem 1 needs a choice that depends on the active set alone; "
            "the tolerance keeps rounding from breaking ties that are exact on paper. A pair "
            "without information is never tied with one that has some."
        ),
        otherwise=(
            "With random ties 2 models and 400 tied arms cost about 14000 queries against a "
            "bound of 5884; the fixed order needs 55."
        ),
    ),
    Decision(
        id="D07",
        question="Which policy is returned when several pass line 14?",
        place="Algorithm 1, line 14",
        options=("that of the first active model in the order of Θ", "any"),
        choice="That of the first active model in the order in which the models were given.",
        why="Every choice is correct, so the simplest reproducible one is taken.",
        otherwise="Another policy with the same guarantee would be returned.",
    ),
    Decision(
        id="D08",
        question="What is the information when a standard deviation is zero?",
        place="Definition 1",
        options=(
            "0·∞ = 0, and the linear term for a positive excess gap",
            "undefined",
            "a small floor under the standard deviation",
        ),
        choice=(
            "With x = [gap - 8Δ]_+ taken first: x = 0 gives 0 whatever σ is, and x > 0 with σ "
            "= 0 gives the linear term."
        ),
        why=(
            "It is the limit σ → 0 of the definition for each fixed x, and a vanishing gap says "
            "nothing."
        ),
        otherwise=(
            "Deterministic models would have no index, or one that depends on an invented floor."
        ),
    ),
    Decision(
        id="D09",
        question="Over which pairs of models does the index run?",
        place="Algorithm 1, lines 16-17",
        options=("ordered pairs, equal ones included", "unordered pairs"),
        choice="Ordered pairs of active models; equal ones are allowed and contribute 0.",
        why=(
            "Definition 1 takes value function and standard deviation from the first argument, so "
            "the order matters."
        ),
        otherwise="With unordered pairs the index would depend on the numbering of the models.",
    ),
    Decision(
        id="D10",
        question="For which θ' are tests (2) and (4) made?",
        place="Algorithm 1, line 12",
        options=(
            "all θ' given to the run, eliminated or not",
            "active θ' only",
            "the tested model's own value only",
        ),
        choice="All θ' in Θ, as printed.",
        why=(
            "It is what Lemma 3 covers. Active θ' alone would be sound and enough for Lemma 8 "
            "as well."
        ),
        otherwise=(
            "Own values only are not enough: where a model's values are equal in the two "
            "successors it never fails, and a run can query one state for ever (see E09)."
        ),
    ),
    Decision(
        id="D11",
        question="Which (ε,δ)-PAC algorithm is the fallback?",
        place="Algorithm 1, lines 2 and 22; Section 3.3",
        options=("uniform sampling and planning in the empirical model", "MaxQInit", "PEL"),
        choice=(
            "Uniform sampling of all pairs, ⌈2 log(2SA/δ)/((1-γ)⁶ε²)⌉ times each, or any "
            "algorithm the caller passes; none is also allowed, and then no policy is "
            "returned."
        ),
        why=(
            "The paper leaves it free and uses uniform sampling in its own experiments; its "
            "guarantee is elementary."
        ),
        otherwise="Only the cost outside transfer mode would change.",
    ),
    Decision(
        id="D12",
        question="What happens when no model is active any more?",
        place="Algorithm 1, lines 12-18",
        options=("end with the fallback", "raise an error", "start again with Θ"),
        choice="The run ends as 'active-set-empty' and goes to the fallback.",
        why=(
            "It can happen only off the event E; line 14 then has no witness and the index is "
            "a maximum over nothing."
        ),
        otherwise="The lines as printed have no meaning there.",
    ),
    Decision(
        id="D13",
        question="Which failed test is reported when a model fails several at once?",
        place="Algorithm 1, line 12",
        options=("the first in a fixed order", "all", "the one missed by most"),
        choice="The first in the order of equations (1)-(4), then of pairs, then of θ'.",
        why="Transcripts can then be compared line by line.",
        otherwise="The active sets would be the same, transcripts would differ.",
    ),
    Decision(
        id="D14",
        question="How exact is the comparison of line 14?",
        place="Algorithm 1, line 14",
        options=(
            "accept a loss up to slack plus a rounding tolerance",
            "compare doubles as they are",
            "accept only a loss clearly below the slack",
        ),
        choice=(
            "Accept when the loss is at most the slack plus the rounding error of the two values."
        ),
        why="Losses equal to the slack are common, and Lemma 6 needs them accepted.",
        otherwise=(
            "With a plain comparison rounding decides; with a cautious one Lemma 6 fails at "
            "equality. The tolerance adds its own size to ε, of which it is a small part (D35)."
        ),
    ),
    Decision(
        id="D15",
        question="Which denominator has the sample variance?",
        place="Algorithm 1, lines 9-10; Lemma 2",
        options=("N - 1", "N"),
        choice="N - 1, as lines 9-10 print it, also in Lemma 2, which does not say.",
        why="The inequalities of Maurer and Pontil are stated for it.",
        otherwise=(
            "With N the standard deviations are smaller by √(1-1/N) and Lemma 3 loses its source."
        ),
    ),
    Decision(
        id="D16",
        question="Where is a sample stored, and are repeated values kept?",
        place="Algorithm 1, lines 4 and 20",
        options=(
            "in the lists of the queried pair, with repetitions",
            "in sets, as the sign ∪ says",
        ),
        choice=(
            "In lists of (S_t,A_t) with repetitions; S_{t+1} is only a draw and has nothing to "
            "do with the next query."
        ),
        why=(
            "Line 20 writes s,a for S_t,A_t, and means of sets would forget how often a value "
            "occurred."
        ),
        otherwise="With sets r̂ and p̂ would not be sample means.",
    ),
    Decision(
        id="D17",
        question="Which optimal policy is π*_θ when several exist?",
        place="Section 2; Algorithm 1, line 14",
        options=("the lowest-numbered optimal action in each state", "any", "all of them tried"),
        choice=(
            "Policy iteration, then in every state the lowest-numbered action whose value is "
            "within rounding of the best; fixed once for each model."
        ),
        why="All statements hold for any choice; a fixed one makes runs reproducible.",
        otherwise=(
            "A run may stop earlier or later, because tied policies of one model can lose "
            "differently in another."
        ),
    ),
    Decision(
        id="D18",
        question="What happens when every index is zero?",
        place="Algorithm 1, lines 16-18; Lemma 7",
        options=("query the first pair and go on", "end with the fallback"),
        choice=(
            "As printed: all pairs are tied, the first is queried, and the iteration is noted. "
            "Repaired: the run ends as 'index-zero' and goes to the fallback. Zero means that no "
            "gap exceeds 8Δ by more than rounding; an index may be as small as it likes."
        ),
        why=(
            "The printed algorithm has no other rule; under the repaired threshold it can "
            "happen only off E, or where rounding decides near ties of a policy."
        ),
        otherwise="Ending the printed algorithm there would hide that Lemma 7 is false.",
    ),
    Decision(
        id="D19",
        question="When are the approximate models fixed?",
        place="Algorithm 1, REQUIRE; Lemma 3",
        options=("before the first query of the task", "updated while samples arrive"),
        choice=(
            "Before the first query; values, policies and standard deviations are tabulated once."
        ),
        why=(
            "Lemma 3 applies its inequalities to functions Ṽ*_θ' that do not depend on the samples."
        ),
        otherwise="Models that move with the data would need a uniform inequality over models.",
    ),
    Decision(
        id="D20",
        question="How far from one may a row of probabilities sum?",
        place="Section 2; Section 3, approximate models",
        options=("four roundings for each entry", "a fixed 10⁻⁸", "renormalise silently"),
        choice=(
            "A row of n entries may sum to one up to 4n·2⁻⁵² and has no negative entry; anything "
            "else is refused."
        ),
        why=(
            "That is what dividing by a computed sum can leave. A model that is not an MDP "
            "breaks Lemmas 2-4 and must be projected by its maker, not silently."
        ),
        otherwise="A looser rule would let values leave [0, 1/(1-γ)].",
    ),
    Decision(
        id="D21",
        question="Which norm is meant?",
        place="Assumption 1, Theorem 1, Corollary 1, Lemmas 6 and 9",
        options=("the maximum over all pairs (or states)", "a vector norm for each pair"),
        choice=(
            "The maximum over all (s,a) of absolute values, for vectors over states the "
            "maximum over states; norms without a subscript are the same."
        ),
        why="(p - p̃)ᵀV has one entry for each pair, and Lemma 6 uses it entry by entry.",
        otherwise="Another norm would change κ_ε-comparisons and Γ by factors of SA.",
    ),
    Decision(
        id="D22",
        question="Is the sample of the last iteration used?",
        place="Algorithm 1, lines 5-22",
        options=("no: after iteration n only line 22 follows", "yes: one more test after the loop"),
        choice="No, as printed.",
        why="The loop ends with the query of iteration n and line 22 makes no test.",
        otherwise=(
            "One query is saved: with rewards (1,0) against (0,1), γ = 0, ε = 0.5, δ = 0.1, a "
            "budget of 23 collects enough and still falls back, while 24 stops after 23."
        ),
    ),
    Decision(
        id="D23",
        question="What is a bound whose denominator is zero?",
        place="Theorem 1, Corollary 1, Lemmas 4 and 8",
        options=("+∞", "undefined", "zero"),
        choice=(
            "+∞ for a positive numerator, 0 for a zero one; a minimum over no model is +∞, and "
            "the bound is then 0."
        ),
        why="A bound without information says nothing, and no blocking model means no query.",
        otherwise="The bounds would not be numbers on instances that the paper allows.",
    ),
    Decision(
        id="D24",
        question="What happens when Δ equals the threshold of line 2?",
        place="Algorithm 1, line 2; Assumption 3",
        options=("fall back at equality", "enter transfer mode at equality"),
        choice="As printed: fall back. Repaired: enter transfer mode.",
        why="Line 2 writes ≥. The repaired lemmas allow equality, which lets ε = Δ = 0 in.",
        otherwise=(
            "With the printed rule ε = 0 always falls back. The judge admits both answers at "
            "equality where a program has the repaired threshold."
        ),
    ),
    Decision(
        id="D25",
        question="With which confidence do the transfer phase and the fallback run?",
        place="Algorithm 1, ENSURE and line 22",
        options=("δ", "δ/2, and δ/2 for the transfer phase"),
        choice=(
            "As printed: δ for both. Repaired: δ/2 for the transfer phase and δ/2 for the "
            "fallback; one phase alone has all of δ: the transfer phase where no fallback is "
            "given, the fallback where line 2 falls back at once."
        ),
        why=(
            "Only halves keep the total at δ when both phases may run. Line 2 looks at no sample, "
            "so it is known beforehand whether there is one phase or two."
        ),
        otherwise="With δ in both, what is guaranteed is 1 - 2δ.",
    ),
    Decision(
        id="D26",
        question="Do tests (1)-(4) pass at equality, and with what tolerance?",
        place="Equations (1)-(4)",
        options=("pass at equality, plain comparison", "with a rounding tolerance"),
        choice="Pass at equality, as ≤ says; doubles are compared as they are.",
        why=("Equality has no meaning for random data, and a tolerance would only widen the sets."),
        otherwise="Runs on deterministic data could end one sample earlier or later.",
    ),
    Decision(
        id="D27",
        question="In which order are the ends of an iteration looked for?",
        place="Algorithm 1, lines 11-20",
        options=(
            "tests, empty set, stopping, zero index, query",
            "zero index before stopping",
        ),
        choice=("Tests of line 12, empty active set, stopping test of line 14, zero index, query."),
        why=(
            "It is the order of the lines; the two added ends stand where the printed line "
            "would have no meaning."
        ),
        otherwise="A single active model has index zero and must stop, not fall back.",
    ),
    Decision(
        id="D28",
        question="What does E say about iterations after the stop?",
        place="Appendix B.1; Lemma 3",
        options=("nothing: t runs to min{τ,n}", "the tests on samples drawn in advance"),
        choice=(
            "t runs to min{τ,n}. For a probability check, n samples of every pair are drawn in "
            "advance and the tests made at every count, which is the smaller event."
        ),
        why=(
            "After the stop there is no confidence set; the union bound of Lemma 3 covers the "
            "table of samples."
        ),
        otherwise="As printed E mentions sets that are not defined.",
    ),
    Decision(
        id="D29",
        question="What if there is only one model?",
        place="Theorem 1, Corollary 1",
        options=("allowed: Γ = +∞, 0 queries", "refused"),
        choice="Allowed: Γ is a minimum over nothing, +∞, and the run stops in iteration 1.",
        why="All statements are true then.",
        otherwise=(
            "Pre-elimination in Section 4 can leave one model, so refusing it would break "
            "Algorithm 2."
        ),
    ),
    Decision(
        id="D30",
        question="What is κ_ε/γ at γ = 0?",
        place="Theorem 1 and Lemma 6, the set Θ_ε",
        options=("+∞, so the transition clause is void", "γ = 0 is excluded"),
        choice="+∞.",
        why=(
            "Section 2 allows γ = 0, and transitions do not matter then: 2(κ_ε + 0)/(1-0) is "
            "below the slack."
        ),
        otherwise="Bandit instances, the simplest tests of the theorem, would be excluded.",
    ),
    Decision(
        id="D31",
        question="What is Θ_ε when κ_ε is negative?",
        place="Theorem 1, κ_ε and Θ_ε",
        options=("computed as printed", "refused"),
        choice=("Computed as printed; then the target itself is in Θ_ε and the bound is infinite."),
        why="It happens only for Δ > (1-γ)ε/(2(1+γ)), outside transfer mode.",
        otherwise="Nothing inside transfer mode.",
    ),
    Decision(
        id="D32",
        question="Which n and which |Θ| stand in the logarithms?",
        place="Lemma 3, Theorem 1",
        options=(
            "the budget and the number of models given to the run",
            "samples so far, or the number of active models",
        ),
        choice=(
            "The budget n of the call and the number of models passed to it, constant during "
            "the run."
        ),
        why="The union bound is over counts up to n and over the functions tested.",
        otherwise=(
            "Smaller numbers would need another union bound; in Algorithm 2 |Θ| is the size of "
            "the preselected set."
        ),
    ),
    Decision(
        id="D33",
        question="With whose value is a transition gap measured?",
        place="Section 2; Definition 1; Appendix B.3",
        options=("the first argument's", "a third argument's"),
        choice=(
            "With two arguments the first one's; where Appendix B needs another model's value, "
            "the gap has a third argument, as in |(p̃_θ - p̃_θ')ᵀṼ*_θ''|."
        ),
        why="Section 2 defines the gap with V*_θ, and Lemma 4 minimises over the value.",
        otherwise="Reading Lemma 4 with two arguments makes it false (E08).",
    ),
    Decision(
        id="D34",
        question="What does one query return, and what does it cost?",
        place="Section 2; Algorithm 1, line 19",
        options=(
            "one reward and one next state, drawn independently, cost one",
            "a joint draw",
            "two queries",
        ),
        choice=(
            "One reward and one next state, independent of each other and of everything "
            "before; it counts as one query."
        ),
        why=(
            "Line 19 draws both from distributions of their own, and no proof uses their joint "
            "distribution."
        ),
        otherwise="A dependence between reward and next state would change no guarantee.",
    ),
    Decision(
        id="D35",
        question="Which numbers may be passed in?",
        place="Algorithm 1, REQUIRE",
        options=(
            "ε ≥ 0, 0 < δ < 1, n ≥ 1, Δ ≥ 0 or infinite",
            "only what enters transfer mode",
        ),
        choice=(
            "ε ≥ 0 finite, 0 < δ < 1, n ≥ 1, each error ≥ 0 and possibly infinite; others are "
            "refused. So are a δ below 10⁻¹⁸⁰, where 8SAn(|Θ|+1)/δ may be no double, and an ε of "
            "which rounding could add a hundredth to the loss of the returned policy (of 1 for ε = "
            "0): with S states that is 72(S+2)(2-γ)/(1-γ)² roundings."
        ),
        why=(
            "Section 3 says ε, δ > 0, but ε = 0 is discussed, and Algorithm 2 starts with Δ = ∞. "
            "Near γ = 1 a suboptimal action can be a tie in doubles and lose more than ε."
        ),
        otherwise=(
            "Algorithm 2 could not make its first call; at S = 144, γ = 0.999999, ε = 0.1 a run "
            "would return a policy that loses 3ε."
        ),
    ),
    Decision(
        id="D36",
        question="Must Δ be the exact error of the models?",
        place="Assumption 1",
        options=("any upper bound", "the smallest constants"),
        choice="Any upper bound; even exact models may be given Δ > 0.",
        why="The assumption says at most, and a user knows bounds, not errors.",
        otherwise=(
            "Counterexamples with exact models and Δ > 0 would have to be redone with models "
            "that are really wrong."
        ),
    ),
    Decision(
        id="D37",
        question="What does ≥ between value functions mean in line 14?",
        place="Algorithm 1, line 14",
        options=("in every state", "in an initial state or on average"),
        choice="In every state.",
        why="Section 2 defines ε-optimality state by state, and tasks have no initial state.",
        otherwise="The guarantee would be about one start only.",
    ),
    Decision(
        id="D38",
        question="How are visitation frequencies normalised?",
        place="Lemma 5",
        options=("they sum to 1/(1-γ)", "they sum to 1"),
        choice="They sum to 1/(1-γ).",
        why="The proof of Lemma 6 says so, and Lemma 5 is false with the other normalisation.",
        otherwise="Lemma 5 would need a factor 1/(1-γ).",
    ),
    Decision(
        id="D39",
        question="Does the fallback use what PTUM has learnt?",
        place="Section 3.3; Algorithm 1, line 22",
        options=("it starts afresh", "it receives the samples or the active models"),
        choice="It starts afresh with the generative model alone.",
        why="Its guarantee then needs nothing from the transfer phase, which may have failed.",
        otherwise="It could be cheaper, but its guarantee would hold only on E.",
    ),
)
