/* PTUM in plain C99 behind the judge's protocol: JSON objects, one per line. No libraries.
 *
 *   cc -O2 -std=c99 -o harness harness.c -lm      (or: make)
 *   ptum validate --check-protocol --command ./harness
 *   ptum validate --command ./harness
 *
 * States, actions and models are numbered from 0; tables are flat, the last index runs fastest.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory: everything that belongs to a request is given back when it is answered. ---- */

typedef union Block {
    union Block *next;
    double alignment;
} Block;

static Block *blocks = NULL;

static void *allocate(size_t size)
{
    Block *block = calloc(1, sizeof(Block) + size);
    if (block == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    block->next = blocks;
    blocks = block;
    return block + 1;
}

static void release_all(void)
{
    while (blocks != NULL) {
        Block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

static double *doubles(int count) { return allocate((size_t)count * sizeof(double)); }
static int *integers(int count) { return allocate((size_t)count * sizeof(int)); }

/* ---- A small JSON reader. Objects and lists are chains of entries. ---- */

typedef enum { NOTHING, NUMBER, TEXT, LIST, OBJECT } Kind;

typedef struct Json {
    Kind kind;
    double number;
    char *text;         /* of a text */
    char *name;         /* of an entry of an object */
    struct Json *first; /* of a list or an object */
    struct Json *next;  /* in the list or object around it */
    int count;
} Json;

static const char *cursor;

static void fail(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(1);
}

static void skip_space(void) { cursor += strspn(cursor, " \t\r\n"); }

/* Escapes are kept as they are: the only text that is sent back, an id, must not change. */
static char *read_text(void)
{
    const char *end = ++cursor;
    while (*end != '"' && *end != '\0') end += *end == '\\' && end[1] != '\0' ? 2 : 1;
    if (*end == '\0') fail("a text without an end");
    size_t length = (size_t)(end - cursor);
    char *text = allocate(length + 1);
    memcpy(text, cursor, length);
    cursor = end + 1;
    return text;
}

static Json *read_value(void);

static void read_entries(Json *around, char close)
{
    Json **place = &around->first;
    cursor++;
    for (skip_space(); *cursor != close; skip_space()) {
        char *name = NULL;
        if (close == '}') {
            if (*cursor != '"') fail("an entry without a name");
            name = read_text();
            skip_space();
            if (*cursor++ != ':') fail("a name without a value");
        }
        *place = read_value();
        (*place)->name = name;
        place = &(*place)->next;
        around->count++;
        skip_space();
        if (*cursor == ',') cursor++;
        else if (*cursor != close) fail("a list or an object without an end");
    }
    cursor++;
}

static Json *read_value(void)
{
    Json *value = allocate(sizeof(Json));
    skip_space();
    if (*cursor == '{') {
        value->kind = OBJECT;
        read_entries(value, '}');
    } else if (*cursor == '[') {
        value->kind = LIST;
        read_entries(value, ']');
    } else if (*cursor == '"') {
        value->kind = TEXT;
        value->text = read_text();
    } else if (strncmp(cursor, "null", 4) == 0) {
        cursor += 4;
    } else {
        char *end;
        value->kind = NUMBER;
        value->number = strtod(cursor, &end);
        if (end == cursor) fail("not a JSON value");
        cursor = end;
    }
    return value;
}

static const Json *get(const Json *object, const char *name)
{
    for (const Json *entry = object->first; entry != NULL; entry = entry->next)
        if (strcmp(entry->name, name) == 0) return entry;
    fprintf(stderr, "there is no field %s\n", name);
    exit(1);
}

/* JSON has no infinity: it arrives as the text "inf". */
static double number(const Json *object, const char *name)
{
    const Json *value = get(object, name);
    if (value->kind == TEXT && strcmp(value->text, "inf") == 0) return INFINITY;
    return value->number;
}

static int integer(const Json *object, const char *name) { return (int)number(object, name); }
static const char *text(const Json *object, const char *name) { return get(object, name)->text; }

static double *flatten_into(double *place, const Json *value)
{
    if (value->kind != LIST) {
        *place = value->number;
        return place + 1;
    }
    for (const Json *entry = value->first; entry != NULL; entry = entry->next)
        place = flatten_into(place, entry);
    return place;
}

static double *table(const Json *object, const char *name, int count)
{
    double *numbers = doubles(count);
    flatten_into(numbers, get(object, name));
    return numbers;
}

static int *list_of_integers(const Json *list)
{
    int *numbers = integers(list->count), *place = numbers;
    for (const Json *entry = list->first; entry != NULL; entry = entry->next)
        *place++ = (int)entry->number;
    return numbers;
}

/* ---- Lines in, lines out ---- */

/* The next message of the judge, or NULL at the end of the input. */
static const Json *receive(void)
{
    size_t size = 0, room = 4096;
    char *line = malloc(room);
    int letter;
    while (line != NULL && (letter = getchar()) != EOF && letter != '\n') {
        line[size++] = (char)letter;
        if (size == room) line = realloc(line, room *= 2);
    }
    if (line == NULL) fail("out of memory");
    line[size] = '\0';
    const Json *message = NULL;
    if (size > 0) {
        cursor = line;
        message = read_value();
    }
    free(line);
    return message;
}

/* Without the flush the judge would wait for ever. */
static void end_of_line(void)
{
    putchar('\n');
    fflush(stdout);
}

static void put_number(double x)
{
    if (isinf(x)) printf(x > 0 ? "\"inf\"" : "\"-inf\"");
    else printf("%.17g", x);
}

/* Numbers as nested lists of the given sides. */
static const double *put_table(const double *numbers, int depth, const int *sides)
{
    if (depth == 0) {
        put_number(*numbers);
        return numbers + 1;
    }
    putchar('[');
    for (int i = 0; i < sides[0]; i++) {
        if (i > 0) putchar(',');
        numbers = put_table(numbers, depth - 1, sides + 1);
    }
    putchar(']');
    return numbers;
}

static void put_integers(const int *numbers, int count)
{
    putchar('[');
    for (int i = 0; i < count; i++) printf(i > 0 ? ",%d" : "%d", numbers[i]);
    putchar(']');
}

static void begin_answer(const char *id)
{
    printf("{\"type\":\"answer\",\"id\":\"%s\",\"answer\":{", id);
}

static void end_answer(void)
{
    printf("}}");
    end_of_line();
}

/* ---- Section 2: values ---- */

typedef struct {
    int S, A, U;
    double gamma;
    double *p; /* [s][a][s'] */
    double *q; /* [s][a][j], probability of the reward u[j] */
    double *u;
} Task;

static Task read_task(const Json *object, double gamma)
{
    Task task;
    const Json *p = get(object, "p");
    task.S = p->count;
    task.A = p->first->count;
    task.U = get(object, "u")->count;
    task.gamma = gamma;
    task.p = table(object, "p", task.S * task.A * task.S);
    task.q = table(object, "q", task.S * task.A * task.U);
    task.u = table(object, "u", task.U);
    return task;
}

static const double *next_state(const Task *task, int s, int a)
{
    return task->p + (s * task->A + a) * task->S;
}

static const double *reward(const Task *task, int s, int a)
{
    return task->q + (s * task->A + a) * task->U;
}

static double mean(const double *weights, const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += weights[i] * values[i];
    return sum;
}

static double deviation(const double *weights, const double *values, int count)
{
    double centre = mean(weights, values, count), sum = 0;
    for (int i = 0; i < count; i++) sum += weights[i] * (values[i] - centre) * (values[i] - centre);
    return sqrt(sum);
}

/* Gaussian elimination with the largest pivot of each column; rows are size + 1 long. */
static void solve(double *rows, int size, double *solution)
{
    int width = size + 1;
    for (int column = 0; column < size; column++) {
        int pivot = column;
        for (int row = column; row < size; row++)
            if (fabs(rows[row * width + column]) > fabs(rows[pivot * width + column])) pivot = row;
        for (int i = 0; i < width; i++) {
            double swapped = rows[column * width + i];
            rows[column * width + i] = rows[pivot * width + i];
            rows[pivot * width + i] = swapped;
        }
        for (int row = column + 1; row < size; row++) {
            double factor = rows[row * width + column] / rows[column * width + column];
            for (int i = column; i < width; i++)
                rows[row * width + i] -= factor * rows[column * width + i];
        }
    }
    for (int row = size - 1; row >= 0; row--) {
        double left = rows[row * width + size];
        for (int i = row + 1; i < size; i++) left -= rows[row * width + i] * solution[i];
        solution[row] = left / rows[row * width + row];
    }
}

/* V^pi, the solution of (I - gamma P) V = r for the transitions and rewards of pi. */
static void policy_value(const Task *task, const int *pi, double *V)
{
    int S = task->S;
    double *rows = malloc((size_t)S * (size_t)(S + 1) * sizeof(double));
    if (rows == NULL) fail("out of memory");
    for (int s = 0; s < S; s++) {
        const double *weights = next_state(task, s, pi[s]);
        for (int x = 0; x < S; x++) rows[s * (S + 1) + x] = (s == x) - task->gamma * weights[x];
        rows[s * (S + 1) + S] = mean(reward(task, s, pi[s]), task->u, task->U);
    }
    solve(rows, S, V);
    free(rows);
}

static double action_value(const Task *task, int s, int a, const double *V)
{
    double now = mean(reward(task, s, a), task->u, task->U);
    return now + task->gamma * mean(next_state(task, s, a), V, task->S);
}

/* V* and an optimal policy, by policy iteration. */
static void optimal(const Task *task, double *V, int *pi)
{
    int changed = 1;
    memset(pi, 0, (size_t)task->S * sizeof(int));
    policy_value(task, pi, V);
    /* Far more rounds than are ever needed, in case rounding goes in circles. */
    for (int round = 0; changed && round < 1000; round++) {
        changed = 0;
        for (int s = 0; s < task->S; s++) {
            int best = pi[s];
            double most = action_value(task, s, best, V) + 1e-13 / (1 - task->gamma);
            for (int a = 0; a < task->A; a++) {
                double Q = action_value(task, s, a, V);
                if (Q > most) {
                    best = a;
                    most = Q;
                }
            }
            changed |= best != pi[s];
            pi[s] = best;
        }
        policy_value(task, pi, V);
    }
}

/* ---- Lemma 3: confidence widths, infinite up to one sample ---- */

typedef struct {
    double r, p, sigma_r, sigma_p;
} Errors;

static Errors read_errors(const Json *request)
{
    const Json *object = get(request, "errors");
    Errors errors = {number(object, "r"), number(object, "p"), number(object, "sigma_r"),
                     number(object, "sigma_p")};
    return errors;
}

/* Delta, the largest of the four. */
static double largest_error(Errors errors)
{
    return fmax(fmax(errors.r, errors.p), fmax(errors.sigma_r, errors.sigma_p));
}

/* log(factor S A n (|Theta| + 1) / delta), with factor 8 for means and 4 for deviations. */
static double log_term(int factor, int S, int A, double n, int k, double delta)
{
    return log(factor * (double)S * A * n * (k + 1) / delta);
}

/* C^r (span 1) and C^p (span 1/(1-gamma)). */
static double mean_width(double N, double sigma, double span, double log_8, double error)
{
    if (N <= 1) return INFINITY;
    return sigma * sqrt(2 * log_8 / N) + 7 * log_8 * span / (3 * (N - 1)) + error;
}

/* C^{sigma_r} (span 1) and C^{sigma_p} (span 1/(1-gamma)). */
static double deviation_width(double N, double span, double log_4, double error)
{
    return N <= 1 ? INFINITY : span * sqrt(2 * log_4 / (N - 1)) + error;
}

/* ---- Definition 1 and lines 16-18: information and the next query ---- */

/* What Algorithm 1 needs to know about one given model. */
typedef struct {
    Task task;
    double *r, *sigma_r; /* [s][a] */
    double *V;
    int *pi;
} Model;

static Model *read_models(const Json *request, int *k)
{
    const Json *list = get(request, "models"), *entry = list->first;
    Model *models = allocate((size_t)list->count * sizeof(Model));
    *k = list->count;
    for (Model *model = models; entry != NULL; entry = entry->next, model++) {
        model->task = read_task(entry, number(request, "gamma"));
        int S = model->task.S, A = model->task.A, U = model->task.U;
        model->r = doubles(S * A);
        model->sigma_r = doubles(S * A);
        for (int pair = 0; pair < S * A; pair++) {
            model->r[pair] = mean(model->task.q + pair * U, model->task.u, U);
            model->sigma_r[pair] = deviation(model->task.q + pair * U, model->task.u, U);
        }
        model->V = doubles(S);
        model->pi = integers(S);
        optimal(&model->task, model->V, model->pi);
    }
    return models;
}

/* (x / sigma)^2; 0 where x is 0, infinite where only sigma is. */
static double squared_ratio(double x, double sigma)
{
    if (x == 0) return 0;
    return sigma > 0 ? (x / sigma) * (x / sigma) : INFINITY;
}

/* I_{s,a}(one, other), with the values and deviations of the first model. */
static double information(const Model *one, const Model *other, int s, int a, double Delta)
{
    int S = one->task.S, pair = s * one->task.A + a;
    const double *here = next_state(&one->task, s, a), *there = next_state(&other->task, s, a);
    double x_r = fmax(fabs(one->r[pair] - other->r[pair]) - 8 * Delta, 0);
    double x_p = fmax(fabs(mean(here, one->V, S) - mean(there, one->V, S)) - 8 * Delta, 0);
    double I_r = fmin(squared_ratio(x_r, one->sigma_r[pair]), x_r);
    double of_p = squared_ratio(x_p, deviation(here, one->V, S));
    return fmax(I_r, fmin(of_p, (1 - one->task.gamma) * x_p));
}

/* Lines 16-18: the pair with the largest information over active models; ties to the first. */
static void largest_index(const Model *models, const int *active, int count, double Delta, int *s,
                          int *a)
{
    int S = models->task.S, A = models->task.A;
    double most = -1;
    for (int pair = 0; pair < S * A; pair++)
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++) {
                const Model *one = models + active[i], *other = models + active[j];
                double I = information(one, other, pair / A, pair % A, Delta);
                if (I > most) {
                    most = I;
                    *s = pair / A;
                    *a = pair % A;
                }
            }
}

/* ---- Algorithm 1 ---- */

/* Lines 7-10 for one pair: count, mean and squares of rewards; counts of next states. */
typedef struct {
    double N, centre, squares;
    double *successors;
} Statistics;

/* Line 20; mean and sum of squares are updated as rewards arrive. */
static void add(Statistics *data, double reward, int successor)
{
    double off = reward - data->centre;
    data->N += 1;
    data->centre += off / data->N;
    data->squares += off * (reward - data->centre);
    data->successors[successor] += 1;
}

/* Whether a model passes equations (1)-(4) at one pair, with the values of all models. */
static int fits(const Model *models, int k, int theta, const Statistics *data, int s, int a,
                Errors errors, double log_8, double log_4)
{
    const Model *model = models + theta;
    const double *weights = next_state(&model->task, s, a);
    int S = model->task.S, pair = s * model->task.A + a;
    double N = data->N, span = 1 / (1 - model->task.gamma);
    if (N <= 1) return 1;
    double sigma = sqrt(data->squares / (N - 1));
    double off = fabs(data->centre - model->r[pair]);
    if (off > mean_width(N, sigma, 1, log_8, errors.r)) return 0; /* equation (1) */
    off = fabs(sigma - model->sigma_r[pair]);
    if (off > deviation_width(N, 1, log_4, errors.sigma_r)) return 0; /* equation (3) */
    for (int prime = 0; prime < k; prime++) {
        const double *V = models[prime].V;
        double centre = mean(data->successors, V, S) / N, squares = 0;
        for (int x = 0; x < S; x++)
            squares += data->successors[x] * (V[x] - centre) * (V[x] - centre);
        sigma = sqrt(squares / (N - 1));
        off = fabs(centre - mean(weights, V, S));
        if (off > mean_width(N, sigma, span, log_8, errors.p)) return 0; /* equation (2) */
        off = fabs(sigma - deviation(weights, V, S));
        if (off > deviation_width(N, span, log_4, errors.sigma_p)) return 0; /* equation (4) */
    }
    return 1;
}

/* Line 14: whether the policy of a model loses at most the slack in another one. */
static int loses_little(const Model *inside, const Model *of, double slack)
{
    double *reached = doubles(inside->task.S);
    policy_value(&inside->task, of->pi, reached);
    for (int s = 0; s < inside->task.S; s++)
        if (inside->V[s] - reached[s] > slack) return 0;
    return 1;
}

typedef struct {
    const char *end;
    const int *policy; /* NULL where there is none */
    int *iterations, *eliminated, eliminations;
} Result;

static void ask_for_sample(const char *id, int s, int a, Statistics *data)
{
    printf("{\"type\":\"query\",\"id\":\"%s\",\"s\":%d,\"a\":%d}", id, s, a);
    end_of_line();
    const Json *sample = receive();
    if (sample == NULL) exit(0);
    add(data, number(sample, "reward"), integer(sample, "successor"));
}

/* Lines 2-22 without the fallback: there is no policy where the paper falls back. */
static Result ptum(const Json *request, const char *id)
{
    int k, S, A, count, s = 0, a = 0;
    Model *models = read_models(request, &k);
    Errors errors = read_errors(request);
    double gamma = number(request, "gamma"), epsilon = number(request, "epsilon");
    double delta = number(request, "delta"), n = number(request, "n");
    double Delta = largest_error(errors);
    Result result = {"budget-exhausted", NULL, integers(k), integers(k), 0};
    /* Line 2, repaired; the paper prints Delta < epsilon (1-gamma) / (4 (1+gamma)). */
    if (Delta > epsilon * (1 - gamma) / (18 * (1 + gamma))) {
        result.end = "models-too-inaccurate";
        return result;
    }
    S = models->task.S;
    A = models->task.A;
    count = k;
    double slack = epsilon - 2 * Delta * (1 + gamma) / (1 - gamma);
    double log_8 = log_term(8, S, A, n, k, delta), log_4 = log_term(4, S, A, n, k, delta);
    int *little = integers(k * k), *active = integers(k), news = 1;
    for (int i = 0; i < k; i++) {
        active[i] = i;
        for (int j = 0; j < k; j++) little[i * k + j] = loses_little(models + j, models + i, slack);
    }
    Statistics *data = allocate((size_t)(S * A) * sizeof(Statistics));
    for (int pair = 0; pair < S * A; pair++) data[pair].successors = doubles(S);
    for (int t = 1; t <= n; t++) {
        /* Line 12. Only the pair sampled last has new numbers, and a model that passed the tests
         * of the other pairs before passes them still. */
        int left = 0;
        for (int i = 0; i < count; i++) {
            int theta = active[i];
            const Statistics *of = data + s * A + a;
            if (t == 1 || fits(models, k, theta, of, s, a, errors, log_8, log_4)) {
                active[left++] = theta;
            } else {
                result.iterations[result.eliminations] = t;
                result.eliminated[result.eliminations++] = theta;
            }
        }
        news |= left < count;
        count = left;
        if (count == 0) {
            result.end = "active-set-empty";
            return result;
        }
        /* Lines 14 and 16-18 depend on the active set alone. */
        for (int i = 0; news && i < count; i++) {
            int good = 1;
            for (int j = 0; j < count; j++) good &= little[active[i] * k + active[j]];
            if (good) {
                result.end = "stopped";
                result.policy = models[active[i]].pi;
                return result;
            }
        }
        if (news) largest_index(models, active, count, Delta, &s, &a);
        news = 0;
        ask_for_sample(id, s, a, data + s * A + a); /* lines 19-20 */
    }
    return result;
}

/* ---- Answers, capability by capability ---- */

static void answer_optimal(const Json *request, const char *id)
{
    Task task = read_task(request, number(request, "gamma"));
    double *V = doubles(task.S);
    int *pi = integers(task.S);
    optimal(&task, V, pi);
    begin_answer(id);
    printf("\"V\":");
    put_table(V, 1, &task.S);
    printf(",\"pi\":");
    put_integers(pi, task.S);
    end_answer();
}

static void answer_policy_value(const Json *request, const char *id)
{
    Task task = read_task(request, number(request, "gamma"));
    double *V = doubles(task.S);
    policy_value(&task, list_of_integers(get(request, "pi")), V);
    begin_answer(id);
    printf("\"V\":");
    put_table(V, 1, &task.S);
    end_answer();
}

static void answer_widths(const Json *request, const char *id)
{
    const Json *counts = get(request, "N");
    int S = counts->count, A = counts->first->count, k = integer(request, "k");
    double *N = table(request, "N", S * A), *sigma_r = table(request, "sigma_r", S * A);
    double *sigma_p = table(request, "sigma_p", S * A * k);
    double *C_r = doubles(S * A), *C_p = doubles(S * A * k);
    double *C_sigma_r = doubles(S * A), *C_sigma_p = doubles(S * A);
    Errors errors = read_errors(request);
    double n = number(request, "n"), delta = number(request, "delta");
    double span = 1 / (1 - number(request, "gamma"));
    double log_8 = log_term(8, S, A, n, k, delta), log_4 = log_term(4, S, A, n, k, delta);
    int sides[] = {S, A, k};
    for (int i = 0; i < S * A; i++) {
        C_r[i] = mean_width(N[i], sigma_r[i], 1, log_8, errors.r);
        C_sigma_r[i] = deviation_width(N[i], 1, log_4, errors.sigma_r);
        C_sigma_p[i] = deviation_width(N[i], span, log_4, errors.sigma_p);
        for (int j = i * k; j < (i + 1) * k; j++)
            C_p[j] = mean_width(N[i], sigma_p[j], span, log_8, errors.p);
    }
    begin_answer(id);
    printf("\"C_r\":");
    put_table(C_r, 2, sides);
    printf(",\"C_p\":");
    put_table(C_p, 3, sides);
    printf(",\"C_sigma_r\":");
    put_table(C_sigma_r, 2, sides);
    printf(",\"C_sigma_p\":");
    put_table(C_sigma_p, 2, sides);
    end_answer();
}

static void answer_information(const Json *request, const char *id)
{
    int k;
    Model *models = read_models(request, &k);
    double Delta = largest_error(read_errors(request));
    int S = models->task.S, A = models->task.A, sides[] = {k, k, S, A};
    double *I = doubles(k * k * S * A), *place = I;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            for (int pair = 0; pair < S * A; pair++)
                *place++ = information(models + i, models + j, pair / A, pair % A, Delta);
    begin_answer(id);
    printf("\"I\":");
    put_table(I, 4, sides);
    end_answer();
}

static void answer_next_query(const Json *request, const char *id)
{
    int k, s = 0, a = 0;
    Model *models = read_models(request, &k);
    const Json *active = get(request, "active");
    double Delta = largest_error(read_errors(request));
    largest_index(models, list_of_integers(active), active->count, Delta, &s, &a);
    begin_answer(id);
    printf("\"s\":%d,\"a\":%d", s, a);
    end_answer();
}

static void answer_ptum(const Json *request, const char *id)
{
    Result result = ptum(request, id);
    begin_answer(id);
    printf("\"policy\":");
    if (result.policy == NULL) printf("null");
    else put_integers(result.policy, get(get(request, "models")->first, "p")->count);
    printf(",\"end\":\"%s\",\"eliminations\":[", result.end);
    for (int i = 0; i < result.eliminations; i++)
        printf("%s{\"t\":%d,\"theta\":%d}", i > 0 ? "," : "", result.iterations[i], result.eliminated[i]);
    putchar(']');
    end_answer();
}

static const struct {
    const char *name;
    void (*answer)(const Json *request, const char *id);
} CAPABILITIES[] = {
    {"optimal", answer_optimal},         {"policy_value", answer_policy_value},
    {"widths", answer_widths},           {"information", answer_information},
    {"next_query", answer_next_query},   {"ptum", answer_ptum},
};

enum { KNOWN = sizeof CAPABILITIES / sizeof *CAPABILITIES };

/* ---- The conversation ---- */

static void introduce(void)
{
    printf("{\"type\":\"ready\",\"protocol\":\"ptum-stdio/1\",\"name\":\"c example\","
           "\"version\":\"1\",\"language\":\"C\",\"capabilities\":[");
    for (int i = 0; i < KNOWN; i++) printf("%s\"%s\"", i > 0 ? "," : "", CAPABILITIES[i].name);
    printf("]}");
    end_of_line();
}

static void answer(const Json *message)
{
    const char *id = text(message, "id"), *capability = text(message, "capability");
    for (int i = 0; i < KNOWN; i++)
        if (strcmp(capability, CAPABILITIES[i].name) == 0) {
            CAPABILITIES[i].answer(get(message, "input"), id);
            return;
        }
    printf("{\"type\":\"failure\",\"id\":\"%s\",\"message\":\"not implemented\"}", id);
    end_of_line();
}

int main(void)
{
    const Json *message;
    while ((message = receive()) != NULL && strcmp(text(message, "type"), "stop") != 0) {
        if (strcmp(text(message, "type"), "start") == 0) introduce();
        else answer(message);
        release_all();
    }
    release_all();
    return 0;
}
