"""The paper's notation (its Table 1), and every further symbol that a formula of the ledger uses.

Each line ties four names of one thing together: the paper's symbol, its LaTeX, the name under
which formulas carry it, and the name in `reference/` (empty where code needs none). Formulas are
printed with the paper's symbol; a test fails when a formula uses a name that is not listed here.

Tables of numbers are written as the paper writes them, the model below the letter: `FORMS` says
for each table which of its indices go where.
"""

from __future__ import annotations

from collections.abc import Mapping

from spec.records import Symbol

TABLE_1: tuple[Symbol, ...] = (
    Symbol("Θ", "all models, also called parameters or tasks", "Theta", "models", "2", r"\Theta"),
    Symbol("k", "number of models", "k", "k", "2", "k"),
    Symbol("n", "budget of queries to the generative model", "n", "n", "2", "n"),
    Symbol("m", "number of tasks that arrive in sequence", "m", "m", "2", "m"),
    Symbol("𝒮", "states", "States", "range(S)", "2", r"\mathcal{S}"),
    Symbol("𝒜", "actions", "Actions", "range(A)", "2", r"\mathcal{A}"),
    Symbol("𝒰", "reward values (finite in Section 4)", "Rewards", "u", "2", r"\mathcal{U}"),
    Symbol("T", "chances of going from one task to the next", "T", "T", "2", "T"),
    Symbol("p", "transition probabilities", "p", "p", "2", "p"),
    Symbol("q", "distribution of the reward", "q", "q", "2", "q"),
    Symbol("r", "mean reward", "r", "mean_reward", "2", "r"),
    Symbol("γ", "discount factor", "gamma", "gamma", "2", r"\gamma"),
    Symbol("V^π", "value of a policy π", "V_pi", "policy_value", "2", r"V^{\pi}"),
    Symbol("V*", "optimal value", "V_star", "optimal_value", "2", "V^{*}"),
    Symbol("σʳ", "standard deviation of the reward", "sigma_r", "reward_std", "2", r"\sigma^{r}"),
    Symbol(
        "σᵖ",
        "standard deviation, at the next state, of another model's optimal value",
        "sigma_p",
        "transition_std",
        "2",
        r"\sigma^{p}",
    ),
    Symbol("Δʳ", "reward gap of two models", "gap_r", "reward_gap", "2", r"\Delta^{r}"),
    Symbol("Δᵖ", "transition gap of two models", "gap_p", "transition_gap", "2", r"\Delta^{p}"),
    Symbol("Δ", "largest error of the approximate models", "Delta", "Delta", "3", r"\Delta"),
    Symbol("ε", "accuracy asked of the policy", "epsilon", "epsilon", "2", r"\epsilon"),
    Symbol("δ", "allowed chance of failure", "delta", "delta", "3", r"\delta"),
    Symbol("r̂ₜ", "mean of the rewards seen", "r_hat", "hat.r", "3.1", r"\hat{r}_t"),
    Symbol("p̂ₜ", "frequencies of the next states seen", "p_hat", "hat.p", "3.1", r"\hat{p}_t"),
    Symbol(
        "σ̂ʳₜ",
        "sample standard deviation of the rewards seen",
        "sigma_r_hat",
        "hat.sigma_r",
        "3.1",
        r"\hat{\sigma}^{r}_t",
    ),
    Symbol(
        "σ̂ᵖₜ",
        "sample standard deviation of a model's value at the next states seen",
        "sigma_p_hat",
        "hat.sigma_p",
        "3.1",
        r"\hat{\sigma}^{p}_t",
    ),
    Symbol("Cʳ", "width of the test on rewards", "C_r", "width_r", "B.3", r"C^{r}_{t,\delta}"),
    Symbol("Cᵖ", "width of the test on transitions", "C_p", "width_p", "B.3", r"C^{p}_{t,\delta}"),
    Symbol(
        "C^σᵣ",
        "width of the test on reward deviations",
        "C_sigma_r",
        "width_sigma_r",
        "B.3",
        r"C^{\sigma_r}_{t,\delta}",
    ),
    Symbol(
        "C^σₚ",
        "width of the test on value deviations",
        "C_sigma_p",
        "width_sigma_p",
        "B.3",
        r"C^{\sigma_p}_{t,\delta}",
    ),
    Symbol("Θ̄ₜ", "models active in pass t", "Theta_bar", "active", "3.1", r"\bar{\Theta}_t"),
    Symbol(
        "𝓘ʳ",
        "information of rewards for telling two models apart",
        "info_r",
        "information_r",
        "3.1",
        r"\mathcal{I}^{r}",
    ),
    Symbol(
        "𝓘ᵖ",
        "information of transitions for telling two models apart",
        "info_p",
        "information_p",
        "3.1",
        r"\mathcal{I}^{p}",
    ),
    Symbol("𝓘ₜ", "index of a pair in pass t", "index", "index", "3.1", r"\mathcal{I}_t"),
    Symbol("O", "columns are the flattened true models", "O", "O", "4", "O"),
    Symbol("Ôₕ", "estimate of O after h tasks", "O_hat", "estimate.O", "4", r"\hat{O}_h"),
    Symbol("T̂ₕ", "estimate of T after h tasks", "T_hat", "T_hat", "4", r"\hat{T}_h"),
    Symbol("r̃", "mean reward, approximate", "r_tilde", "models.r", "3", r"\tilde{r}"),
    Symbol("p̃", "transition probabilities, approximate", "p_tilde", "models.p", "3", r"\tilde{p}"),
    Symbol(
        "σ̃ʳ",
        "standard deviation of the reward, approximate",
        "sigma_r_tilde",
        "models.sigma_r",
        "3",
        r"\tilde{\sigma}^{r}",
    ),
    Symbol(
        "σ̃ᵖ",
        "standard deviation of an approximate optimal value under approximate transitions",
        "sigma_p_tilde",
        "models.sigma_p",
        "3",
        r"\tilde{\sigma}^{p}",
    ),
    Symbol(
        "Θ̃ₕ",
        "models with which PTUM starts task h",
        "Theta_tilde",
        "initial",
        "4",
        r"\tilde{\Theta}_h",
    ),
    Symbol("ρ", "constant of the spectral analysis", "rho", "rho", "4.1", r"\rho"),
)
"""The rows of the paper's Table 1, in its order; rows with several symbols are split."""

