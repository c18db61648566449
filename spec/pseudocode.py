"""The numbered lines of the paper's algorithms, in our own words.

The literal code carries a comment `line n` where it does what line n says; docs/lines.md ties the
two together, and a test fails when a line is carried out nowhere or a comment names no line.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an algorithm; an `idle` line announces what follows or ends a loop."""

    number: int
    does: str
    idle: bool = False


ALGORITHM_1: tuple[Line, ...] = (
    Line(1, "announces the accuracy check", idle=True),
    Line(2, "fall back to the PAC algorithm if Δ ≥ ε(1-γ)/(4(1+γ))"),
    Line(3, "announces the transfer mode", idle=True),
    Line(4, "start with empty data sets for every pair"),
    Line(5, "for t = 1, …, n"),
    Line(6, "announces Step 1", idle=True),
    Line(7, "mean rewards r̂_t of the data"),
    Line(8, "transition frequencies p̂_t of the data"),
    Line(9, "sample standard deviation σ̂^r_t of the rewards"),
    Line(10, "sample standard deviation σ̂^p_t of every Ṽ*_θ'"),
    Line(11, "announces Step 2", idle=True),
    Line(12, "keep the active models that pass the tests (1)-(4) at every pair and for every θ'"),
    Line(13, "announces Step 3", idle=True),
    Line(14, "stop with π̃*_θ if it loses at most ε - 2Δ(1+γ)/(1-γ) in every active model"),
    Line(15, "announces Step 4", idle=True),
    Line(16, "reward index: the largest reward information over pairs of active models"),
    Line(17, "transition index: the largest transition information over them"),
    Line(18, "choose the pair with the largest index"),
    Line(19, "query it: a next state and a reward"),
    Line(20, "store both in the data sets of that pair"),
    Line(21, "end of the loop", idle=True),
    Line(22, "run the PAC algorithm if nothing stopped the loop"),
)

ALGORITHM_2: tuple[Line, ...] = (
    Line(1, "start with any models, an infinite model error Δ_1, and all of Θ as initial set"),
    Line(2, "for h = 1, 2, …"),
    Line(3, "a new task θ*_h arrives, drawn after the previous one"),
    Line(4, "solve it with Algorithm 1, given the models of the initial set Θ̃_h and Δ_h"),
    Line(5, "form the empirical reward and transition distributions q̂_h and p̂_h of its samples"),
    Line(6, "estimate O and T from all observations by Algorithm 3"),
    Line(7, "rebuild the models from the columns of Ô_h"),
    Line(8, "compute their model error, Δ_{h+1} (printed as Δ_h: D41)"),
    Line(9, "predict the next initial set Θ̃_{h+1} from T̂_h"),
    Line(10, "end of the loop", idle=True),
)

ALGORITHM_3: tuple[Line, ...] = (
    Line(1, "cut the observations into m = ⌊h/3⌋ triples of successive tasks"),
    Line(2, "second moments Σ̂_ij between the three views"),
    Line(3, "carry views 1 and 2 over to view 3 with Σ̂_32 Σ̂_12^† and Σ̂_31 Σ̂_21^†"),
    Line(4, "second and third moment M̂_2 and M̂_3 of the carried views and view 3"),
    Line(5, "the k leading eigenvectors D̂ and eigenvalues Λ̂ of M̂_2"),
    Line(6, "whitening matrix Ŵ = D̂ Λ̂^{-1/2}"),
    Line(7, "eigenvalues λ̂_j and eigenvectors v̂_j of M̂_3(Ŵ,Ŵ,Ŵ) by the tensor power method"),
    Line(8, "means of the third view μ̂_3j = λ̂_j (Ŵ^T)^† v̂_j"),
    Line(9, "mean observations: column j of Ô is Σ̂_21 Σ̂_31^† μ̂_3j"),
    Line(10, "transitions: column j of T̂ is Ô^† μ̂_3j"),
)


@dataclass(frozen=True, slots=True)
class Described:
    """Something that Section 6 or Appendix E describes, and `code` that does it.

    `claims` are the records about the same sentences, `taken` the decisions.
    """

    place: str
    does: str
    code: tuple[str, ...]
    claims: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()


