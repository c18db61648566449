"""Decisions from D40 on: what Section 4 and Appendices C to E leave open, and what repairs add.

Two that came later are about Section 3: D108 (Section 3.3) and D114 (Algorithm 1).
"""

from __future__ import annotations

from ptum.spec.records import Decision

DECISIONS: tuple[Decision, ...] = (
    Decision(
        id="D40",
        question="What does line 4 of Algorithm 2 do while Δ_h = ∞?",
        place="Algorithm 2, lines 1 and 4",
        options=("PTUM stops at line 2 and the fallback runs", "PTUM is skipped"),
        choice="PTUM is called and its line 2 hands over to the fallback.",
        why=(
            "Algorithm 1 already covers the case, for the first task and for every later one with "
            "too large a bound."
        ),
        otherwise="Samples are the same; only the record of who took them changes.",
    ),
    Decision(
        id="D41",
        question="Which task does the error bound of line 8 belong to?",
        place="Algorithm 2, line 8",
        options=("Δ_h, as printed", "Δ_{h+1}"),
        choice="Δ_{h+1}.",
        why="It is computed from Ô_h and consumed by line 4 at the next task; a slip (E66).",
        otherwise=(
            "With the printed index line 4 would use a bound for other models than those it runs "
            "on."
        ),
    ),
    Decision(
        id="D42",
        question="What distribution has the first task?",
        place="Algorithm 2, line 3 (refers to θ*_0)",
        options=("the stationary distribution", "an arbitrary distribution, given as input"),
        choice="An arbitrary initial distribution, an argument of the simulator.",
        why="Section 2 says so (E66), and no identity needs stationarity.",
        otherwise="Only the weights of the components would change, not O and T.",
    ),
    Decision(
        id="D43",
        question="At which step does the rule of Theorem 3 act?",
        place='Theorem 3, "before each task h"',
        options=(
            "before task h, with the data of task h",
            "before task h+1, with the data up to task h",
        ),
        choice="Before task h+1.",
        why="Θ̄_h and T̂_h exist only when task h is over.",
        otherwise="The first reading cannot be executed.",
    ),
    Decision(
        id="D44",
        question=(
            "What is Θ̄_h when PTUM did not run, ran out of samples, or ended with an empty set?"
        ),
        place="Section 4.2; Algorithm 2, line 9",
        options=(
            "all tasks",
            "PTUM's last set",
            "a set found from the post-samples among all k models",
        ),
        choice=(
            "Literal reference: PTUM's last set, and all tasks when there is none. Repaired: "
            "always the set found from the post-samples; all tasks if that is empty."
        ),
        why="A set that can only shrink carries a miss on for ever.",
        otherwise="With PTUM's set alone a wrong singleton is never corrected (E39).",
    ),
    Decision(
        id="D45",
        question="Disjoint or overlapping triples, and what of the observations left over?",
        place="Algorithm 3, line 1; Appendix C",
        options=(
            "disjoint, drop the last h mod 3",
            "disjoint, drop the first",
            "all h-2 overlapping triples",
        ),
        choice=(
            "Disjoint as printed and as run, the last h mod 3 dropped, and by default in the "
            "repaired version too; overlapping as an option of it, which the checks of rates take."
        ),
        why="Line 1 sets m = ⌊h/3⌋, and the constants in the code are for disjoint triples.",
        otherwise=(
            "Overlapping triples use all data, converge faster and remove the failure for period "
            "3; their concentration bound has other, larger constants "
            "(docs/repaired_sequential.md, C1)."
        ),
    ),
    Decision(
        id="D46",
        question="Which samples make the observation o_h?",
        place="Section 4; Algorithm 2, line 5; Appendix E.2 (post-sample of 30)",
        options=("all samples of the task", "post-samples only, fixed number", "both pooled"),
        choice=(
            "Literal: all samples of the task. Repaired: post-samples of a number fixed beforehand."
        ),
        why=(
            "Only samples of fixed number are unbiased and make the chain of observations a hidden "
            "Markov model."
        ),
        otherwise=(
            "Pooling keeps a part of the bias; the estimate of O then converges to a wrong matrix "
            "(E41)."
        ),
    ),
    Decision(
        id="D47",
        question="In which order are the models flattened?",
        place="Section 4, o_h = [vec(q̂); vec(p̂)]",
        options=("columns first", "rows first: (s, a, outcome), outcome fastest"),
        choice=(
            "All rewards first, then all transitions, each in the order state, action, outcome, "
            "outcome fastest."
        ),
        why="Each block of outcomes is contiguous, which projection and reading back need.",
        otherwise="A permutation of coordinates; no estimate changes.",
    ),
    Decision(
        id="D48",
        question="What is the empirical model of a pair without samples?",
        place='Section 4, "without loss of generality … at least one sample"',
        options=("undefined: refuse", "uniform", "arbitrary"),
        choice="Refused with an error; post-samples make it impossible.",
        why="Any filler biases the observation towards itself.",
        otherwise="Observations with filler shift O for rarely sampled pairs.",
    ),
    Decision(
        id="D49",
        question="When are there enough observations for an estimate?",
        place="Algorithm 3, line 1",
        options=("from 3 on", "from m ≥ k triples on", "from m ≥ 3k on"),
        choice="No estimate below m = k triples; Algorithm 2 then keeps Δ = ∞.",
        why="Below k triples no moment can have rank k.",
        otherwise="A larger minimum avoids wild early estimates and delays the first prediction.",
    ),
    Decision(
        id="D50",
        question="Which pseudo-inverse do lines 3 and 9 of Algorithm 3 mean?",
        place="Algorithm 3, lines 3, 9",
        options=("Moore-Penrose of the estimate", "of its best rank-k approximation"),
        choice="As printed: Moore-Penrose. As run and repaired: rank k.",
        why=(
            "Appendix E reports that low-rank pre-processing was critical; with the full inverse "
            "the transformed views collapse to o_3."
        ),
        otherwise="Full inverses degenerate for m ≤ d-2SA+1 and have heavy tails beyond (E28).",
    ),
    Decision(
        id="D51",
        question="How are the empirical moments made symmetric?",
        place="Algorithm 3, lines 4-7",
        options=(
            "not at all",
            "symmetric part of M̂_2, mean of M̂_3(W,W,W) over the six orders",
            "symmetric part of M̂_2 alone",
            "mean of M̂_3(W,W,W) over the six orders alone",
            "SVD of M̂_2",
        ),
        choice=(
            "As printed: not at all (D100). As run: Ŵ = Û Ŝ^{-1/2} from the SVD Û Ŝ V̂^T of M̂_2, "
            "M̂_3(W,W,W) as it comes. Repaired: symmetric part of M̂_2, real eigenpairs with the "
            "largest eigenvalues, M̂_3(W,W,W) averaged over the six orders."
        ),
        why=(
            "Lines 4-7 say nothing of symmetry. Appendix E.2 applies a low-rank SVD, after which a "
            "k×k×k tensor is left. The power method and its guarantee are for symmetric tensors, "
            "and M̂_2 may have complex eigenvalues."
        ),
        otherwise=(
            "An SVD gives two different factors and no single W: Û whitens õ_1, and V̂ would whiten "
            "õ_2. Eigenvectors of M̂_2 in place of Û double the median error of the models (0.22 "
            "against 0.10 in 15 runs with 8 tasks, d = 120, failure 0.1, h = 400)."
        ),
    ),
    Decision(
        id="D52",
        question="How often is the power method called, with which numbers and which randomness?",
        place="Algorithm 3, line 7; Appendix E.2 (100 restarts, 100 iterations)",
        options=("one call", "k calls with deflation"),
        choice=(
            "k calls with deflation, L = N = 100 by default, starts drawn from an explicit "
            "generator."
        ),
        why="One call returns one eigenpair; k are needed.",
        otherwise="Fewer restarts change the order of the components and may miss one.",
    ),
    Decision(
        id="D53",
        question="What if an eigenvalue of M̂_2 or of the tensor is not positive?",
        place="Algorithm 3, lines 5-8",
        options=("go on with its absolute value", "declare failure and keep the previous models"),
        choice="Declare failure; Algorithm 2 keeps the previous models and bound.",
        why="No whitening exists, and a sign change has no meaning.",
        otherwise="Absolute values return a model without relation to any task.",
    ),
    Decision(
        id="D54",
        question="Are Ô and T̂ turned into probabilities, and how?",
        place='Algorithm 2, line 7; Appendix E.2 ("could alternatively normalize")',
        options=(
            "raw",
            "clip and renormalise",
            "Euclidean projection of each block and column on the simplex",
        ),
        choice=(
            "Literal and as run: raw, but for the columns of Ô of which line 7 makes models "
            "(D92). Repaired: Euclidean projection."
        ),
        why="Projection never increases the Euclidean column error; clipping has no such property.",
        otherwise=(
            "Raw estimates give values outside [0, 1/(1-γ)] or none at all (E42). Entrywise errors "
            "may grow under projection, so bounds must go through the Euclidean norm."
        ),
    ),
    Decision(
        id="D55",
        question="How are the labels of successive estimates matched?",
        place="Algorithm 2, lines 6-9",
        options=(
            "not at all",
            "assignment of least total squared column distance to the previous estimate",
            "to the first estimate",
        ),
        choice=(
            "Literal: not at all. As run and repaired: least-cost assignment to the previous, "
            "already matched Ô; T̂ and Θ̃ follow. Figure 2 is also reproduced without it."
        ),
        why="Right as soon as both column errors are below a quarter of the least column distance.",
        otherwise="Without it T̂ is read with wrong labels (E40).",
    ),
    Decision(
        id="D56",
        question="Which PAC algorithm is the fallback?",
        place="Algorithm 1, lines 2 and 22; Section 6; Appendix E.2",
        options=("uniform sampling of every pair", "MaxQInit", "left abstract"),
        choice=(
            "Uniform sampling with the same number of samples per pair: 50, 150 or 250 in the "
            "three experiments."
        ),
        why="Section 6 names it for the start-up phase, Appendix E for failures.",
        otherwise="Another algorithm changes the samples of non-transfer tasks only.",
    ),
    Decision(
        id="D57",
        question="When does transfer begin?",
        place="Algorithm 2 against Appendix E.2",
        options=("when Δ_h passes line 2 of PTUM", "after 300 blind tasks"),
        choice="Algorithm: by the test. Experiments: 300 blind tasks, then the test.",
        why="The start-up is described as part of the experiment.",
        otherwise="Without the blind phase the first transfer task depends on ρ alone.",
    ),
    Decision(
        id="D58",
        question="One constant ρ or four, and with the logarithm?",
        place='Theorem 2; Appendix E.2 ("ρ = 0.135 for all models")',
        options=("one ρ, bound ρ√(log c_h/h)", "one ρ, bound ρ/√h", "four constants"),
        choice="One ρ by default, four accepted; the logarithm is kept.",
        why="Appendix E refers to Theorem 2, which has the logarithm.",
        otherwise=(
            "Without it ρ = 0.135 still does not enter the transfer mode at h = 300, but does at h "
            "= 422."
        ),
    ),
    Decision(
        id="D59",
        question="How does ρ decay from 0.135 to 0.006?",
        place="Appendix E.2",
        options=("linear over the 100 transfer tasks", "geometric", "step"),
        choice=(
            "Linear in the number of transfer tasks. Figures 2, 4 and 5 left are reproduced with a "
            "start at which Δ after the start-up is 99 % of what line 2 admits (0.0219 for Figure "
            "2) in the place of 0.135; all of them also with 0.135 as printed, and Figure 2 with a "
            "geometric decay from the same start. With 0.135, ρ decays from h = 300 on, in "
            "transfer mode or not, since with a constant 0.135 none of the 400 tasks enters it."
        ),
        why=(
            'The simplest reading of "decay … for the first 100 tasks". The paper says that its '
            "start was chosen to enter the transfer mode after the start-up, which 0.135 does not "
            "(E48), and what it says of the curves is about transfer."
        ),
        otherwise=(
            "Changes in which task PTUM enters the transfer mode, and so the shape of Figure 2 "
            "left."
        ),
    ),
    Decision(
        id="D60",
        question="Which set does PTUM's \"for all θ' ∈ Θ\" mean when it starts from Θ̃_h?",
        place="Algorithm 2, line 4; Algorithm 1, line 12; Lemma 3",
        options=("all k models, also in |Θ|", "only Θ̃_h, also in |Θ|"),
        choice="Only the models handed to PTUM.",
        why="Algorithm 2 calls Algorithm 1 with the models of Θ̃_h as its set.",
        otherwise="With all k models the tests are stricter, the logarithm a little larger.",
    ),
    Decision(
        id="D61",
        question="How are the top three next models chosen?",
        place="Appendix E.2",
        options=(
            "by Σ_{θ'∈Θ̄_h} T̂(θ,θ')",
            "by the maximum over Θ̄_h",
            "by weights of a posterior",
        ),
        choice="As run: by the sum, unnormalised; ties by label.",
        why="It is the predicted probability of Section 4.2.",
        otherwise="Rankings differ only when Θ̄_h has several members.",
    ),
    Decision(
        id="D62",
        question="What are the matrices Σ_ii and the symbol m?",
        place="Algorithm 3, line 2; Theorem 3; Appendix C",
        options=("m is the number of tasks", "m is the number of triples"),
        choice=(
            "Σ̂_ii is not computed; m is the number of tasks in Theorem 3 and of triples in "
            "Appendix C, and code keeps the letter of each place."
        ),
        why="Σ_ii holds the noise of one observation with itself and is used nowhere.",
        otherwise="None.",
    ),
    Decision(
        id="D63",
        question="Which δ' do the experiments use?",
        place="Appendix E.2",
        options=("0.01, the δ of PTUM", "0.1", "another"),
        choice="0.01.",
        why="The only confidence value the experiments name.",
        otherwise="δ' enters under a logarithm: 0.0401 against 0.0384 for Δ_300 with δ' = 0.1.",
    ),
    Decision(
        id="D64",
        question="How are the samples of one task split into three batches?",
        place="Repair of Algorithm 3 (views within a task)",
        options=(
            "three equal batches per pair, in order of arrival",
            "random split",
            "split of the pairs",
        ),
        choice=(
            "Three equal batches per pair in order of arrival, next state and reward of a sample "
            "in the same batch; the number of post-samples is a multiple of 3."
        ),
        why=(
            "Samples are exchangeable, and a sample's two parts need not be independent of each "
            "other."
        ),
        otherwise=(
            "Splitting the pairs works with one sample per pair but needs rank k in each group."
        ),
    ),
    Decision(
        id="D65",
        question='What follows the last task, and which are "the two adjacent tasks"?',
        place="Appendix E.2",
        options=("cyclic order", "reflection at the end"),
        choice="Cyclic; the failures are staying and skipping one task.",
        why="The text before names staying and going two ahead, and every task needs successors.",
        otherwise="With reflection T is no longer circulant and σ_min(T) changes.",
    ),
    Decision(
        id="D66",
        question="Is the wall an edge between cells or a column of cells?",
        place="Section 6; Appendix E.1",
        options=("thin: blocked edges", "thick: a column of cells, one of them the door"),
        choice="Thin.",
        why='A 12×12 grid is then two rooms of 12×6; "in the middle" fits an even width.',
        otherwise="A thick wall takes cells from a room and changes how informative a door is.",
    ),
    Decision(
        id="D67",
        question="Over which actions does a failed action spread?",
        place='Appendix E.1, "a random one is taken instead"',
        options=("all four", "the three others"),
        choice="All four, uniformly: the intended action happens with probability 0.925.",
        why='"A random one" does not exclude the chosen one.',
        otherwise="With three others the intended action has probability 0.9.",
    ),
    Decision(
        id="D68",
        question="When is the goal reward paid?",
        place=(
            'Appendix E.1: "when reaching", "absorbing states with reward 1", "absorbing '
            'state with reward 0"'
        ),
        options=(
            "on each step in the absorbing goal",
            "on each step whose next state is the goal",
            "once, on arrival",
        ),
        choice=(
            "Figure 1 left and ablations: 1 on each step in the goal. Figure 1 right: once for the "
            "online learners, in every step for PTUM's models."
        ),
        why=(
            "The left experiment says absorbing with reward 1. On the right, paid once, every "
            "value is below ε."
        ),
        otherwise="Values change by a factor 1/(1-γ), sample counts by orders of magnitude.",
    ),
    Decision(
        id="D69",
        question="Where are goals and doors in Figure 1 left?",
        place="Section 6; Appendix E.1",
        options=(
            "12 goals and 12 doors, one each per task",
            "3 goals × 4 doors",
            "one goal, 12 doors",
        ),
        choice="Twelve different goals and twelve different doors.",
        why='"Different goal and door locations".',
        otherwise=(
            "The goals decide: twelve of them give Theorem 1's bound the value 41654 with one door "
            "as with twelve. With one goal it is about 100 times that, since only moves at the "
            "doors tell tasks apart. With 3 goals × 4 doors no single pair separates the target "
            "from all others, and the printed bound is infinite."
        ),
    ),
    Decision(
        id="D70",
        question="Where are the seven goals of Figure 1 right, and which rewards vary?",
        place="Section 6; Appendix E.1",
        options=("all goals stable but the best", "some stable high, some variable"),
        choice=(
            "Three corners (the fourth is the start), a neighbour of each, and one more at the "
            "far corner: beside it where goals are only models, diagonal to it where episodes end "
            "in goals, or the corner could not be reached; two goals variable, the others stable; "
            "best 0.8 for the target, 0.81 elsewhere."
        ),
        why='"Some goals have uniformly high values …, others are more variable".',
        otherwise="The order of the curves depends on it.",
    ),
    Decision(
        id="D71",
        question="Which grids of ε and Δ do the ablations use?",
        place="Appendix E.1, Figure 3 left and right",
        options=("linear", "logarithmic"),
        choice=(
            "ε: 0 and all points between and at the sub-optimalities of the twelve policies. Δ: "
            "logarithmic from 1e-6 to the transfer threshold, and 0."
        ),
        why=(
            "Steps are visible only where ε passes a sub-optimality; Δ must stay below the "
            "threshold to be in transfer mode."
        ),
        otherwise="A linear grid may show one flat line.",
    ),
    Decision(
        id="D72",
        question="Which grid sizes and doors has the ablation over states?",
        place="Appendix E.1, Figure 3 middle",
        options=("4×4 to 24×24", "6×6 to 20×20"),
        choice=(
            "Even sizes from 4×4 to 24×24; goals in the three other corners; doors at the bottom, "
            "the middle and the top."
        ),
        why="Neither is given.",
        otherwise="The constant changes, the logarithm should not.",
    ),
    Decision(
        id="D73",
        question="What does one generative sample count for, and with which reward?",
        place="Section 6 against Appendix E.1",
        options=("one episode", "one step"),
        choice=(
            "Appendix E: a step in Figure 1 left, an episode in Figure 1 right; the least reward "
            "while sampling."
        ),
        why="The appendix gives a reason for each panel.",
        otherwise="On the left the episode count moves PTUM's curve off a 100-episode axis.",
    ),
    Decision(
        id="D74",
        question="How are items drawn, and is 0 an item?",
        place="Section 6; Appendix E.2",
        options=("weight 1/value", "weight 1/(value + constant)", "0 is the empty cell"),
        choice="Value 0 is the empty cell; weights proportional to 1/(value + 0.05).",
        why="Eleven items or none; 1/value is infinite at 0.",
        otherwise="The share of empty cells changes how informative pairs are.",
    ),
    Decision(
        id="D75",
        question="Is an item tied to a cell or to a cell and an action?",
        place=(
            'Section 6 ("each cell can contain") against Appendix E.2 ("a specific action", '
            '"in each state-action pair")'
        ),
        options=("a cell, one action picks it up", "a pair"),
        choice="A pair: each state-action pair has its item.",
        why='The copies are said to be made "in each state-action pair".',
        otherwise="With one action per cell three quarters of the pairs pay 0 deterministically.",
    ),
    Decision(
        id="D76",
        question="What does a failed pick-up pay?",
        place="Appendix E.2, failure 0.012 or 0.3",
        options=("0", "another item's value"),
        choice="0.",
        why="Nothing else is named.",
        otherwise="Pairs with the value 0 have zero variance, against Assumption 5.",
    ),
    Decision(
        id="D77",
        question="How are the near-copies generated?",
        place='Appendix E.2: "slightly higher reward w.h.p.", "ε-optimal"',
        options=(
            "next item up with probability 0.9, else down",
            "any change that keeps the original's policy ε-optimal",
        ),
        choice=(
            "The next or second next item up with probability 0.9 (half each), the next down with "
            "0.05, unchanged otherwise; redrawn until the original's policy is ε-optimal. A list "
            "in which a task has no such copy in 1000 draws is drawn again. Figures 2 and 4 are "
            "also reproduced with copies in which the original's policy loses between ε/2 and ε."
        ),
        why="The two statements together.",
        otherwise="How close the copies are decides whether the static curve decays.",
    ),
    Decision(
        id="D78",
        question="Which tasks are copies of task 5?",
        place='Appendix E.2, "4 and 5 w.r.t. … 5"',
        options=("4 and 6", "4 only"),
        choice="4 and 6.",
        why="The only reading that makes eight tasks.",
        otherwise="Task 6 would not exist.",
    ),
    Decision(
        id="D79",
        question="In which task does the sequence start?",
        place="Appendix E.2",
        options=("task 0", "uniform"),
        choice="Task 0.",
        why="The tasks are an ordered list.",
        otherwise="Forgotten after the 300 start-up tasks up to slow mixing (|λ_2| close to 1).",
    ),
    Decision(
        id="D80",
        question="What is n in the sequential experiments, and MaxQInit's budget?",
        place="Section 6; Appendix E.2",
        options=("20000", "as in Appendix E.1 (100000)", "5 to 10 times the oracle's samples"),
        choice=(
            "20000 for PTUM and the oracle; for MaxQInit 10 times the oracle's mean number of "
            "samples on the tasks of the list, or 5 to 10 times where the claim says so. Figure 2 "
            "is also reproduced with n = 2000."
        ),
        why=(
            "Section 6 calls it the same maximum budget for both methods, 5 to 10 times what the "
            "oracle needs. For PTUM n stands in a logarithm, unless it is used up."
        ),
        otherwise=(
            "A larger n lets more runs end with an identification and makes each of them longer, "
            "since n stands in the logarithm of every width: with 100 pairs, 8 models and δ = 0.01 "
            "that is 21.1 for n = 2000 and 25.0 for n = 100000, about a fifth more samples."
        ),
    ),
    Decision(
        id="D81",
        question="How does the action failure vary over tasks in Figure 4 and Figure 5 left?",
        place='Appendix E.2, "from 0.1 up to 0.45"',
        options=("equally spaced over the tasks", "uniform random"),
        choice=(
            "Equally spaced from 0.1 to 0.45 over the eight tasks. Figures 4 and 5 left are also "
            "reproduced with new failures for every list."
        ),
        why="Gives the whole range in every run.",
        otherwise="Near-copies with different failure need not stay ε-optimal.",
    ),
    Decision(
        id="D82",
        question="How are returns estimated and normalised?",
        place="Appendix E.2, Figures 2 and 4 right",
        options=("discounted", "undiscounted"),
        choice=(
            "30 episodes of 10 steps from uniformly drawn states, discounted, divided by the same "
            "estimate for the optimal policy. Reproduced by what these estimate: both exact "
            "expectations."
        ),
        why=(
            "The start state is not given; the value is a discounted one. Expectations have no "
            "noise of their own."
        ),
        otherwise="Ten steps see 65% of the discounted horizon; ratios stay comparable.",
    ),
    Decision(
        id="D83",
        question="How is the sample complexity normalised, and what counts?",
        place="Section 6, footnote; Appendix E.2",
        options=("mean of ratios", "ratio of means", "with or without post-samples"),
        choice=(
            "Ratio to the oracle's samples on the same task and sample streams, averaged over "
            "runs; post-samples not counted, fallback samples counted."
        ),
        why="The footnote divides per task; Appendix E adds the fallback's samples.",
        otherwise="Post-samples (3000 per task) would dominate every curve.",
    ),
    Decision(
        id="D84",
        question="Which failure probabilities, horizon and error does Figure 5 right show?",
        place="Appendix E.2",
        options=("0.03, 0.1, 0.2, 0.4, 0.6", "others"),
        choice=(
            "Failures 0.03, 0.1, 0.2, 0.3, 0.4; h up to 2400; largest entrywise error of Ô after "
            "matching, clipped at 1; 50 samples per pair. Ten tasks whose items are worth 0, 0.2, "
            "0.5 or 0.96, without copies; pick-ups fail with probability 0.012, actions with 0.1."
        ),
        why="None is given; at 0.5 the chain is singular.",
        otherwise=(
            "Other values below 1/2 move the curves, not the order of σ_min(T) = 1-2f. Beyond 1/2 "
            "that order is lost: σ_min(T) is 0.04 at 0.52, 0.085 at 0.6 and 0.178 at 0.9."
        ),
    ),
    Decision(
        id="D85",
        question='Are "variances" variances or standard deviations?',
        place="Theorem 2; Assumption 5; Lemma 14",
        options=("variances", "standard deviations"),
        choice=(
            "Standard deviations throughout; σ̲ and σ̄ are floors of standard deviations, so Lemma "
            "13 is used with c = σ̄²."
        ),
        why="Section 2 defines σ² as the variance, and 1/(2σ̄) in Lemma 14 is 1/(2√c).",
        otherwise="A floor of the variance would give 1/(2√σ̄).",
    ),
    Decision(
        id="D86",
        question="Which versions of PEL, RMAX and MaxQInit are the baselines?",
        place="Section 6; Appendix E.1 and E.2",
        options=("the cited algorithms", "simplified ones"),
        choice=(
            "RMAX and MaxQInit as their own papers define them, one algorithm with the initial "
            "tables r_max/(1-γ) and max_θ Q*_θ and the printed thresholds (10, 240, 100); it plans "
            "by policy iteration whenever a pair becomes known. A learner in the style of PEL, "
            "whose full text was not at hand: it acts in every state by the surviving model with "
            "the largest value there, and drops a model under which the data are less likely by a "
            "factor below δ/k than under the likeliest survivor; δ = 0.01. In Figure 2 right "
            "MaxQInit learns in episodes of 10 steps from a uniform start, anew on every task."
        ),
        why=(
            "The paper names them and gives thresholds alone. Public code of MaxQInit differs: "
            "threshold 5, ten steps of look-ahead, a future after unknown pairs."
        ),
        otherwise=(
            "Baselines only; no claim of the theory depends on them. A PEL that asks for more "
            "evidence is slower in both panels of Figure 1."
        ),
    ),
    Decision(
        id="D87",
        question="What does the low-rank SVD pre-process?",
        place='Appendix E.2, "pre-process the empirical moments"',
        options=("every Σ̂_ij", "only those that are inverted", "M̂_2 too"),
        choice=(
            "As run: the matrices that are inverted (Σ̂_12, Σ̂_21, Σ̂_31), and M̂_2, whose SVD whitens "
            "(D51). Repaired: those that are inverted; M̂_2 is truncated by the whitening."
        ),
        why=(
            "Truncation matters only under the inverse; with inverses of rank k, M̂_2 has rank k by "
            "itself."
        ),
        otherwise="Truncating all of them changes constants by at most a factor 2.",
    ),
    Decision(
        id="D88",
        question="Which m is in Theorem 3's rule in the experiments?",
        place="Theorem 3; Appendix E.2",
        options=("400, all tasks", "100, the transfer tasks"),
        choice="400.",
        why="m is the number of tasks of the sequential setting.",
        otherwise="Under a logarithm: the kept probability changes in the fourth decimal.",
    ),
    Decision(
        id="D89",
        question="Which value function is σ^p taken of in Theorem 2?",
        place="Theorem 2; Lemma 14; Section 2",
        options=("true V*", "estimated Ṽ*"),
        choice="Ṽ*, as in the proofs and in Assumption 1's use.",
        why="Lemma 3 needs it.",
        otherwise="With V* the bound gains ‖V*-Ṽ*‖.",
    ),
    Decision(
        id="D90",
        question="In which order does the mass rule fill E_h?",
        place="Repair of Theorem 3",
        options=("smallest predicted probability first", "fixed order"),
        choice=(
            "Smallest maximum over Θ̄_h of T̂(θ,·) first, ties by label, as long as the bound "
            "stays at most η."
        ),
        why="Greedy keeps the set large and is a function of the history.",
        otherwise="Any order is valid; power changes.",
    ),
    Decision(
        id="D91",
        question="What if a rule for Θ̃_{h+1} would drop every model?",
        place="Algorithm 2, line 9; Theorem 3; Appendix E.2",
        options=("keep all models", "keep the likeliest one", "start PTUM with no model"),
        choice="Keep all models.",
        why=(
            "It happens only where T̂_h is no stochastic matrix or Θ̄_h is empty, so that the "
            "prediction means nothing."
        ),
        otherwise="PTUM has no meaning without a model; one model alone stops without a sample.",
    ),
    Decision(
        id="D92",
        question="How does line 7 make models of columns that are no distributions?",
        place="Algorithm 2, line 7; Algorithm 3, line 9",
        options=("refuse them", "project them as in D54", "hand them to PTUM as they are"),
        choice=(
            "Both versions project the columns of Ô_h to build models; the record says how far "
            "they were moved. T̂_h stays raw in the literal version (D54)."
        ),
        why=(
            "PTUM is defined for MDPs (D20), and block sums of a raw estimate are never exactly "
            "one: refused, the printed algorithm would never use a model."
        ),
        otherwise="Refusing means falling back for ever; raw columns give no value function.",
    ),
    Decision(
        id="D93",
        question="Which models does line 1 start with?",
        place="Algorithm 2, line 1",
        options=("given by the user", "k copies of the uniform model"),
        choice="k copies of the model with uniform rewards and next states, with Δ_1 = ∞.",
        why="With Δ_1 = ∞ PTUM does not look at them.",
        otherwise="Nothing changes before the first estimate.",
    ),
    Decision(
        id="D94",
        question="Where do samples of pairs come from that PTUM never queried?",
        place='Section 4, "at least one sample"; Algorithm 2, line 5; Appendix E.2',
        options=(
            "none: the observation is refused (D48)",
            "post-samples of every pair, added to the others",
        ),
        choice=(
            "A number of post-samples for every pair. Literal: one by default, pooled with all "
            "others. Repaired: three by default, and these alone (D46)."
        ),
        why="One sample of each pair is what Section 4 assumes, and Appendix E takes 30.",
        otherwise="With none the literal version stops at the first task that PTUM solves.",
    ),
    Decision(
        id="D95",
        question="With which models is a finished task identified again?",
        place="Repair of Algorithm 2, line 9 (E39)",
        options=("those it started with, from Ô_{h-1}", "those re-estimated with it, from Ô_h"),
        choice="Those it started with, and their error bound Δ_h.",
        why="They do not depend on the post-samples, as the inequality of Hoeffding asks.",
        otherwise="Newer models are a little better, and dependent on the data they judge.",
    ),
    Decision(
        id="D96",
        question="What does line 9 use when Algorithm 3 gives no estimate at task h?",
        place="Algorithm 2, lines 6-9",
        options=("the last estimate of T with its own h", "all models"),
        choice="The last estimate, with the h and the bound it had; all models if there is none.",
        why="D53 keeps models and bound of the last estimate; T̂ belongs to the same estimate.",
        otherwise="One failed estimate would cost a full identification of the next task.",
    ),
    Decision(
        id="D97",
        question="How are errors of standard deviations bounded without a floor σ̄?",
        place="Repair of Lemma 14 and Assumption 5 (E47)",
        options=("not at all: Δ = ∞", "by |√x - √y| ≤ √|x-y|"),
        choice=("√(√U e_h/2) for rewards and √(√S e_h/2)/(1-γ) for values when no floor is given."),
        why="Rewards that are deterministic have no floor, and the bound is true without one.",
        otherwise="Tasks with deterministic rewards could never be transferred to.",
    ),
    Decision(
        id="D98",
        question="Where do the random restarts of a long run come from?",
        place="Algorithm 3, line 7, called in Algorithm 2, line 6",
        options=("one generator for the whole run", "a fresh one for every task, from (seed, h)"),
        choice="A fresh generator for every task, seeded with the seed of the run and h.",
        why="A resumed run then needs no state of a generator, only the seed and h.",
        otherwise="The same distribution; the state of the generator would have to be stored.",
    ),
    Decision(
        id="D99",
        question="Which singular values and eigenvalues count as zero in floating point?",
        place="Algorithm 3, lines 3, 5, 9, 10",
        options=("none", "those below a multiple of the rounding error", "those below 1e-8, say"),
        choice=(
            "Those at most (4n + d)·2⁻⁵² times the largest, n the number of terms added up in an "
            "entry."
        ),
        why="Rounding alone makes values of that size; Moore and Penrose mean the exact matrix.",
        otherwise="Inverting rounding errors, or dropping directions that are there.",
    ),
    Decision(
        id="D100",
        question="Which are the k largest eigenvectors of a matrix M̂_2 that is not symmetric?",
        place="Algorithm 3, lines 5-6",
        options=(
            "by modulus; none if one of them is complex",
            "by real part",
            "real parts of complex ones",
        ),
        choice=(
            "As printed: the k eigenvalues of largest modulus; the outcome is 'not identifiable' "
            "if one of them is not real. As run and repaired: D51."
        ),
        why="Λ̂^{-1/2} has to be real, and a real part of an eigenvector is none.",
        otherwise="Whitening with real parts makes Ŵ^T M̂_2 Ŵ something else than the identity.",
    ),
    Decision(
        id="D101",
        question="What do the learners return for a single task?",
        place="Algorithm 3; repair of Algorithm 3 (views within a task)",
        options=("refuse k = 1", "the mean observation and T = 1"),
        choice=(
            "k = 1 is accepted: Algorithm 3 runs as it is, views within a task give the mean, and "
            "every rule of prediction keeps the one task."
        ),
        why="The mean is the best estimate of one model, and nothing has to be told apart.",
        otherwise="A user with one task would have to average by hand.",
    ),
    Decision(
        id="D102",
        question="When is a k-th singular value or eigenvalue at noise level?",
        place="Repair of Algorithm 3 (E26, E43); Algorithm 2, line 6",
        options=(
            "when it is not positive",
            "when it is below the bound of equation 8",
            "when it is no larger than the norm of the noise, estimated from the same data",
        ),
        choice=(
            "Between tasks: √v_1 + √v_2 of what the k-1 leading directions leave over, v the "
            "variances of the mean of x ⊗ y. Within a task: 2√(‖C tr C‖/3)/√h, C the covariance "
            "of a batch, from differences of batches. Components: λ̂_j ≤ 1/2."
        ),
        why=(
            "These are the norms of Gaussian noise of that covariance. The bound of equation 8, "
            "even repaired, exceeds σ_3(Σ_31) of a small example for thousands of tasks; a "
            "positive number is no evidence."
        ),
        otherwise=(
            "With a smaller threshold models are returned that belong to no task; with a larger "
            "one transfer begins later. The threshold is an estimate of what noise does, not a "
            "bound on it: one task of two pairs passed for two in 30 of 400 runs after 2 tasks, in "
            "1 of 400 after 300 (batches of 3 samples). A bound follows from Weyl's inequality: if "
            "the tasks span fewer than k directions, then λ_k(M̂_2) ≤ ‖M̂_2 - M_2‖ ≤ "
            "(2SA/√h)(1 + √log(1/δ)) with probability 1-δ (docs/repaired_sequential.md, W1), and "
            "σ_k(Σ̂_31) is at most the repaired bound of equation 8. Both exceed what small "
            "examples can show for thousands of tasks, which is why they are no thresholds here."
        ),
    ),
    Decision(
        id="D103",
        question="What is T̂ when some task has not been left yet?",
        place="Repair of Algorithm 3 (views within a task)",
        options=("no T̂", "a uniform column", "no estimate at all"),
        choice=(
            "Ô is returned without T̂. A task counts as left when its estimated share of the h-1 "
            "steps is at least half a step."
        ),
        why="Its column of T would be a quotient 0/0, while O needs no successor.",
        otherwise="A uniform column is a guess that the prediction would take for knowledge.",
    ),
    Decision(
        id="D104",
        question="Which eigenvectors does line 5 take where an eigenvalue of M_2 is double?",
        place="Algorithm 3, line 5",
        options=(
            "those of length one that a solver for any matrix returns",
            "an orthonormal basis of the eigenspace",
        ),
        choice=(
            "As printed: what numpy.linalg.eig returns. As run: orthonormal singular vectors. "
            "Repaired: orthonormal ones, from a solver for symmetric matrices."
        ),
        why=(
            "Line 5 asks for eigenvectors and nothing more, and the empirical M̂_2 is not symmetric "
            "(E43). W = DΛ^{-1/2} whitens M_2 only if the columns of D are orthonormal."
        ),
        otherwise=(
            "On exact moments the printed version fails where an eigenvalue is double, since any "
            "basis of its eigenspace consists of eigenvectors: two deterministic tasks that agree "
            "nowhere and alternate have M_2 with eigenvalues 2 and 2, and the columns of O come "
            "out 0.26 off; three such tasks, 1.26. Estimated moments have no double eigenvalue, "
            "but nearly equal ones make W badly conditioned."
        ),
    ),
    Decision(
        id="D105",
        question="How does Algorithm 2 know that every task came often enough for its constants?",
        place="Repair of Lemmas 11 and 12 (views within a task); Algorithm 2, lines 6-8",
        options=(
            "it is assumed",
            "its probability is bounded, under a condition on T",
            "it is read off M̂_2: an estimate counts only if λ_k(M̂_2) ≥ 2ℓ",
        ),
        choice=(
            "Views within a task: an estimate with λ_k(M̂_2) < 2ℓ is none, and models, bound and T̂ "
            "of the last one stay (D53, D96). ℓ is given with the constants that belong to it."
        ),
        why=(
            "Every weight is at least λ_k(M_2)/(2SA), and λ_k(M̂_2) differs from λ_k(M_2) by at "
            "most the error of M̂_2, which the theorem bounds anyway: no condition on T, and no "
            "probability is added."
        ),
        otherwise=(
            "With T = [[.98, .3], [.02, .7]] and 60 tasks a bound that balanced sequences keep is "
            "exceeded in more than a fifth of all runs. Estimated weights 1/λ̂_j² cannot decide it: "
            "where a task is too rare nothing is known about them."
        ),
    ),
    Decision(
        id="D106",
        question="How many restarts and steps does the power method have at task h?",
        place="Repair of Theorem 2 and of Algorithm 2, line 6; Appendix E.2 (100 of each)",
        options=(
            "as many at every task",
            "as many as a horizon asks for",
            "more as h grows",
        ),
        choice=(
            "As printed: L and N at every task. Repaired: L and N at the first task, then "
            "⌈L λ_h/λ_1⌉ and ⌈N log λ_h/log λ_1⌉, λ_h = log(π²h²d/δ')."
        ),
        why=(
            "All restarts fail with a probability like exp(-L/L_0), and Theorem 2 can spend only "
            "6δ'/(π²h²) on it at task h. A horizon would have to be known beforehand."
        ),
        otherwise=(
            "With as many at every task the failures of restarts add up to infinity over h, and "
            "the theorem would hold up to some horizon only."
        ),
    ),
    Decision(
        id="D107",
        question="How many tasks can there be?",
        place="Assumption 2; Algorithm 2, line 1; Algorithm 3 (input k)",
        options=("any number", "at most d = SA(S+U)", "at most SA(S+U-2)+1"),
        choice="Algorithm 2 refuses k above SA(S+U-2)+1, and Algorithm 3 above d.",
        why=(
            "Assumption 2 asks for rank O = k. The 2SA blocks of a column of O all have sum one, "
            "which leaves SA(S-1) + SA(U-1) directions and one more. Algorithm 3 sees rows of "
            "length d and not what they are made of."
        ),
        otherwise=(
            "For every such family of tasks M_2 has rank below k, and whatever the learners return "
            "for k models is noise or 'not identifiable'."
        ),
    ),
    Decision(
        id="D108",
        question="What does the task of exploration pay, and who plans with which model?",
        place="Section 3.3, first paragraph",
        options=(
            "1 in the pair of the largest index",
            "the share of the largest index in every pair",
            "the model's reward and a bonus",
        ),
        choice=(
            "The share of the largest index, or a bonus with a weight; the first active model "
            "moves; every sample on the way is stored."
        ),
        why="The paper speaks of high rewards in informative pairs, and names both ways.",
        otherwise=(
            "With 1 in one pair alone the agent passes by pairs that are nearly as informative. "
            "With another model it may arrive sooner, or never."
        ),
    ),
    Decision(
        id="D109",
        question="Are the rewards of the goals in Figure 1 right random?",
        place="Appendix E.1, Figure 1 right",
        options=("a goal pays 1 with its value as probability", "a goal pays its value"),
        choice="Random: a goal pays 1 with its value as probability, and else 0.",
        why=(
            "A pair counts as known after 240 samples, against 10 in Figure 1 left; with certain "
            "rewards one sample would do."
        ),
        otherwise=(
            "With certain rewards one visit of a goal decides between models that disagree on it, "
            "and PEL is done within a few episodes."
        ),
    ),
    Decision(
        id="D110",
        question="What do the 100 runs of a panel draw again?",
        place='Section 6, "averages of 100 runs"',
        options=("layout, target and samples", "target and samples", "samples"),
        choice=(
            "All that is drawn at all: layout or tasks, and samples. The target of run r is task r "
            "modulo the number of tasks; in Figure 1 right it is the task whose best goal pays 0.8."
        ),
        why="Runs are then independent, and an average is about the experiment as described.",
        otherwise="With one layout for all runs an average is about that layout.",
    ),
    Decision(
        id="D111",
        question="Which return of an episode do Figures 1 left and right show?",
        place="Section 6; Appendix E.1",
        options=("discounted, expected", "discounted, realised", "the sum of rewards"),
        choice=(
            "The exact expected discounted return, over the length of an episode, of the policy "
            "with which the episode begins; 0 while PTUM samples."
        ),
        why="It is the mean of what can be realised, without its noise; γ belongs to the task.",
        otherwise=(
            "Realised returns have wider intervals. A learner changes its policy within an "
            "episode, so that its realised return belongs to several policies."
        ),
    ),
    Decision(
        id="D112",
        question="Which samples of a task are of fixed number where PTUM did not identify it?",
        place="Appendix E.2 (uniform sampling, post-samples); repair of Algorithm 2, line 5",
        options=(
            "those of the uniform sampling, and no post-samples",
            "post-samples, which such a task has as well",
        ),
        choice=(
            "Those of the uniform sampling. As one observation all are used; as three batches a "
            "third each, one or two left over."
        ),
        why=(
            "Appendix E.2 takes post-samples once a model has been identified. Whether a task is "
            "sampled uniformly, and how often, is settled before these samples, so that they are "
            "as unbiased as post-samples (E41), and the repaired version costs no sample more."
        ),
        otherwise=(
            "With post-samples at every task the loop is that of Algorithm 2, printed or repaired; "
            "a start-up task costs 80 samples of each pair in place of 50."
        ),
    ),
    Decision(
        id="D113",
        question="Which η has the rule per step in the experiments?",
        place="Appendix E.2 (η = 0.087, ρ_T = 0.001, 0.005); repair of Theorem 3",
        options=("0.005", "0.087"),
        choice="0.005, with e^T_h = ρ_T √(log c_h/h) and the same ρ_T; no model is kept by hand.",
        why=(
            "Appendix E.2 chose η = 0.087 so that models of predicted probability above 0.005 "
            "stay: δk and the error term add about 0.082. The rule per step has no such terms, and "
            "its η is the probability of a miss."
        ),
        otherwise=(
            "With 0.087 both rare successors, 0.015 each, may be dropped at every task, and one in "
            "33 tasks is missed."
        ),
    ),
    Decision(
        id="D114",
        question="Which models are active before the first iteration?",
        place="Algorithm 1, lines 4 and 12: Θ̄_0",
        options=("all that PTUM is given", "some of them"),
        choice="All: Θ̄_0 = Θ.",
        why=(
            "Line 12 takes Θ̄_1 from Θ̄_0, which line 4 does not initialise; a model is active until "
            "it is eliminated, and nothing eliminates one before a sample."
        ),
        otherwise="The target could be missing from the start, and E would not hold.",
    ),
    Decision(
        id="D115",
        question="How far do RMAX and MaxQInit plan when a pair becomes known?",
        place="Section 6; Appendix E.1 and E.2",
        options=("to the fixed point", "a number of sweeps from the last Q"),
        choice="To the fixed point; `Rmax(…, sweeps=…)` makes sweeps.",
        why=(
            "Sweeps are printed as an approximation of the fixed point, and no number of them is "
            "given."
        ),
        otherwise=(
            "From above, sweeps stay above the fixed point, so that a learner is optimistic as "
            "before and, if anything, explores longer: RMAX and MaxQInit come later in Figure 1, "
            "where they come last."
        ),
    ),
    Decision(
        id="D116",
        question="For how long does PEL act by one model?",
        place="Section 6",
        options=("chosen again in every step", "one model for a whole episode"),
        choice=(
            "In every step, by the survivor with the largest value in the state; `Pel(…, start=…)` "
            "acts for a whole episode by the survivor with the largest value in its start."
        ),
        why="Its full text was not at hand; its abstract says optimistic.",
        otherwise=(
            "From the episode on in which one model is left both are the same. In Figure 1 left "
            "that is the second one in all of 100 runs."
        ),
    ),
    Decision(
        id="D117",
        question="In which labels does line 9 take Θ̄_h, which was found before the new estimate?",
        place="Repair of Algorithm 2, line 9 (E39, E40)",
        options=(
            "those of the estimate before, as soon as T̂_h is admitted",
            "all of Θ until a T̂ was admitted before task h as well",
        ),
        choice=(
            "All of Θ until then; after that those of the estimate before, which the new one keeps."
        ),
        why=(
            "Labels are kept where both estimates are within a quarter of the least distance of "
            "two columns. An admitted T̂ implies that of its own estimate alone."
        ),
        otherwise=(
            "At the first admitted T̂ task h may be known rightly by a label that has changed, and "
            "its true successor is dropped. If no estimate was made for long (D105), errors of 0.5 "
            "and 0.25 of the least distance are enough for a miss with probability 0.97 where η = "
            "0.1 is promised; between successive estimates only the proof is missing."
        ),
    ),
)
