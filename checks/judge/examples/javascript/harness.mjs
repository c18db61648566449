// PTUM in plain JavaScript behind the judge's protocol: JSON objects, one per line. No packages.
//
//   ptum validate --check-protocol --command "node harness.mjs"
//   ptum validate --command "node harness.mjs"
//
// A task is { p, q, u }: p[s][a][s'] is the probability of the next state, q[s][a][j] that of the
// reward u[j]. States, actions and models are numbered from 0.

import { readSync, writeSync } from "node:fs";

const range = (size) => Array.from({ length: size }, (_, i) => i);
const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);
const largest = (numbers) => numbers.reduce((best, x) => Math.max(best, x), -Infinity);

// Section 2: values

const mean = (weights, values) => sum(weights.map((weight, i) => weight * values[i]));

function deviation(weights, values) {
  const centre = mean(weights, values);
  return Math.sqrt(sum(weights.map((weight, i) => weight * (values[i] - centre) ** 2)));
}

// V^pi, the solution of (I - gamma P) V = r for the transitions and rewards of pi.
function policyValue({ p, q, u }, gamma, pi) {
  const matrix = p.map((row, s) => row[pi[s]].map((x, next) => (s === next ? 1 : 0) - gamma * x));
  return solve(matrix, q.map((row, s) => mean(row[pi[s]], u)));
}

// V* and an optimal policy, by policy iteration.
function optimal(task, gamma) {
  const { p, q, u } = task;
  const pi = p.map(() => 0);
  let V = [];
  // Far more rounds than are ever needed, in case rounding goes in circles.
  for (let round = 0; round < 1000; round++) {
    V = policyValue(task, gamma, pi);
    let changed = false;
    p.forEach((row, s) => {
      const Q = row.map((weights, a) => mean(q[s][a], u) + gamma * mean(weights, V));
      const best = Q.indexOf(largest(Q));
      if (Q[best] > Q[pi[s]] + 1e-13 / (1 - gamma)) {
        pi[s] = best;
        changed = true;
      }
    });
    if (!changed) break;
  }
  return { V, pi };
}

// Gaussian elimination with the largest pivot of each column.
function solve(matrix, right) {
  const size = right.length;
  const rows = matrix.map((row, i) => [...row, right[i]]);
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column; row < size; row++) {
      if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) pivot = row;
    }
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    for (let row = column + 1; row < size; row++) {
      const factor = rows[row][column] / rows[column][column];
      for (let i = column; i <= size; i++) rows[row][i] -= factor * rows[column][i];
    }
  }
  const solution = new Array(size).fill(0);
  for (let row = size - 1; row >= 0; row--) {
    const known = sum(range(size).map((i) => (i > row ? rows[row][i] * solution[i] : 0)));
    solution[row] = (rows[row][size] - known) / rows[row][row];
  }
  return solution;
}

// Lemma 3: confidence widths, infinite up to one sample

// log(factor S A n (|Theta| + 1) / delta), with factor 8 for means and 4 for deviations.
const logTerm = (factor, S, A, n, k, delta) => Math.log((factor * S * A * n * (k + 1)) / delta);

// C^r (span 1) and C^p (span 1/(1-gamma)).
function meanWidth(N, sigma, span, log8, error) {
  if (N <= 1) return Infinity;
  return sigma * Math.sqrt((2 * log8) / N) + (7 * log8 * span) / (3 * (N - 1)) + error;
}

// C^{sigma_r} (span 1) and C^{sigma_p} (span 1/(1-gamma)).
function deviationWidth(N, span, log4, error) {
  return N <= 1 ? Infinity : span * Math.sqrt((2 * log4) / (N - 1)) + error;
}

function widths({ N, sigma_r, sigma_p, errors, gamma, n, delta, k }) {
  const span = 1 / (1 - gamma);
  const log8 = logTerm(8, N.length, N[0].length, n, k, delta);
  const log4 = logTerm(4, N.length, N[0].length, n, k, delta);
  const table = (entry) => N.map((row, s) => row.map((count, a) => entry(count, s, a)));
  return {
    C_r: table((count, s, a) => meanWidth(count, sigma_r[s][a], 1, log8, errors.r)),
    C_p: table((count, s, a) =>
      sigma_p[s][a].map((sigma) => meanWidth(count, sigma, span, log8, errors.p)),
    ),
    C_sigma_r: table((count) => deviationWidth(count, 1, log4, errors.sigma_r)),
    C_sigma_p: table((count) => deviationWidth(count, span, log4, errors.sigma_p)),
  };
}

