"""The `ptum` command.

Only `click` is imported here; every command imports what it needs when it is called, so that
`ptum --help` answers at once. Nothing in `checks` may import it.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ptum.checks.cli.output import signals
from ptum.checks.cli.output.formatting import (
    EXIT_CRASHED,
    EXIT_CUT_SHORT,
    EXIT_READER_GONE,
    EXIT_USAGE,
    TIMES,
    Refusal,
)
from ptum.checks.cli.output.sigpipe import (
    Commands,
    ReaderGoneError,
    nobody_reads,
    read_to_the_end,
    replace_letters,
)

if TYPE_CHECKING:
    from ptum.checks.cli.judge.validation import ValidateOptions

HELP = {"help_option_names": ["-h", "--help"]}
PROFILES = f"Amount of work, quick (default), standard or deep: {TIMES}."


@click.group(cls=Commands, context_settings=HELP)
@click.version_option(package_name="ptum", prog_name="ptum")
def cli() -> None:
    """The paper's claims, whether they are true, and how we know.

    The paper is Tirinzoni, Poiani, Restelli, "Sequential Transfer in Reinforcement Learning with a
    Generative Model" (ICML 2020). Start with

    \b
      ptum claims                 what the paper says, item by item, and its status
      ptum show lemma-7           one item: statement, formula, what it rests on, repair
      ptum verify                 run the checks and compare with the ledger
      ptum reproduce all          run the experiments of the paper again
      ptum report site            all of it as pages for a browser
      ptum validate my:subject    judge your own implementation

    Every command has an example in its --help. Exit codes: 0 all is as expected, 1 a verdict is
    not, 2 wrong usage, 3 work cut short, 70 an error in ptum itself (docs/commands.md).
    """


@cli.command(context_settings=HELP, short_help="List what the paper says, part by part.")
@click.option("--kind", metavar="K", help="Only this kind of record, e.g. lemma, text, erratum.")
@click.option(
    "--status", metavar="S", help="Only records with a part of this status, e.g. refuted."
)
@click.option("--rank", metavar="R", help="Only errata of this rank: major, minor or remark.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON (schema: `ptum schema claims`).")
def claims(kind: str | None, status: str | None, rank: str | None, as_json: bool) -> None:
    """List the ledger: one line for every part of every item of the paper.

    Without --kind the paper's own items are listed; `--kind decision` lists what the paper leaves
    open and `--kind erratum` what it gets wrong: majors first, group by group, and last the errata
    that we withdrew. `ptum show` with the id of a group explains it.

    \b
    Examples:
      ptum claims --status refuted
      ptum claims --kind decision
      ptum claims --kind erratum --rank major
    """
    from ptum.checks.cli.claims import print_claims

    print_claims(kind, status, rank, as_json=as_json)


@cli.command(context_settings=HELP, short_help="Show one record in full.")
@click.argument("identity", required=False, metavar="ID")
@click.option("--latex", is_flag=True, help="Formulas in LaTeX instead of Unicode.")
@click.option("--run", "run_it", is_flag=True, help="Evaluate the counterexamples behind it.")
@click.option(
    "--json",
    "report",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    help="As JSON, to FILE or to stdout (schemas: record; show with --run).",
)
def show(identity: str | None, latex: bool, run_it: bool, report: str | None) -> None:
    """Everything about one record: a claim, one part of it, a decision, an erratum or a group.

    ID may be written as people write it: lemma-7, lemma7, "Lemma 7", "thm 1 bound", or words that
    one id or title alone has. A group of errata says what they have in common; `ptum claims --kind
    erratum` has its id.

    --run prints the counterexamples behind an erratum or a claim: the numbers of each instance,
    every premise and the conclusion of the printed wording, and what the repair says on it.

    The words in front of the lines: `understood` is the reading of an ambiguous claim that is
    refuted, `margin` how far the two sides of the conclusion are apart, `right side` that of the
    formula with these numbers, `fixed` the same with the one number put right that breaks the
    claim, `on it` what the repaired claim says on this instance, `in scope` an instance inside the
    repaired premise, on which it holds.

    \b
    Examples:
      ptum show "Theorem 1"
      ptum show theorem-1.bound
      ptum show E01 --json
      ptum show definition-1 --latex
      ptum show E01 --run
    """
    from ptum.checks.cli.show import print_record, print_record_json

    if identity is None:
        raise click.UsageError(f"Missing argument 'ID'{_eaten(report)}")
    if latex and report is not None:
        raise click.UsageError("--latex is for reading; JSON names formulas: leave one out")
    if run_it:
        from ptum.checks.cli.walkthrough import run_counterexamples

        raise SystemExit(run_counterexamples(identity, report, latex=latex))
    if report is not None:
        return print_record_json(identity, report)
    return print_record(identity, latex=latex)


@cli.command(context_settings=HELP, short_help="Print what rests on what.")
@click.option("--format", "form", default="dot", metavar="F", help="dot (default) or mermaid.")
def graph(form: str) -> None:
    """What rests on what: an arrow from every claim to each claim that needs it.

    `dot -Tsvg` draws the first form, a Markdown page the second.

    \b
    Examples:
      ptum graph
      ptum graph --format mermaid
    """
    from ptum.checks.cli.claims import print_graph

    print_graph(form)


@cli.command(context_settings=HELP, short_help="Print the JSON Schema of an output.")
@click.argument("name", required=False, metavar="[NAME]")
def schema(name: str | None) -> None:
    """The JSON Schema of an output or a message; without a name, the list of all of them.

    \b
    Examples:
      ptum schema
      ptum schema verify
    """
    from ptum.checks.cli.schemas import print_schema, print_schemas

    if name is None:
        print_schemas()
    else:
        print_schema(name)


@cli.command(context_settings=HELP, short_help="Print what the kernel checks.")
@click.argument("identity", required=False, metavar="[ID]")
@click.option("--build", is_flag=True, help="Rebuild all certificates (a checkout only).")
def certificate(identity: str | None, build: bool) -> None:
    """The certificate of an erratum: an instance in fractions on which the printed claim fails.

    ID is an erratum or one of its counterexamples. Without it the counterexamples of all majors and
    minors are listed, each with its certificate or with what the kernel lacks to have one. Anyone
    can check a certificate with 500 lines of Python and no package (docs/kernel.md):

    \b
    Examples:
      ptum certificate
      ptum certificate E02
    """
    from ptum.checks.cli.certificate import build as build_all
    from ptum.checks.cli.certificate import print_certificate, print_list

    if build and identity is not None:
        raise click.UsageError("--build writes all of them: leave out the ID")
    if build:
        build_all()
    elif identity is None:
        print_list()
    else:
        print_certificate(identity)


@cli.command(context_settings=HELP, short_help="Check claims and compare with the ledger.")
@click.option(
    "--claim", "claims_", multiple=True, metavar="ID", help="Only checks of this claim or erratum."
)
@click.option("--part", "parts", multiple=True, metavar="P", help="Only checks of this part.")
@click.option("--check", "checks_", multiple=True, metavar="ID", help="Only this check.")
@click.option(
    "--version", default="all", metavar="V", help="printed, as-run, repaired or all (default)."
)
@click.option("--profile", default="quick", metavar="P", help=PROFILES)
@click.option("--seed", default=0, show_default=True, metavar="N", help="Seed of all randomness.")
@click.option("--jobs", default=1, show_default=True, metavar="N", help="Processes to use.")
@click.option("--scheduler", metavar="ADDRESS", help="Use the workers of a dask cluster instead.")
@click.option(
    "--seconds", type=float, metavar="N", help="Start no check after N seconds; else no limit."
)
@click.option("--fail-fast", is_flag=True, help="Stop at the first unexpected verdict.")
@click.option("--keep", metavar="FILE", help="Keep finished checks in FILE; call again to go on.")
@click.option("--family", metavar="M:S", help="Draw instances from strategy S of module M.")
@click.option("--verbose", "-v", is_flag=True, help="Print every verdict, also of many checks.")
@click.option("--json", "report", metavar="FILE", help="Write the report to FILE (- for stdout).")
@click.option("--html", metavar="DIR", help="Write the site with these results (`ptum report`).")
@click.option("--list", "only_list", is_flag=True, help="List the checks without running them.")
@click.option(
    "--power", "only_power", is_flag=True, help="What random trials would see; runs none."
)
def verify(
    claims_: tuple[str, ...],
    parts: tuple[str, ...],
    checks_: tuple[str, ...],
    version: str,
    profile: str,
    seed: int,
    jobs: int,
    scheduler: str | None,
    seconds: float | None,
    fail_fast: bool,
    keep: str | None,
    family: str | None,
    verbose: bool,
    report: str | None,
    html: str | None,
    only_list: bool,
    only_power: bool,
) -> None:
    """Run checks and compare every verdict with the one the ledger expects.

    All checks are run unless --claim, --part or --check name some; each can be given several times.
    The checks of an erratum are its counterexamples and all of the parts that it repairs. At most
    12 checks are printed row by row. Of more, the end says what is unexpected, which numbered items
    are refuted or vacuous, by which errata, and whether they hold repaired; --verbose and --json
    have every row.

    A refuted part is as expected when its check says `violated`; a repair must hold. The same seed
    and profile give the same verdicts, whichever checks are selected and however many processes
    run them. What --seconds or Ctrl-C cuts off counts as inconclusive (exit code 3); with --keep
    FILE the same command goes on from there: what is kept there with the same code is not run
    again, and a FILE of other packages, profile or seed is refused. --family runs the checks that
    can on task sets of your own (docs/families.md).
    --scheduler runs them on many machines (docs/commands.md): install ptum[distributed] there,
    start `dask scheduler` on one and `dask worker ADDRESS --nthreads 1` once for every core.

    --power answers how bad a claim must be for the profile to notice. For each check with random
    trials it prints delta, the trials on a named instance, and the least failure probability there
    that is `violated` with probability 0.9; and for a search how rare the bad instances of a family
    may be, if these fail with probability 0.9. It is exact arithmetic: nothing is run. A longer
    --profile sees more.

    \b
    Examples:
      ptum verify
      ptum verify --claim "Lemma 15" --profile standard
      ptum verify --claim E04
      ptum verify --jobs 2 --json report.json
      ptum verify --profile deep --jobs 2 --keep deep.jsonl
      ptum verify --profile deep --scheduler tcp://127.0.0.1:8786
      ptum verify --list --claim lemma-7 --json list.json
      ptum verify --power --profile standard
    """
    one_thread_per_process()
    with signals.remembered() as wish:
        from ptum.checks.cli.verify import Selection, VerifyOptions, list_checks, run_verify

        chosen = Selection(
            claims=claims_, parts=parts, checks=checks_, version=version, family=family
        )
        if html is not None and (only_list or only_power):
            raise click.UsageError("--html shows what a run saw: leave out --list and --power")
        if keep is not None and (only_list or only_power or family is not None):
            raise click.UsageError(
                "--keep is for runs with our own families: leave out --family, --list and --power"
            )
        if only_list:
            return list_checks(chosen, report)
        if only_power:
            from ptum.checks.cli.power import print_power

            return print_power(chosen, profile, report)
        effort = VerifyOptions(
            profile=profile,
            seed=seed,
            jobs=jobs,
            scheduler=scheduler,
            seconds=seconds,
            fail_fast=fail_fast,
            keep=keep,
        )
        code = _sited(
            html, report, lambda file: run_verify(chosen, effort, file, wish, verbose=verbose)
        )
    raise SystemExit(code)


@cli.command(context_settings=HELP, short_help="Run the paper's experiments again.")
@click.argument("panels", nargs=-1, metavar="[PANEL...|all]")
@click.option("--runs", default=100, show_default=True, metavar="N", help="Runs of a panel.")
@click.option("--seed", default=0, show_default=True, metavar="N", help="Seed of all randomness.")
@click.option("--jobs", default=1, show_default=True, metavar="N", help="Processes to use.")
@click.option("--scheduler", metavar="ADDRESS", help="Use the workers of a dask cluster instead.")
@click.option(
    "--out", default="reproduction", show_default=True, metavar="DIR", help="Where results go."
)
@click.option(
    "--choice",
    "choices",
    multiple=True,
    metavar="D=OPTION",
    help="Add an alternative, e.g. D69=one-goal (repeatable; all adds every one).",
)
@click.option("--html", metavar="DIR", help="Write the site with these results (`ptum report`).")
@click.option("--list", "only_list", is_flag=True, help="List panels, choices and tests.")
def reproduce(
    panels: tuple[str, ...],
    runs: int,
    seed: int,
    jobs: int,
    scheduler: str | None,
    out: str,
    choices: tuple[str, ...],
    html: str | None,
    only_list: bool,
) -> None:
    """Run panels of the paper's figures again, and say what comes out of each sentence about them.

    Every point that the paper leaves open is settled by a choice that was declared before the first
    full run; --list shows them, `ptum show D69` explains one. --choice runs an alternative beside
    the default, 20 times at most. A finding is `shown`, `contradicted`, `undecided` or
    `not-defined`, by a test that was declared as well, or `described`: a number of ours that the
    paper does not speak of. The probability that any finding of any panel is wrong is at most 0.01.
    Of a sentence that says never, `shown` means: in fewer than 10 % of runs. Few runs leave most of
    them undecided.

    Written are PANEL.json (`ptum schema panel`), PANEL.svg and PANEL.png, and the finished units.
    In the pictures repaired algorithms are dashed. Ctrl-C keeps what is finished, and the same
    command continues. Results do not depend on --jobs or --scheduler (docs/commands.md). Files of
    another version, seed or number of runs are refused and left as they are.

    Exit codes: 0 done, 1 a run failed, 2 wrong usage, 3 interrupted.

    \b
    Examples:
      ptum reproduce --list
      ptum reproduce figure-3-left --runs 3
      ptum reproduce all --jobs 2 --out results
      ptum reproduce figure-1-left --choice D69=one-goal
    """
    one_thread_per_process()
    from ptum.checks.cli.reproduce import ReproduceOptions, list_panels, run_reproduce

    if only_list:
        return list_panels()
    options = ReproduceOptions(panels, runs, seed, jobs, scheduler, out, choices)
    if html is None:
        raise SystemExit(run_reproduce(options))
    from ptum.checks.cli.report import require_panels, write_site

    require_panels(html)
    code = run_reproduce(options)
    raise SystemExit(code or write_site(html, options.files))


@cli.command(context_settings=HELP, short_help="Write everything as pages for a browser.")
@click.argument("folder", metavar="DIR")
@click.option(
    "--from", "files", multiple=True, metavar="FILE", help="Show what a run saw (repeatable)."
)
def report(folder: str, files: tuple[str, ...]) -> None:
    """Write a site into DIR: items, errata, figures, theory, code and the corrected paper.

    It needs no network and opens from disk: DIR/index.html. Nothing is run: verdicts are those that
    the ledger expects, figures and looseness those of this release. --from shows what a run saw
    beside them: a report of `ptum verify --json` or of `ptum validate --json`, or a PANEL.json of
    `ptum reproduce` with the picture beside it. --html DIR of these three commands does both at
    once. A site that is in DIR already is replaced; a folder with anything else in it is refused.

    \b
    Examples:
      ptum report site
      ptum report site --from report.json
    """
    one_thread_per_process()
    from ptum.checks.cli.report import write_site

    raise SystemExit(write_site(folder, files))


@cli.command(context_settings=HELP, short_help="Read reports again, and compare two.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format", "form", default="table", metavar="F", help="table (default), junit or markdown."
)
def summary(files: tuple[str, ...], form: str) -> None:
    """Print the results of reports of `verify` or of `validate`; two reports are also compared.

    Every report is headed by its profile, its seed, a bound on the probability of any false
    verdict, and whether it was cut short. The exit code is the one with which the reports were
    written, 1 before 3 before 0; two reports with nothing in common are refused (2).

    \b
    Examples:
      ptum summary report.json
      ptum summary before.json after.json
      ptum summary report.json --format junit
    """
    from ptum.checks.cli.summary import print_summary

    raise SystemExit(print_summary(files, form))


@cli.command(context_settings=HELP, short_help="Run the checks of a report again.")
@click.argument("file", metavar="FILE")
@click.option("--check", "checks_", multiple=True, metavar="ID", help="Only this check.")
def replay(file: str, checks_: tuple[str, ...]) -> None:
    """Run the checks of a report again, with its seed and profile, and compare the verdicts.

    All of them unless --check names some; it can be given several times.

    \b
    Example:
      ptum replay report.json --check lemma-7.positive/bandit
    """
    one_thread_per_process()
    with signals.remembered() as wish:
        from ptum.checks.cli.replay import run_again

        code = run_again(file, checks_, wish)
    raise SystemExit(code)


@cli.command(context_settings=HELP, short_help="Judge somebody's implementation.")
@click.argument("subject", required=False, metavar="[MODULE:OBJECT]")
@click.option("--command", metavar="CMD", help="Judge a program that speaks the protocol.")
@click.option("--transcript", metavar="FILE", help="Judge a recorded run or a saved exchange.")
@click.option("--slips", is_flag=True, help="Show that the judge catches known mistakes.")
@click.option("--known-bad", is_flag=True, hidden=True)
@click.option(
    "--seeds",
    type=int,
    metavar="N",
    help="With --slips: judge conforming code with N seeds (1 unless given).",
)
@click.option("--check-protocol", is_flag=True, help="With --command: look at messages only.")
@click.option(
    "--example", nargs=2, metavar="LANG DIR", help="Write a harness: python, javascript or c."
)
@click.option(
    "--capability", "only", multiple=True, metavar="NAME", help="Ask only for this (repeatable)."
)
@click.option(
    "--case", "cases", multiple=True, metavar="ID", help="Ask only this case (repeatable)."
)
@click.option("--seed", default=0, show_default=True, metavar="N", help="Seed of drawn cases.")
@click.option(
    "--timeout", default=10.0, show_default=True, metavar="S", help="Seconds per message."
)
@click.option(
    "--memory",
    default=2048,
    show_default=True,
    metavar="MIB",
    help="MiB of memory for the subject and its child processes (Linux).",
)
@click.option(
    "--privileges",
    is_flag=True,
    help="For ordinary users: let the subject use sudo, podman and the like (Linux).",
)
@click.option("--save", metavar="FILE", help="Keep the whole exchange (JSON lines).")
@click.option(
    "--expect",
    metavar="FILE",
    help="Known deviations with reasons (TOML, ptum schema expect): exit 0 if exactly they occur.",
)
@click.option(
    "--json",
    "report",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    help="Write the report to FILE (stdout without one).",
)
@click.option("--html", metavar="DIR", help="Write the site with these results (`ptum report`).")
def validate(
    subject: str | None,
    command: str | None,
    transcript: str | None,
    slips: bool,
    known_bad: bool,
    seeds: int | None,
    check_protocol: bool,
    example: tuple[str, str] | None,
    only: tuple[str, ...],
    cases: tuple[str, ...],
    seed: int,
    timeout: float,
    memory: int,
    privileges: bool,
    save: str | None,
    expect: str | None,
    report: str | None,
    html: str | None,
) -> None:
    """Does an implementation conform, and if not, which line of the paper does it break?

    A subject is a Python object with some of the documented methods (plain arrays and numbers in
    and out, nothing of ours to import), a program that speaks JSON lines on standard input and
    output, or a recorded run. What it does not implement is not held against it. Where the paper
    leaves a choice open every admissible one conforms, and the report says which was seen.

    Objects and programs run in processes of their own, within limits of time, memory and output
    that docs/protocol.md lists; what goes beyond them is errored, and the rest is still judged.

    --slips takes about four minutes; with --capability it looks at those named alone.

    With --expect FILE known deviations are as expected, and one that no longer occurs is not.

    Exit codes: 0 nothing deviates or errs, or exactly what --expect lists does, 1 otherwise,
    2 wrong usage (a command that cannot be started, too), 3 interrupted, 70 an error in ptum.

    \b
    Examples:
      ptum validate my_package.adapter:subject
      ptum validate --command "./my_ptum --stdio" --json report.json
      ptum validate --command "./my_ptum --stdio" --check-protocol
      ptum validate --transcript run.jsonl
      ptum validate --example python here
      ptum validate --slips
    """
    one_thread_per_process()
    slips = slips or known_bad
    _require_one_way([subject, command, transcript, example, slips or None], report)
    if seeds is not None and not slips:
        raise click.UsageError("--seeds goes with --slips; one seed is chosen with --seed")
    if check_protocol and command is None:
        raise click.UsageError("--check-protocol goes with --command")
    _require_heard(
        {
            "--slips": slips,
            "--example": example is not None,
            "--check-protocol": check_protocol,
            "--transcript": transcript is not None,
        }
    )
    from ptum.checks.cli.judge import harness, self_test, validation

    def options_of(target: str | None) -> ValidateOptions:
        return validation.ValidateOptions(
            only, cases, seed, timeout, memory, privileges, target, save, expect
        )

    if slips:
        raise SystemExit(self_test.run_self_test(1 if seeds is None else seeds, report, only))
    if example is not None:
        raise SystemExit(harness.write_example(*example))
    if check_protocol:
        raise SystemExit(harness.check_protocol(str(command), options_of(report)))
    judged = partial(_judged, subject, command, transcript)
    raise SystemExit(_sited(html, report, lambda target: judged(options_of(target))))


def _sited(html: str | None, report: str | None, run: Callable[[str | None], int]) -> int:
    """Run what writes a report, and make a site of it where that is wanted; the exit code."""
    if html is None:
        return run(report)
    from ptum.checks.cli.report import sited

    with sited(html, report) as target:
        return run(target)


def _judged(
    subject: str | None, command: str | None, transcript: str | None, options: ValidateOptions
) -> int:
    """Whichever of the three is given."""
    from ptum.checks.cli.judge import validation

    if command is not None:
        return validation.validate_command(command, options)
    if transcript is not None:
        return validation.validate_transcript(transcript, options)
    return validation.validate_subject(str(subject), options)


def _require_one_way(ways: Sequence[object | None], report: str | None) -> None:
    """Refuse none and several."""
    if sum(way is not None for way in ways) != 1:
        ways_in = "MODULE:OBJECT, --command, --transcript, --example or --slips"
        raise click.UsageError(f"give one of {ways_in}{_eaten(report)}")


def _eaten(report: str | None) -> str:
    """Where something is missing, `--json` without a file may have taken it for one."""
    return f"; --json took {report!r} for its file" if report not in (None, "-") else ""


HEARD = {
    "--slips": ("--seeds", "--capability", "--json"),
    "--example": (),
    "--check-protocol": ("--command", "--capability", "--timeout", "--memory", "--privileges"),
    "--transcript": ("--capability", "--case", "--save", "--json", "--html", "--expect"),
}
"""What these ways to use `validate` listen to; objects and programs hear all but --seeds."""


ALIASES = {"--slips": "--known-bad"}
"""Options of older releases that still work."""


def _require_heard(ways: Mapping[str, bool]) -> None:
    """Refuse options that the way that is taken would not listen to."""
    way = next((way for way, taken in ways.items() if taken), None)
    if way is None:
        return
    context = click.get_current_context()
    stray = [
        option.opts[0]
        for option in context.command.params
        if option.opts[0] not in (way, *HEARD[way], ALIASES.get(way))
        and context.get_parameter_source(str(option.name)) is ParameterSource.COMMANDLINE
    ]
    if stray:
        heard = f"goes with {', '.join(HEARD[way])}" if HEARD[way] else "goes alone"
        raise click.UsageError(
            f"{way} {heard}; other options do not go with it: leave out {', '.join(stray)}"
        )


@cli.group(context_settings=HELP, short_help="Build test vectors.")
def vectors() -> None:
    """Test vectors: exact inputs with correct answers, one file per capability.

    \b
    Example:
      ptum vectors build --folder vectors
    """


@vectors.command(context_settings=HELP, short_help="Rebuild all files.")
@click.option("--folder", metavar="DIR", help="Where to write; checks/vectors by default.")
def build(folder: str | None) -> None:
    """Rebuild all files of test vectors.

    \b
    Example:
      ptum vectors build --folder vectors
    """
    one_thread_per_process()
    from ptum.checks.cli.judge.harness import build_vectors

    raise SystemExit(build_vectors(folder))


def one_thread_per_process() -> None:
    """Keep linear algebra from starting threads; must come before numpy is imported."""
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")


def main(arguments: list[str] | None = None) -> None:
    """Entry point: a refusal is one line on stderr and exit code 2, an interrupt exit code 3.

    Who closes the pipe that is printed to, as `head` does, gets no complaint, and exit code 141. A
    crash is exit code 70, since Python's own would say that a verdict is not as expected.

    Without arguments those of the process are read, and it ends when this is left, so that signals
    have nothing to interrupt any more.
    """
    replace_letters()
    try:
        _main(arguments)
    except ReaderGoneError:
        nobody_reads((1, 2))
        raise SystemExit(EXIT_READER_GONE) from None
    except Exception:
        _crashed()
        raise SystemExit(EXIT_CRASHED) from None
    finally:
        if arguments is None:
            signals.deaf()


def _crashed() -> None:
    """The traceback, and what to do with it."""
    with suppress(OSError):
        traceback.print_exc()
        print("ptum: this is an error in ptum, and no verdict; please report it", file=sys.stderr)


def _main(arguments: list[str] | None) -> None:
    try:
        with signals.terminated_like_interrupted():
            cli.main(arguments, prog_name="ptum", standalone_mode=False)
    except Refusal as refusal:
        _refuse(str(refusal))
    except click.exceptions.NoArgsIsHelpError as help_wanted:
        with read_to_the_end():
            print(help_wanted.format_message())
    except click.UsageError as problem:
        command = problem.ctx.command_path if problem.ctx else "ptum"
        _refuse(f"{problem.format_message()} (see `{command} --help`)")
    except (click.Abort, KeyboardInterrupt):
        print("ptum: interrupted", file=sys.stderr)
        raise SystemExit(EXIT_CUT_SHORT) from None
    except FileNotFoundError:
        if folder_exists():
            raise
        _refuse("the folder that you are in was deleted; change to one that exists")


def folder_exists() -> bool:
    """Whether there is a working folder, without which Hypothesis cannot even be imported."""
    from pathlib import Path

    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def _refuse(message: str) -> None:
    print(f"ptum: {message}", file=sys.stderr)
    raise SystemExit(EXIT_USAGE)