FORMULA_SYMBOLS: tuple[Symbol, ...] = (
    Symbol("S", "number of states", "S", "S", "2", "S"),
    Symbol("A", "number of actions", "A", "A", "2", "A"),
    Symbol("U", "number of reward values", "U", "U", "4", "U"),
    Symbol("u", "a reward value, by its number", "reward", "u", "2", "u"),
    Symbol(
        "ν^π",
        "discounted visits of a pair under a policy π",
        "nu_pi",
        "visitation",
        "B.3",
        r"\nu^{\pi}",
    ),
    Symbol(
        "ν",
        "discounted visits of a pair under the optimal policy of a model",
        "nu_star",
        "visitation",
        "B.3",
        r"\nu",
    ),
    Symbol("Ṽ*", "optimal value, approximate", "V_tilde", "models.V_star", "3", r"\tilde{V}^{*}"),
    Symbol(
        "Ṽ",
        "value, in one approximate model, of the optimal policy of another",
        "V_tilde_of",
        "models.V_pi",
        "3.1",
        r"\tilde{V}",
    ),
    Symbol(
        "𝓘",
        "information for telling two models apart",
        "info",
        "information",
        "3.1",
        r"\mathcal{I}",
    ),
    Symbol("Nₜ", "samples of a pair before pass t", "N", "hat.N", "3.1", "N_t"),
    Symbol("U", "rewards seen at a pair", "U_data", "data.rewards", "3.1", "U"),
    Symbol(
        "𝟙",
        "whether the sample with this number went to this state",
        "hit",
        "data.successors",
        "3.1",
        r"\mathbb{1}",
    ),
    Symbol(
        "Δʳₘₐₓ",
        "bound on the errors of mean rewards",
        "Delta_r",
        "errors.r",
        "3",
        r"\Delta^{r}_{\max}",
    ),
    Symbol(
        "Δᵖₘₐₓ",
        "bound on the errors of expected values",
        "Delta_p",
        "errors.p",
        "3",
        r"\Delta^{p}_{\max}",
    ),
    Symbol(
        "Δσʳₘₐₓ",
        "bound on the errors of reward deviations",
        "Delta_sigma_r",
        "errors.sigma_r",
        "3",
        r"\Delta^{\sigma_r}_{\max}",
    ),
    Symbol(
        "Δσᵖₘₐₓ",
        "bound on the errors of value deviations",
        "Delta_sigma_p",
        "errors.sigma_p",
        "3",
        r"\Delta^{\sigma_p}_{\max}",
    ),
    Symbol(
        "κ_ε",
        "gap below which a model cannot stand in the way of stopping",
        "kappa",
        "kappa_eps",
        "3.2",
        r"\kappa_{\epsilon}",
    ),
    Symbol(
        "Γ", "smallest gap of the target to another model", "Gamma", "gap_Gamma", "3.2", r"\Gamma"
    ),
    Symbol("n", "number of independent samples", "n_samples", "n_samples", "B.2", "n"),
    Symbol("c", "bound on the absolute value of the random variable", "c", "c", "B.2", "c"),
    Symbol(
        "w",
        "length of an interval that holds the random variable (repair)",
        "width",
        "width",
        "B.2",
        "w",
    ),
    Symbol("Var[X]", "variance", "variance", "variance", "B.2", r"\mathrm{Var}[X]"),
    Symbol(
        "V̂ar[X]",
        "sample variance, with denominator n-1",
        "variance_hat",
        "variance_hat",
        "B.2",
        r"\widehat{\mathrm{Var}}[X]",
    ),
)
"""Further symbols of Sections 2 and 3 and Appendix B."""

