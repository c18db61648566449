"""Every symbol that the formulas share: scalars, tables, indices, and the sets indices run over.

This docstring is the contract between a formula and whoever gives it numbers. `evaluate` and
`decide` take scalars, tables and free indices by name in `values`, and sets by name in `domains`.
A table is nested sequences, indexed from 0 in the order given here; models are numbered from 0.

Scalars
    S A U k n m h d gamma epsilon delta delta_prime Delta Delta_r Delta_p Delta_sigma_r
    Delta_sigma_p kappa Gamma; for the concentration lemmas n_samples c width variance variance_hat;
    for Section 4 and Appendix D rho rho_1 ... rho_6 rho_T eta lambda_max_Sigma_21
    lambda_min_Sigma_31 sigma_k_Sigma_31 sigma_k_O C_S B g_mix e_h sigma_bar b c_floor l1_distance

Tables of the true models
    r[theta, s, a]                          mean reward
    p[theta, s, a, s']                      transition probability
    q[theta, s, a, u]                       probability of the u-th reward value
    reward[u]                               the u-th reward value itself
    V_star[theta, s]                        optimal value V*_θ
    V_pi[theta, s]                          value of one fixed policy π in θ
    sigma_r[theta, s, a]                    standard deviation of the reward
    sigma_p[theta, s, a, theta']            standard deviation of V*_θ' under p_θ (Section 2)
    nu_pi[theta, s, s', a']                 discounted visits of (s',a') from s, under π, in θ
    nu_star[theta, policy, s, s', a']       the same under the optimal policy of model `policy`

Tables of the approximate models
    r_tilde[theta, s, a]
    p_tilde[theta, s, a, s']
    V_tilde[theta, s]                       optimal value Ṽ*_θ
    V_tilde_of[theta, policy, s]            value, in approximate model θ, of the optimal policy
                                            of approximate model `policy`
    sigma_r_tilde[theta, s, a]
    sigma_p_tilde[theta, s, a, theta']      standard deviation of Ṽ*_θ' under p̃_θ
    info[theta, theta', s, a]               information of Definition 1

Tables of the empirical model, and the data of one pair
    r_hat[s, a]   p_hat[s, a, s']   sigma_r_hat[s, a]   sigma_p_hat[s, a, theta']   N[s, a]
    U_data[j]                               j-th reward seen at the pair
    hit[j, s']                              1 if the j-th next state seen at the pair is s', else 0

Tables of Section 4
    T_hat[theta, theta']                    estimated probability of going from θ' to θ

Indices (name: set unless stated otherwise at the formula)
    s s' s'': States    a a': Actions    u: Rewards    j: Data
    theta theta': Theta    theta'': Theta_bar    theta_star: always free    policy: Pair
    In `values` the primed ones are s_prime s_second a_prime theta_prime theta_second.

Sets
    States Actions Rewards Data
    Theta           all models
    Others          all models but the target
    Theta_bar       active models (of the current iteration)
    Theta_eps       the set of Theorem 1
    Theta_s         the set that replaces it in the repaired theorem
    Pair            the two models whose optimal policies Lemma 5 compares: θ and θ'
    Policies        optimal policies of the approximate models, by the number of the model
    Theta_bar_h     models still active after task h
    Eliminated_h    models dropped before task h+1
"""

from __future__ import annotations

from ptum.spec.algebra import Array, Index, log, symbol

# Sizes and parameters.
S = symbol("S")
A = symbol("A")
U = symbol("U")
k = symbol("k")
n = symbol("n")
m = symbol("m")
h = symbol("h")
d = symbol("d")
gamma = symbol("gamma")
epsilon = symbol("epsilon")
delta = symbol("delta")
delta_prime = symbol("delta_prime")

# Errors of the approximate models, and what the analysis derives from them.
Delta = symbol("Delta")
Delta_r = symbol("Delta_r")
Delta_p = symbol("Delta_p")
Delta_sigma_r = symbol("Delta_sigma_r")
Delta_sigma_p = symbol("Delta_sigma_p")
kappa = symbol("kappa")
Gamma = symbol("Gamma")

# Lemmas 1 and 2.
n_samples = symbol("n_samples")
c = symbol("c")
width = symbol("width")
variance = symbol("variance")
variance_hat = symbol("variance_hat")

# Section 4 and Appendix D.
rho = symbol("rho")
rho_1 = symbol("rho_1")
rho_2 = symbol("rho_2")
rho_3 = symbol("rho_3")
rho_4 = symbol("rho_4")
rho_6 = symbol("rho_6")
rho_T = symbol("rho_T")
eta = symbol("eta")
lambda_max_Sigma_21 = symbol("lambda_max_Sigma_21")
lambda_min_Sigma_31 = symbol("lambda_min_Sigma_31")
sigma_k_Sigma_31 = symbol("sigma_k_Sigma_31")
sigma_k_O = symbol("sigma_k_O")
C_S = symbol("C_S")
B = symbol("B")
g_mix = symbol("g_mix")
e_h = symbol("e_h")
sigma_bar = symbol("sigma_bar")
b = symbol("b")
c_floor = symbol("c_floor")
l1_distance = symbol("l1_distance")

# True models.
r = Array("r")
p = Array("p")
q = Array("q")
reward = Array("reward")
V_star = Array("V_star")
V_pi = Array("V_pi")
sigma_r = Array("sigma_r")
sigma_p = Array("sigma_p")
nu_pi = Array("nu_pi")
nu_star = Array("nu_star")

# Approximate models.
r_tilde = Array("r_tilde")
p_tilde = Array("p_tilde")
V_tilde = Array("V_tilde")
V_tilde_of = Array("V_tilde_of")
sigma_r_tilde = Array("sigma_r_tilde")
sigma_p_tilde = Array("sigma_p_tilde")
info = Array("info")

# Empirical model and data of one pair.
r_hat = Array("r_hat")
p_hat = Array("p_hat")
sigma_r_hat = Array("sigma_r_hat")
sigma_p_hat = Array("sigma_p_hat")
N = Array("N")
U_data = Array("U_data")
hit = Array("hit")

# Section 4.
T_hat = Array("T_hat")

# Indices with the set they usually run over.
s = Index("s", "States")
s_prime = Index("s_prime", "States")
s_second = Index("s_second", "States")
a = Index("a", "Actions")
a_prime = Index("a_prime", "Actions")
u = Index("u", "Rewards")
j = Index("j", "Data")
theta = Index("theta", "Theta")
theta_prime = Index("theta_prime", "Theta")
theta_star = Index("theta_star", "Theta")
policy = Index("policy", "Pair")

# The same indices over smaller sets.
active = Index("theta", "Theta_bar")
active_prime = Index("theta_prime", "Theta_bar")
active_second = Index("theta_second", "Theta_bar")
other = Index("theta", "Others")
blocking_printed = Index("theta", "Theta_eps")
blocking = Index("theta", "Theta_s")
active_h = Index("theta_prime", "Theta_bar_h")
eliminated_h = Index("theta", "Eliminated_h")
returnable = Index("policy", "Policies")

# The two logarithms of Lemma 3: log(8SAn(|Θ|+1)/δ) for means and log(4SAn(|Θ|+1)/δ) for standard
# deviations.
log_term = log(8 * S * A * n * (k + 1) / delta)
log_term_sigma = log(4 * S * A * n * (k + 1) / delta)
