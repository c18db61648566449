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
    Line(8, "compute their model error, Δ_{h+1}"),
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
    """Something that Section 6 or Appendix E describes, `code` that does it, decisions `taken`."""

    place: str
    does: str
    code: str
    taken: tuple[str, ...] = ()


_EXPERIMENTS = "ptum.reference.experiments."
APPENDIX_E: tuple[Described, ...] = (
    Described(
        "E.1",
        "a grid with four actions, of which one in ten fails; two rooms, a wall, a door",
        _EXPERIMENTS + "grid:Grid",
        ("D66", "D67"),
    ),
    Described(
        "E.1", "goals, absorbing, and when they pay", _EXPERIMENTS + "two_rooms:goal_grid", ("D68",)
    ),
    Described(
        "E.1, Figure 1 left", "twelve tasks", _EXPERIMENTS + "layouts:figure_1_left", ("D69",)
    ),
    Described(
        "E.1, Figure 1 right",
        "seven tasks, seven goals near corners, best 0.8 and 0.81",
        _EXPERIMENTS + "layouts:figure_1_right",
        ("D70",),
    ),
    Described(
        "E.1, Figure 3 left, right", "one goal, a door per task", _EXPERIMENTS + "layouts:one_goal"
    ),
    Described(
        "E.1, Figure 3 middle", "three corners", _EXPERIMENTS + "layouts:three_corners", ("D72",)
    ),
    Described(
        "Section 6; E.1",
        "episodes, and what a policy earns in one",
        _EXPERIMENTS + "episodes:expected_returns",
        ("D111",),
    ),
    Described(
        "Section 6; E.1",
        "a sample of PTUM as a step or as an episode of the least reward",
        _EXPERIMENTS + "episodes:returns_of_ptum",
        ("D73",),
    ),
    Described(
        "Section 6; E.1",
        "RMAX and MaxQInit, known after 10, 240 or 100 samples",
        _EXPERIMENTS + "rmax:Rmax",
        ("D86",),
    ),
    Described("Section 6", "PEL", _EXPERIMENTS + "pel:Pel", ("D86",)),
    Described(
        "E.2",
        "a 5×5 grid with items, pick-ups that fail, lists of tasks with near copies",
        _EXPERIMENTS + "objectworld:generate_tasks",
        ("D74", "D75", "D76", "D77", "D78", "D81"),
    ),
    Described(
        "E.2, Figure 5 right",
        "ten tasks",
        _EXPERIMENTS + "objectworld:FIGURE_5_RIGHT",
        ("D84",),
    ),
    Described(
        "E.2",
        "the next task: the successor, or one of its neighbours",
        _EXPERIMENTS + "chain:task_chain",
        ("D65", "D79"),
    ),
    Described(
        "E.2",
        "start-up of 300 tasks, samples per pair, post-samples, ρ and its decay",
        _EXPERIMENTS + "sequential:Schedule",
        ("D57", "D58", "D59", "D63", "D94", "D112"),
    ),
    Described(
        "E.2",
        "uniform sampling where PTUM fails or has not begun",
        _EXPERIMENTS + "sequential:UniformPerPair",
        ("D56",),
    ),
    Described(
        "E.2", "low-rank SVD before the power method", _EXPERIMENTS + "spectral:learn_hmm", ("D87",)
    ),
    Described(
        "E.2",
        "η = 0.087, ρ_T = 0.001, the three likeliest models always stay",
        _EXPERIMENTS + "prediction:Experiment",
        ("D61", "D88"),
    ),
    Described(
        "Section 6; E.2",
        "sequential and static transfer",
        _EXPERIMENTS + "sequential:sequential_transfer",
        ("D55", "D80"),
    ),
    Described(
        "E.2, repaired",
        "the repaired version on the same tasks and streams, one switch per repair",
        _EXPERIMENTS + "lines:Switch",
        ("D112", "D113"),
    ),
    Described(
        "E.2, repaired",
        "constants by theorem in place of constants by hand",
        _EXPERIMENTS + "sequential:guaranteed",
        ("D105", "D106"),
    ),
    Described(
        "E.2",
        "returns from 30 episodes of 10 steps",
        _EXPERIMENTS + "episodes:estimated_return",
        ("D82",),
    ),
    Described(
        "Section 6, footnote",
        "the oracle, by whose samples curves are divided",
        _EXPERIMENTS + "sequential:oracle",
        ("D83",),
    ),
    Described(
        "Section 3.3",
        "a task of exploration, or a bonus, without a generative model",
        "ptum.reference.transfer.exploration:run_online",
        ("D108",),
    ),
    Described(
        "Section 3.3, repaired",
        "walking the fastest way, where all models move alike",
        "ptum.reference.repaired.transfer.exploration:run_shared_moves",
    ),
    Described(
        "Section 3.3, repaired",
        "walking as the most hopeful model says that has mispredicted no certain move",
        "ptum.reference.repaired.transfer.exploration:run_trusting",
    ),
)
"""What is described in words, in the order of the appendix."""