SEQUENTIAL_SYMBOLS: tuple[Symbol, ...] = (
    Symbol("h", "number of tasks seen so far", "h", "h", "4", "h"),
    Symbol("d", "length of an observation, SA(S+U)", "d", "d", "4", "d"),
    Symbol(
        "δ'",
        "allowed chance of failure of the estimates",
        "delta_prime",
        "delta_prime",
        "4.1",
        r"\delta'",
    ),
    Symbol("ρᵣ", "rate constant of mean rewards", "rho_r", "rhos.r", "4.1", r"\rho_r"),
    Symbol("ρₚ", "rate constant of expected values", "rho_p", "rhos.p", "4.1", r"\rho_p"),
    Symbol(
        "ρσʳ",
        "rate constant of reward deviations",
        "rho_sigma_r",
        "rhos.sigma_r",
        "4.1",
        r"\rho_{\sigma_r}",
    ),
    Symbol(
        "ρσᵖ",
        "rate constant of value deviations",
        "rho_sigma_p",
        "rhos.sigma_p",
        "4.1",
        r"\rho_{\sigma_p}",
    ),
    Symbol(
        "ρ•",
        "one of ρᵣ, ρₚ, ρσʳ, ρσᵖ, for the bound it belongs to",
        "rho_any",
        "rho_any",
        "4.1",
        r"\rho_{\bullet}",
    ),
    Symbol("ρ₁", "tasks needed by Lemma 10", "rho_1", "rho_1", "D.2", r"\rho_1"),
    Symbol("ρ₂", "rate constant of Lemma 10", "rho_2", "rho_2", "D.2", r"\rho_2"),
    Symbol("ρ₃", "tasks needed by Lemma 11", "rho_3", "rho_3", "D.2", r"\rho_3"),
    Symbol("ρ₄", "rate constant of Lemma 11", "rho_4", "rho_4", "D.2", r"\rho_4"),
    Symbol("ρ₅", "tasks needed by Lemma 12", "rho_5", "rho_5", "D.2", r"\rho_5"),
    Symbol("ρ₆", "rate constant of Lemma 12", "rho_6", "rho_6", "D.2", r"\rho_6"),
    Symbol("ρ_T", "rate constant of the estimate of T", "rho_T", "rho_T", "4.2", r"\rho_T"),
    Symbol("η", "threshold below which a model is dropped", "eta", "eta", "4.2", r"\eta"),
    Symbol(
        "λₘₐₓ(Σ₂₁)",
        "largest singular value of Σ₂₁",
        "lambda_max_Sigma_21",
        "lambda_max_Sigma_21",
        "D.2",
        r"\lambda_{\max}(\Sigma_{2,1})",
    ),
    Symbol(
        "λₘᵢₙ(Σ₃₁)",
        "smallest singular value of Σ₃₁",
        "lambda_min_Sigma_31",
        "lambda_min_Sigma_31",
        "D.2",
        r"\lambda_{\min}(\Sigma_{3,1})",
    ),
    Symbol(
        "σₖ(Σ₃₁)",
        "k-th singular value of Σ₃₁",
        "sigma_k_Sigma_31",
        "sigma_k_Sigma_31",
        "D.2",
        r"\sigma_k(\Sigma_{3,1})",
    ),
    Symbol("σₖ(O)", "k-th singular value of O", "sigma_k_O", "sigma_k_O", "D.2", r"\sigma_k(O)"),
    Symbol(
        "⌊h/3⌋", "number of triples of tasks", "n_triples", "triples", "D.2", r"\lfloor h/3 \rfloor"
    ),
    Symbol(
        "C_Σ",
        "rate constant of the moment estimates, 2√5 SA(√(1+4g)+1+g) (repair)",
        "C_S",
        "C_S",
        "D.2",
        r"C_\Sigma",
    ),
    Symbol("B", "√(2SA), bound on the length of an observation (repair)", "B", "B", "D.2", "B"),
    Symbol(
        "g",
        "sum over s ≥ 1 of the Dobrushin coefficients of T to the power 3s-2 (repair)",
        "g_mix",
        "g_mix",
        "D.2",
        "g",
    ),
    Symbol(
        "eₕ",
        "bound on the errors of the columns of Ôₕ (repair)",
        "e_h",
        "e_h",
        "D.3",
        "e_h",
    ),
    Symbol(
        "eᵀₕ",
        "bound on the errors of the columns of T̂ₕ (repair)",
        "e_T",
        "e_T",
        "4.2",
        r"e^{T}_h",
    ),
    Symbol(
        "σ̄",
        "floor under the standard deviations",
        "sigma_bar",
        "sigma_bar",
        "D.1",
        r"\bar{\sigma}",
    ),
    Symbol("b", "range of the function of Lemma 13", "b", "b", "D.2", "b"),
    Symbol("c", "floor under the variances of Lemma 13", "c_floor", "c", "D.2", "c"),
    Symbol(
        "‖p-q‖₁",
        "total of the absolute differences of two distributions",
        "l1_distance",
        "l1_distance",
        "D.2",
        r"\| p - q \|_1",
    ),
    Symbol(
        "Θ̄ₕ",
        "models still active after task h",
        "Theta_bar_h",
        "theta_bar",
        "4.2",
        r"\bar{\Theta}_h",
    ),
    Symbol(
        "Eₕ",
        "models dropped before task h+1 (repair)",
        "Eliminated_h",
        "eliminated",
        "4.2",
        "E_h",
    ),
    Symbol(
        "|Eₕ|",
        "number of models dropped before task h+1 (repair)",
        "size_E",
        "len(eliminated)",
        "4.2",
        "|E_h|",
    ),
)
"""Symbols of Section 4 and Appendix D."""

