"""Help for those who write an implementation: messages examined, a harness and vectors written."""

from __future__ import annotations

import shlex
from contextlib import closing
from pathlib import Path

from ptum.checks.cli.judge.validation import NOTHING_ASKED, ValidateOptions
from ptum.checks.cli.output.formatting import (
    EXIT_AS_EXPECTED,
    EXIT_MISMATCH,
    Refusal,
    plural,
    unknown,
)
from ptum.checks.cli.output.progress import Progress
from ptum.checks.judge.capabilities import NAMES
from ptum.checks.judge.examples import COMMANDS, LANGUAGES
from ptum.checks.judge.examples import write_example as copy_example
from ptum.checks.judge.programs.protocol_check import ExaminedStep, NothingSelectedError, repairs
from ptum.checks.judge.programs.protocol_check import check_protocol as protocol_steps
from ptum.checks.judge.results import vectors
from ptum.reference.errors import InputError


def check_protocol(command: str, options: ValidateOptions) -> int:
    """Examine the messages of a program, not its numbers."""
    try:
        steps = protocol_steps(command, options.limits, _show_step, options.capabilities)
    except NothingSelectedError as problem:
        raise Refusal(NOTHING_ASKED) from problem
    wrong = repairs(steps)
    well_formed = "Every message is well formed."
    print(f"\n{plural(wrong, 'thing')} to repair." if wrong else f"\n{well_formed}")
    return EXIT_MISMATCH if wrong else EXIT_AS_EXPECTED


def _show_step(step: ExaminedStep) -> None:
    print(f"{'  ok ' if step.ok else 'WRONG'} {step.text}", flush=True)


def write_example(language: str, directory: str) -> int:
    """Write a harness to start from, and say how it is judged."""
    if language not in LANGUAGES:
        raise unknown("language", language, LANGUAGES)
    try:
        paths = copy_example(language, directory)
    except InputError as problem:
        raise Refusal(str(problem)) from problem
    except OSError as problem:
        raise Refusal(f"cannot write to {directory}: {problem.strerror}") from problem
    print("\n".join(map(str, paths)))
    make = " && make" if any(path.name == "Makefile" for path in paths) else ""
    command = f'--command "{COMMANDS[language]}"'
    print(f"\n  cd {shlex.quote(directory)}{make}")
    print(f"  ptum validate --check-protocol {command}  # its messages")
    print(f"  ptum validate {command}  # the verdict")
    if any(path.name == "adapter.py" for path in paths):
        print("  ptum validate adapter:subject  # the same without a protocol")
    return EXIT_AS_EXPECTED


def build_vectors(folder: str | None) -> int:
    """Write the files of test vectors."""
    target = vectors.FOLDER if folder is None else Path(folder)
    with closing(Progress(len(NAMES))) as progress:
        try:
            paths = vectors.build_all(target, progress.step)
        except OSError as reason:
            raise Refusal(f"cannot write to {target}: {reason.strerror}") from reason
    for path in paths:
        print(f"{path}: {plural(len(vectors.read(path).vectors), 'vector')}")
    return EXIT_AS_EXPECTED