// Definition 1 and lines 16-18: information and the next query

// What Algorithm 1 needs to know about one given model.
function model(task, gamma) {
  const r = task.q.map((row) => row.map((weights) => mean(weights, task.u)));
  const sigma_r = task.q.map((row) => row.map((weights) => deviation(weights, task.u)));
  return { task, p: task.p, r, sigma_r, ...optimal(task, gamma) };
}

// The largest loss over states, in one model, of the policy of another.
function loss(inside, of, gamma) {
  const reached = policyValue(inside.task, gamma, of.pi);
  return largest(inside.V.map((best, s) => best - reached[s]));
}

// (x / sigma)^2; 0 where x is 0, infinite where only sigma is.
function squaredRatio(x, sigma) {
  if (x === 0) return 0;
  return sigma > 0 ? (x / sigma) ** 2 : Infinity;
}

// I_{s,a}(one, other), with the values and deviations of the first model.
function information(one, other, s, a, gamma, Delta) {
  const xr = Math.max(Math.abs(one.r[s][a] - other.r[s][a]) - 8 * Delta, 0);
  const moved = mean(one.p[s][a], one.V) - mean(other.p[s][a], one.V);
  const xp = Math.max(Math.abs(moved) - 8 * Delta, 0);
  const ofR = Math.min(squaredRatio(xr, one.sigma_r[s][a]), xr);
  const ofP = Math.min(squaredRatio(xp, deviation(one.p[s][a], one.V)), (1 - gamma) * xp);
  return Math.max(ofR, ofP);
}

const largestError = (errors) => largest(Object.values(errors));

function informationTable({ models, gamma, errors }) {
  const known = models.map((task) => model(task, gamma));
  const Delta = largestError(errors);
  const I = known.map((one) =>
    known.map((other) =>
      one.r.map((row, s) => row.map((_, a) => information(one, other, s, a, gamma, Delta))),
    ),
  );
  return { I };
}

// Lines 16-18: the pair whose largest information over active models is largest; ties to the first.
function largestIndex(known, active, gamma, Delta) {
  let best = { index: -1 };
  known[0].r.forEach((row, s) =>
    row.forEach((_, a) => {
      const of = (i, j) => information(known[i], known[j], s, a, gamma, Delta);
      const index = largest(active.flatMap((i) => active.map((j) => of(i, j))));
      if (index > best.index) best = { s, a, index };
    }),
  );
  return { s: best.s, a: best.a };
}

function nextQuery({ models, gamma, errors, active }) {
  const known = models.map((task) => model(task, gamma));
  return largestIndex(known, active, gamma, largestError(errors));
}

// Algorithm 1

// Lines 7-10 for one pair: count, mean and deviation of rewards; counts of next states.
class Statistics {
  constructor(S) {
    this.N = 0;
    this.centre = 0;
    this.squares = 0;
    this.successors = new Array(S).fill(0);
  }

  // Line 20; mean and sum of squares are updated as rewards arrive.
  add({ reward, successor }) {
    this.N += 1;
    const off = reward - this.centre;
    this.centre += off / this.N;
    this.squares += off * (reward - this.centre);
    this.successors[successor] += 1;
  }

  // Sample mean and deviation (divisor N - 1) of the rewards.
  ofRewards() {
    return [this.centre, Math.sqrt(this.squares / (this.N - 1))];
  }

  // Sample mean and deviation (divisor N - 1) of V at the next states.
  ofValues(V) {
    const centre = mean(this.successors, V) / this.N;
    const squares = sum(this.successors.map((count, x) => count * (V[x] - centre) ** 2));
    return [centre, Math.sqrt(squares / (this.N - 1))];
  }
}

// Whether a model passes equations (1)-(4) at one pair, with the values of all models.
function fits(known, theta, data, { s, a }, gamma, errors, log8, log4) {
  const { N } = data;
  const span = 1 / (1 - gamma);
  if (N <= 1) return true;
  const { p, r, sigma_r } = known[theta];
  const [centre, sigma] = data.ofRewards();
  const eq1 = Math.abs(centre - r[s][a]) <= meanWidth(N, sigma, 1, log8, errors.r);
  const eq3 = Math.abs(sigma - sigma_r[s][a]) <= deviationWidth(N, 1, log4, errors.sigma_r);
  const withValues = ({ V }) => {
    const [ofV, sigmaOfV] = data.ofValues(V);
    const eq2 = Math.abs(ofV - mean(p[s][a], V)) <= meanWidth(N, sigmaOfV, span, log8, errors.p);
    const off = Math.abs(sigmaOfV - deviation(p[s][a], V));
    const eq4 = off <= deviationWidth(N, span, log4, errors.sigma_p);
    return eq2 && eq4;
  };
  return eq1 && eq3 && known.every(withValues);
}