SETS_AND_INDICES: tuple[Symbol, ...] = (
    Symbol("s", "a state", "s", "s", "2", "s"),
    Symbol("s'", "a next state", "s_prime", "successor", "2", "s'"),
    Symbol("s''", "a further next state", "s_second", "", "2", "s''"),
    Symbol("a", "an action", "a", "a", "2", "a"),
    Symbol("a'", "a further action", "a_prime", "", "B.3", "a'"),
    Symbol("u", "the number of a reward value", "u", "j", "2", "u"),
    Symbol("j", "the number of a sample of a pair", "j", "", "3.1", "j"),
    Symbol("θ", "a model", "theta", "theta", "2", r"\theta"),
    Symbol("θ'", "a second model", "theta_prime", "theta_prime", "2", r"\theta'"),
    Symbol("θ''", "a third model", "theta_second", "theta_second", "B.3", r"\theta''"),
    Symbol("θ*", "the target", "theta_star", "target", "3", r"\theta^{*}"),
    Symbol("π", "the model whose optimal policy acts", "policy", "pi", "B.3", r"\pi"),
    Symbol("𝒟", "samples of the pair so far", "Data", "data", "3.1", r"\mathcal{D}_{s,a}"),
    Symbol(
        "Θ∖{θ*}",
        "all models but the target",
        "Others",
        "others",
        "3.2",
        r"\Theta \setminus \{\theta^{*}\}",
    ),
    Symbol(
        "Θ_ε",
        "models with a gap to the target above κ_ε",
        "Theta_eps",
        "theta_eps",
        "3.2",
        r"\Theta_{\epsilon}",
    ),
    Symbol(
        "Θₛ",
        "models that can stand in the way of stopping (repair)",
        "Theta_s",
        "theta_s",
        "3.2",
        r"\Theta_{s}",
    ),
    Symbol(
        "Π̃",
        "the optimal policies of the approximate models, numbered as their models",
        "Policies",
        "models.pi_star",
        "B.3",
        r"\tilde{\Pi}",
    ),
    Symbol(
        "{π*_θ, π*_θ'}",
        "the optimal policies of the two models compared",
        "Pair",
        "",
        "B.3",
        r"\{\pi^{*}_{\theta}, \pi^{*}_{\theta'}\}",
    ),
)
"""Indices and the sets they run over."""

