"""The `ptum` command.

Only `click` is imported here; every command imports what it needs when it is called, so that
`ptum --help` answers at once.
"""

from __future__ import annotations

import os
import sys

import click

from checks.cli.words import EXIT_USAGE, Refusal

HELP = {"help_option_names": ["-h", "--help"]}


@click.group(context_settings=HELP)
@click.version_option(package_name="ptum", prog_name="ptum")
def cli() -> None:
    """The paper's claims, whether they are true, and how we know.

    The paper is Tirinzoni, Poiani, Restelli, "Sequential Transfer in Reinforcement Learning with a
    Generative Model" (ICML 2020). Start with

    \b
      ptum claims                 what the paper says, item by item, and its status
      ptum show lemma-7           one item: statement, formula, what it rests on, repair
      ptum verify                 run the checks and compare with the ledger

    Exit codes: 0 as expected, 1 a verdict differs from the ledger, 2 wrong usage, 3 work cut short.
    """


@cli.command(context_settings=HELP)
@click.option("--kind", metavar="K", help="Only this kind of record, e.g. lemma, text, erratum.")
@click.option("--status", metavar="S", help="Only records with a part of this status.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON (schema: `ptum schema claims`).")
def claims(kind: str | None, status: str | None, as_json: bool) -> None:
    """List the ledger: one line for every part of every item of the paper.

    Without --kind the paper's own items are listed; `--kind decision` lists what the paper leaves
    open and `--kind erratum` what it gets wrong.

    \b
    Examples:
      ptum claims --status refuted
      ptum claims --kind decision
    """
    from checks.cli.claims import print_claims

    print_claims(kind, status, as_json=as_json)


@cli.command(context_settings=HELP)
@click.argument("identity", metavar="ID")
@click.option("--latex", is_flag=True, help="Formulas in LaTeX instead of Unicode.")
@click.option("--run", "run_it", is_flag=True, help="Walk through the counterexamples behind it.")
@click.option("--json", "report", metavar="FILE", help="With --run: save the report to FILE.")
def show(identity: str, latex: bool, run_it: bool, report: str | None) -> None:
    """Everything about one record: a claim, a part of one, a decision or an erratum.

    --run prints, for an erratum or a claim, every premise and the conclusion of the printed wording
    on its counterexamples, with numbers, and then what the repair says on them.

    \b
    Examples:
      ptum show theorem-1
      ptum show definition-1 --latex
      ptum show E01 --run
    """
    from checks.cli.show import print_record

    if report is not None and not run_it:
        raise click.UsageError("--json goes with --run")
    print_record(identity, latex=latex)
    if run_it:
        from checks.cli.walkthrough import walk_through

        print()
        raise SystemExit(walk_through(identity, report))


@cli.command(context_settings=HELP)
@click.option("--format", "form", default="dot", metavar="F", help="dot (default) or mermaid.")
def graph(form: str) -> None:
    """What rests on what: an arrow from every claim to each claim that needs it.

    \b
    Example:
      ptum graph --format dot | dot -Tsvg > claims.svg
    """
    from checks.cli.graph import print_graph

    print_graph(form)


@cli.command(context_settings=HELP)
@click.argument("name", metavar="NAME")
def schema(name: str) -> None:
    """The JSON Schema of an output: claims, verify or transcript."""
    from checks.cli.schemas import print_schema

    print_schema(name)


@cli.command(context_settings=HELP)
@click.option("--claim", "claims_", multiple=True, metavar="ID", help="Only checks of this claim.")
@click.option("--part", "parts", multiple=True, metavar="P", help="Only checks of this part.")
@click.option("--check", "checks_", multiple=True, metavar="ID", help="Only this check.")
@click.option("--version", default="both", metavar="V", help="printed, repaired or both (default).")
@click.option("--profile", default="quick", metavar="P", help="quick (default), standard or deep.")
@click.option("--seed", default=0, show_default=True, metavar="N", help="Seed of all randomness.")
@click.option("--jobs", default=1, show_default=True, metavar="N", help="Processes to use.")
@click.option("--seconds", type=float, metavar="N", help="Start no check after so many seconds.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first verdict nobody expected.")
@click.option("--family", metavar="M:S", help="Draw instances from strategy S of module M.")
@click.option("--json", "report", metavar="FILE", help="Write the report to FILE (- for stdout).")
@click.option("--list", "only_list", is_flag=True, help="List the checks without running them.")
def verify(
    claims_: tuple[str, ...],
    parts: tuple[str, ...],
    checks_: tuple[str, ...],
    version: str,
    profile: str,
    seed: int,
    jobs: int,
    seconds: float | None,
    fail_fast: bool,
    family: str | None,
    report: str | None,
    only_list: bool,
) -> None:
    """Run checks and compare every verdict with the one the ledger expects.

    A refuted part is as expected when its check says `violated`; a repair must hold. The same seed
    and profile give the same verdicts, whichever checks are selected and however many processes
    run them. What --seconds or Ctrl-C cuts off counts as inconclusive (exit code 3). --family runs
    the checks that can on task sets of your own (docs/families.md).

    \b
    Examples:
      ptum verify
      ptum verify --claim lemma-7 --profile standard
      ptum verify --jobs 2 --json report.json
      ptum verify --list
    """
    one_thread_per_process()
    from checks.cli.verify import run_verify

    code = run_verify(
        claims=claims_,
        parts=parts,
        checks=checks_,
        version=version,
        profile=profile,
        seed=seed,
        jobs=jobs,
        seconds=seconds,
        fail_fast=fail_fast,
        family=family,
        report=report,
        only_list=only_list,
    )
    raise SystemExit(code)


@cli.command(context_settings=HELP)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--format", "form", default="table", metavar="F", help="table, junit or markdown.")
def summary(files: tuple[str, ...], form: str) -> None:
    """Print the results of reports; two reports are also compared.

    \b
    Example:
      ptum verify --json now.json; ptum summary before.json now.json
    """
    from checks.cli.summary import print_summary

    raise SystemExit(print_summary(files, form))


@cli.command(context_settings=HELP)
@click.argument("file", metavar="FILE")
@click.option("--check", "checks_", multiple=True, metavar="ID", help="Only this check.")
def replay(file: str, checks_: tuple[str, ...]) -> None:
    """Run the checks of a report again, with its seed and profile, and compare the verdicts.

    \b
    Example:
      ptum replay report.json --check lemma-7.positive/bandit
    """
    one_thread_per_process()
    from checks.cli.summary import replay as run_again

    raise SystemExit(run_again(file, checks_))


def one_thread_per_process() -> None:
    """Keep linear algebra from starting threads; must come before numpy is imported."""
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")


def main(arguments: list[str] | None = None) -> None:
    """Entry point: every refusal is one line on stderr and exit code 2."""
    try:
        cli.main(arguments, prog_name="ptum", standalone_mode=False)
    except Refusal as refusal:
        _refuse(str(refusal))
    except click.exceptions.NoArgsIsHelpError as help_wanted:
        print(help_wanted.format_message())
    except click.UsageError as problem:
        command = problem.ctx.command_path if problem.ctx else "ptum"
        _refuse(f"{problem.format_message()} (see `{command} --help`)")
    except BrokenPipeError:  # the reader of our output, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except click.Abort:
        raise SystemExit(130) from None


def _refuse(message: str) -> None:
    print(f"ptum: {message}", file=sys.stderr)
    raise SystemExit(EXIT_USAGE)