// Lines 2-22 without the fallback: the policy is null where the paper falls back.
function ptum({ models, gamma, errors, epsilon, delta, n }, sample) {
  const known = models.map((task) => model(task, gamma));
  const [S, A, k] = [known[0].r.length, known[0].r[0].length, known.length];
  const Delta = largestError(errors);
  const eliminations = [];
  const end = (name, policy = null) => ({ policy, end: name, eliminations });
  // Line 2, repaired; the paper prints Delta < epsilon (1-gamma) / (4 (1+gamma)).
  if (Delta > (epsilon * (1 - gamma)) / (18 * (1 + gamma))) return end("models-too-inaccurate");
  const losses = known.map((of) => known.map((inside) => loss(inside, of, gamma)));
  const slack = epsilon - (2 * Delta * (1 + gamma)) / (1 - gamma);
  const [log8, log4] = [8, 4].map((factor) => logTerm(factor, S, A, n, k, delta));
  const data = range(S).map(() => range(A).map(() => new Statistics(S)));
  const choices = new Map();
  let active = range(k);
  let asked = null;
  for (let t = 1; t <= n; t++) {
    // Line 12. Only the pair sampled last has new numbers, and a model that passed the tests of
    // the other pairs before passes them still.
    if (asked !== null) {
      const { s, a } = asked;
      const stays = (i) => fits(known, i, data[s][a], asked, gamma, errors, log8, log4);
      const left = active.filter(stays);
      active.filter((i) => !left.includes(i)).forEach((theta) => eliminations.push({ t, theta }));
      active = left;
    }
    if (active.length === 0) return end("active-set-empty");
    // Line 14: a policy of an active model that loses little in every active model.
    const good = active.find((i) => active.every((j) => losses[i][j] <= slack));
    if (good !== undefined) return end("stopped", known[good].pi);
    // Lines 16-18; the index depends on the active set alone.
    const key = active.join();
    if (!choices.has(key)) choices.set(key, largestIndex(known, active, gamma, Delta));
    asked = choices.get(key);
    data[asked.s][asked.a].add(sample(asked)); // lines 19-20
  }
  return end("budget-exhausted");
}

// The protocol

let unread = Buffer.alloc(0);

// The next line of standard input, or null at its end.
function readLine() {
  const chunk = Buffer.alloc(65536);
  for (;;) {
    const place = unread.indexOf(10);
    if (place >= 0) {
      const line = unread.toString("utf8", 0, place);
      unread = unread.subarray(place + 1);
      return line;
    }
    const size = readSync(0, chunk);
    if (size === 0) return null;
    unread = Buffer.concat([unread, chunk.subarray(0, size)]);
  }
}

function receive() {
  const line = readLine();
  return line === null ? { type: "stop" } : JSON.parse(line);
}

// JSON has no infinity: it is written as the text "inf", which JSON.stringify would not do.
function send(message) {
  const text = (_, x) => (x === Infinity ? "inf" : x === -Infinity ? "-inf" : x);
  let left = Buffer.from(JSON.stringify(message, text) + "\n");
  while (left.length > 0) left = left.subarray(writeSync(1, left));
}

const numbers = (errors) =>
  Object.fromEntries(
    Object.entries(errors).map(([name, x]) => [name, x === "inf" ? Infinity : x]),
  );

const answers = {
  optimal: ({ gamma, ...task }) => optimal(task, gamma),
  policy_value: ({ gamma, pi, ...task }) => ({ V: policyValue(task, gamma, pi) }),
  widths,
  information: informationTable,
  next_query: nextQuery,
  ptum,
};

function answer({ id, capability, input }) {
  if (input.errors) input.errors = numbers(input.errors);
  const sample = ({ s, a }) => {
    send({ type: "query", id, s, a });
    return receive();
  };
  try {
    send({ type: "answer", id, answer: answers[capability](input, sample) });
  } catch (reason) {
    send({ type: "failure", id, message: String(reason) });
  }
}

for (let message = receive(); message.type !== "stop"; message = receive()) {
  if (message.type === "start") {
    send({
      type: "ready",
      protocol: "ptum-stdio/1",
      name: "javascript example",
      version: "1",
      language: "JavaScript",
      capabilities: Object.keys(answers),
    });
  } else {
    answer(message);
  }
}