TABLE: tuple[Symbol, ...] = (*TABLE_1, *FORMULA_SYMBOLS, *SEQUENTIAL_SYMBOLS, *SETS_AND_INDICES)

FORMS: Mapping[str, str] = {
    "r": "0(1,2)",
    "p": "0(3|1,2)",
    "q": "0(3|1,2)",
    "reward": "",
    "V_star": "0(1)",
    "V_pi": "0(1)",
    "sigma_r": "0(1,2)",
    "sigma_p": "0(1,2;3)",
    "nu_pi": "0(2,3;1)",
    "nu_star": "0^1(3,4;2)",
    "r_tilde": "0(1,2)",
    "p_tilde": "0(3|1,2)",
    "V_tilde": "0(1)",
    "V_tilde_of": "0^1(2)",
    "sigma_r_tilde": "0(1,2)",
    "sigma_p_tilde": "0(1,2;3)",
    "info": "2,3(0,1)",
    "p_hat": "(2|0,1)",
    "sigma_p_hat": "(0,1;2)",
    "U_data": "0",
    "hit": "(0→1)",
}
"""How a table with indices is written: positions before the bracket go below the letter, those
after `^` above it.

A table that is not listed takes all its indices in brackets, in their order.
"""


def display_names() -> dict[str, str]:
    """From the name in formulas to the symbol a reader knows."""
    return {symbol.name: symbol.paper for symbol in TABLE}


def latex_names() -> dict[str, str]:
    """From the name in formulas to LaTeX."""
    return {symbol.name: symbol.latex for symbol in TABLE}
