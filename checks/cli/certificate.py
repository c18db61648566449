"""`ptum certificate`: what the kernel checks, printed, listed, or rebuilt."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ptum.checks.cli.output.files import print_json
from ptum.checks.cli.output.formatting import Refusal, table, unknown, wrapped
from ptum.checks.suite import certificates
from ptum.spec import ledger
from ptum.spec.records import Erratum


def print_certificate(identity: str) -> None:
    """Print the certificate of an erratum or of a check; of several the first."""
    errata = {erratum.id: erratum for erratum in certificates.ranked()}
    stored = certificates.certificates()
    checks = {check for ids in stored.values() for check in ids} | set(certificates.REASONS)
    if identity in errata:
        names = certificates.of(errata[identity])
        missing = [
            check for check in errata[identity].counterexamples if check in certificates.REASONS
        ]
    elif identity in checks:
        names = tuple(name for name, ids in stored.items() if identity in ids)
        missing = [identity] if identity in certificates.REASONS else []
    elif isinstance(found := ledger.records().get(identity), Erratum):
        kind = "withdrawn" if found.withdrawn else f"a {found.rank.value}"
        raise Refusal(f"{identity} is {kind}; only majors and minors have certificates")
    else:
        raise unknown("erratum or counterexample", identity, (*errata, *sorted(checks)))
    if not names:
        why = "; ".join(f"{check} needs {certificates.REASONS[check]}" for check in missing)
        raise Refusal(f"{identity} has no certificate: {why}")
    if names[1:]:
        others = ", ".join(names[1:])
        print(f"{names[0]}, the first of {len(names)}; also {others}", file=sys.stderr)
    stored_bytes = (certificates.STORED / names[0]).read_bytes()
    print("\n".join(_in_words(json.loads(stored_bytes))), file=sys.stderr)
    print_json(stored_bytes)


def _in_words(document: dict[str, Any]) -> Iterator[str]:
    """What the names of a certificate stand for, and its conclusions with decimals."""
    yield "From checks/kernel/claims.txt, where these names stand:"
    for comment in certificates.comments(document["claims"][0]):
        yield from wrapped(comment)
    for version in ("printed", "repaired"):
        found = document[version]
        end = found["conclusion"]
        if end is not None:
            sides = " and ".join(_decimal(end[side]) for side in ("left", "right"))
            says = f"{version}: {end['statement']}, with {sides} on the two sides: "
            yield from wrapped(says + found["verdict"])


def _decimal(number: str | list[str]) -> str:
    """A fraction rounded; of a pair the lower end, the other is too near to be told from it."""
    return f"{float(Fraction(number if isinstance(number, str) else number[0])):.6g}"


def print_list() -> None:
    """Print which counterexamples have a certificate, and what the others need."""
    rows = [
        (erratum.id, check, ", ".join(names) or f"none: {reason.removeprefix('none: ')}")
        for erratum, check, names, reason in certificates.listed()
    ]
    print(table(("erratum", "counterexample", "certificate"), rows))


def build() -> None:
    """Rebuild all certificates."""
    print(f"{certificates.build()} certificates in {certificates.STORED}")