_EXPERIMENTS = "ptum.reference.experiments."
_PANELS = "ptum.checks.reproduce.panels."
APPENDIX_E: tuple[Described, ...] = (
    Described(
        "Section 6",
        "averages of 100 runs with 99 % Student's t intervals",
        ("ptum.checks.reproduce.findings:t_interval",),
        taken=("D110",),
    ),
    Described(
        "E.1",
        (
            "two rooms of a grid, a wall with a door; four actions, of which one in ten "
            "fails; the start is in the bottom-left corner"
        ),
        (
            _EXPERIMENTS + "grid:Grid",
            _EXPERIMENTS + "grid:transitions",
            _EXPERIMENTS + "two_rooms:two_rooms",
        ),
        taken=("D66", "D67"),
    ),
    Described(
        "E.1, Figure 1 left",
        ("12×12, reward 1 at absorbing goals; twelve known tasks with other goals and doors"),
        (_EXPERIMENTS + "two_rooms:goal_grid", _EXPERIMENTS + "layouts:figure_1_left"),
        taken=("D68", "D69"),
    ),
    Described(
        "E.1, Figure 1 left",
        "γ, δ, ε and n; 100 episodes of 100 steps; what the curves show",
        (_PANELS + "figure_1_left:PANEL", _EXPERIMENTS + "episodes:expected_returns"),
        claims=("figure-1-left", "text-identification-fast"),
        taken=("D110", "D111"),
    ),
    Described(
        "Section 6; E.1",
        (
            "RMAX and MaxQInit: pairs are known after 10 or 240 samples, far fewer than theory "
            "recommends"
        ),
        (
            _EXPERIMENTS + "rmax:Rmax",
            _EXPERIMENTS + "rmax:rmax_table",
            _EXPERIMENTS + "rmax:maxqinit_table",
        ),
        claims=("algorithm-rmax", "text-known-threshold-below-theory"),
        taken=("D86", "D115"),
    ),
    Described(
        "Section 6",
        "PEL",
        (_EXPERIMENTS + "pel:Pel",),
        claims=("algorithm-pel",),
        taken=("D86", "D116"),
    ),
    Described(
        "Section 6; E.1",
        (
            "a sample of PTUM counts as a step (Figure 1 left) or as an episode (right) of "
            "the least reward"
        ),
        (_EXPERIMENTS + "episodes:returns_of_ptum", _EXPERIMENTS + "episodes:PerSample"),
        claims=("text-sample-as-episode",),
        taken=("D73",),
    ),
    Described(
        "E.1, Figure 1 right",
        (
            "no wall; seven tasks, seven shared goals near corners, the best 0.8 in the "
            "target and 0.81 elsewhere"
        ),
        (_EXPERIMENTS + "layouts:figure_1_right",),
        claims=("text-informative-goals",),
        taken=("D70",),
    ),
    Described(
        "E.1, Figure 1 right",
        ("ε = 1, γ = 0.9999; 1000 episodes of 100 steps, each with one informative sample at most"),
        (_PANELS + "figure_1_right:PANEL", _EXPERIMENTS + "episodes:paid_once"),
        claims=("figure-1-right", "text-one-informative-sample"),
        taken=("D109", "D111"),
    ),
    Described(
        "E.1, samples vs accuracy",
        ("12×12, one goal in the far corner, twelve doors; n = 1000000; ε varies, 0 included"),
        (_PANELS + "figure_3:LEFT", _EXPERIMENTS + "layouts:one_goal"),
        claims=("figure-3-left", "text-piecewise-constant-in-epsilon"),
        taken=("D71",),
    ),
    Described(
        "E.1, samples vs states",
        "grids of growing size, three goals in corners, three doors; ε = 0.0001",
        (_PANELS + "figure_3:MIDDLE", _EXPERIMENTS + "layouts:three_corners"),
        claims=("figure-3-middle", "text-logarithmic-in-states"),
        taken=("D72",),
    ),
    Described(
        "E.1, samples vs model error",
        "6×6, six doors; ε = 0.13, γ = 0.9, δ = 0.1; exact models, Δ varies",
        (_PANELS + "figure_3:RIGHT", _EXPERIMENTS + "layouts:one_goal"),
        claims=("figure-3-right", "text-excess-vanishes-before-zero"),
        taken=("D71",),
    ),
    Described(
        "Section 6; E.2",
        (
            "5×5 cells with items that come back at once; a failed action moves elsewhere and "
            "does not change the pick-up"
        ),
        (_EXPERIMENTS + "objectworld:objectworld",),
        claims=("text-eleven-items",),
        taken=("D74", "D75", "D76"),
    ),
    Described(
        "E.2",
        (
            "the next task is the successor in the list, or the same again, or the one after "
            "it: 0.97, 0.015, 0.015"
        ),
        (_EXPERIMENTS + "chain:task_chain", _EXPERIMENTS + "chain:task_sequence"),
        taken=("D65", "D79"),
    ),
    Described(
        "E.2",
        (
            "100 restarts of 100 iterations; low-rank SVD of the moments, after which a k×k×k "
            "tensor is left"
        ),
        (
            "ptum.reference.sequential.tensor_power:robust_tensor_power",
            _EXPERIMENTS + "spectral:learn_hmm",
        ),
        claims=("text-svd-critical",),
        taken=("D50", "D51", "D52", "D87"),
    ),
    Described(
        "E.2, Figure 2",
        (
            "12 values, pick-ups fail with 0.012; tasks 0, 2, 3, 5 at random from four "
            "values, the others as ε-optimal copies with slightly higher rewards"
        ),
        (_EXPERIMENTS + "objectworld:FIGURE_2", _EXPERIMENTS + "objectworld:generate_tasks"),
        claims=("text-task-indices", "text-copies-hard"),
        taken=("D77", "D78"),
    ),
    Described(
        "E.2, Figure 2",
        (
            "300 tasks by uniform sampling, 50 a pair; then 100 transfer tasks with 30 "
            "post-samples a pair"
        ),
        (_EXPERIMENTS + "sequential:Schedule",),
        taken=("D46", "D57", "D94", "D112"),
    ),
    Described(
        "E.2, Figure 2",
        ("uniform sampling, also where PTUM exceeds its budget, with its samples in the plots"),
        (_EXPERIMENTS + "lines:UniformPerPair",),
        claims=("algorithm-uniform",),
        taken=("D56",),
    ),
    Described(
        "E.2, Figure 2",
        (
            "ρ = 0.135 to enter the transfer mode, then down to 0.006 over 100 tasks; the "
            "decay could be left out"
        ),
        (_EXPERIMENTS + "sequential:Decay",),
        claims=("text-rho-enters-transfer-mode",),
        taken=("D58", "D59", "D63"),
    ),
    Described(
        "E.2, Figure 2",
        (
            "initial sets by Theorem 3 with η = 0.087 and ρ_T = 0.001, and the three "
            "likeliest models always"
        ),
        (_EXPERIMENTS + "prediction:Experiment", _EXPERIMENTS + "prediction:likeliest"),
        claims=("text-eta-keeps-models", "text-top-three"),
        taken=("D61", "D88"),
    ),
    Described(
        "Section 6; E.2",
        "sequential transfer; static transfer, which uses the models alone",
        (_EXPERIMENTS + "sequential:sequential_transfer",),
        claims=("algorithm-static", "text-static-reduces-to-azar"),
        taken=("D55", "D80"),
    ),
    Described(
        "Section 6, footnote",
        "the oracle, by whose samples curves are divided",
        (_EXPERIMENTS + "sequential:oracle",),
        claims=("algorithm-oracle", "text-below-oracle"),
        taken=("D83",),
    ),
    Described(
        "Section 6; E.2, Figure 2",
        "ε = 0.5, δ = 0.01, γ = 0.9; returns from 30 episodes of 10 steps",
        (_PANELS + "figure_2:LEFT", _EXPERIMENTS + "episodes:estimated_return"),
        claims=("figure-2-left", "figure-2-right", "text-all-policies-optimal"),
        taken=("D82",),
    ),
    Described(
        "Section 6; E.2, Figure 2",
        (
            "MaxQInit with the true Q-functions, known after 100, and 5 to 10 times the "
            "oracle's samples"
        ),
        (_PANELS + "figure_2:RIGHT", _PANELS + "sequence_numbers:maxqinit"),
        claims=("text-maxqinit-budget",),
        taken=("D80", "D86"),
    ),
    Described(
        "E.2, Figure 4",
        (
            "actions fail with 0.1 up to 0.45; 150 samples and 100 post-samples a pair; else "
            "as Figure 2"
        ),
        (
            _PANELS + "figure_4:LEFT",
            _PANELS + "figure_4:RIGHT",
            _EXPERIMENTS + "objectworld:FIGURE_4",
            _EXPERIMENTS + "sequential:FIGURE_4",
        ),
        claims=("figure-4-left", "figure-4-right", "text-parameters-doubled"),
        taken=("D81",),
    ),
    Described(
        "E.2, Figure 5 left",
        (
            "eight values, all used, no copies; pick-ups fail with 0.3; 250 samples and 200 "
            "post-samples a pair"
        ),
        (
            _PANELS + "figure_5_left:PANEL",
            _EXPERIMENTS + "objectworld:FIGURE_5_LEFT",
            _EXPERIMENTS + "sequential:FIGURE_5_LEFT",
        ),
        claims=("figure-5-left", "text-almost-deterministic"),
        taken=("D81",),
    ),
    Described(
        "E.2, Figure 5 right",
        (
            "ten tasks; the l∞ error of the learned models, clipped at 1, for chains that "
            "fail more often"
        ),
        (
            _PANELS + "figure_5_right:PANEL",
            _PANELS + "figure_5_right:clipped_error",
            _EXPERIMENTS + "objectworld:FIGURE_5_RIGHT",
        ),
        claims=("figure-5-right", "text-task-stochasticity-critical", "text-clipping-reasonable"),
        taken=("D54", "D84"),
    ),
    Described(
        "E.2, repaired",
        "the repaired version on the same tasks and streams, one switch per repair",
        (_EXPERIMENTS + "lines:Switch",),
        taken=("D112", "D113"),
    ),
    Described(
        "E.2, repaired",
        "constants by theorem in place of constants by hand",
        (_EXPERIMENTS + "sequential:guaranteed",),
        taken=("D105", "D106"),
    ),
    Described(
        "Section 3.3",
        "a task of exploration, or a bonus, without a generative model",
        ("ptum.reference.transfer.exploration:run_online",),
        taken=("D108",),
    ),
    Described(
        "Section 3.3, repaired",
        "walking the fastest way, where all models move alike",
        ("ptum.reference.repaired.transfer.exploration:run_shared_moves",),
    ),
    Described(
        "Section 3.3, repaired",
        "walking as the most optimistic model says that has mispredicted no move",
        ("ptum.reference.repaired.transfer.exploration:run_trusting",),
    ),
)
"""What is described in words, in the order of the appendix; Section 6 where that has more."""
