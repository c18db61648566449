"""Reads certificates and claims.txt, and decides whether a certificate proves its claim."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from .arithmetic import Between, Number
from .formulas import Definitions, Known, Refused, holds, parsed, shape, sides

FRACTION = re.compile(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?")
LARGEST_FILE, MOST_DIGITS = 10**6, 2000
UNUSABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError)
Claims = dict[str, dict[str, list[str]]]


@cache
def table() -> tuple[Claims, Definitions, list[tuple[list[str], str]]]:
    """claims.txt: claims by their first id, definitions by name, and what always has to hold."""
    text = Path(__file__).with_name("claims.txt").read_text(encoding="utf-8")
    claims, groups, definitions = Claims(), dict[str, list[str]](), dict[str, Any]()
    always, claim = list[tuple[list[str], str]](), dict[str, list[str]]()
    for line in text.replace("\n  ", " ").splitlines():
        word, _, rest = line.partition(" ")
        head, _, body = rest.partition(": ")
        if word == "always":
            always.append((head.split(), body))
        elif word == "assume":
            groups[head] = body.split("; ")
        elif word == "let":
            head, _, formula = rest.partition(" = ")
            name, *parameters = re.findall(r"\w+", head)
            definitions[name] = parameters, parsed(formula)
        elif word == "claim":
            claim = claims[rest.split()[0]] = {"claims": rest.split()}
        elif word == "given":
            claim[word] = rest.split()
        elif word in ("printed:", "repaired:"):
            premises, _, conclusion = rest.partition(" ⇒ ")
            stated = [groups.get(premise, [premise]) for premise in premises.split("; ")]
            claim[word[:-1]] = [*chain(*stated), conclusion]
        elif word not in ("", "#"):
            raise SyntaxError(f"claims.txt has a line that says nothing: {line}")
    return claims, definitions, always


def number(text: Any) -> Any:
    """Fractions as text, and tables of them, as tuples."""
    if isinstance(text, str) and FRACTION.fullmatch(text) and str(Fraction(text)) == text:
        return Fraction(text)
    if isinstance(text, list):
        found = tuple(map(number, text))
        if len({shape(part) for part in found}) == 1:
            return found
    raise Refused(f"not a fraction in lowest terms, nor a table of them: {str(text)[:40]!r}")


def written(x: Number) -> Any:
    """A fraction as text, a pair as two of them."""
    return [str(x.lo), str(x.hi)] if isinstance(x, Between) else str(Fraction(x))


def evaluated(text: str, x: Known) -> dict[str, Any]:
    left, sign, right = sides(parsed(text), x, {})
    numbers = {"left": written(left), "right": written(right)}
    return {"statement": text, **numbers, "holds": holds(left, sign, right)}


def digest(instance: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(instance, sort_keys=True).encode()).hexdigest()


def recomputed(ids: list[str], instance: Mapping[str, Any]) -> dict[str, Any]:
    """The certificate that claims.txt and this instance give: every number of it."""
    claims, definitions, always = table()
    claim = claims.get(ids[0]) if ids else None
    if claim is None or claim["claims"] != ids:
        raise Refused(f"no such claims: {' '.join(ids)[:99]}")
    if sorted(instance) != sorted(claim["given"]):
        raise Refused(f"the instance must consist of {' '.join(claim['given'])}")
    if sum(map(str.isdigit, json.dumps(instance))) > MOST_DIGITS:
        raise Refused(f"the instance has more than {MOST_DIGITS} digits")
    x = Known({name: number(value) for name, value in instance.items()}, definitions)
    for fields, condition in always:
        for field in instance.keys() & fields:
            if not holds(*sides(parsed(condition), x, {"x": x[field]})):
                raise Refused(f"the instance is not one: {condition} is false of {field}")
    found: dict[str, Any] = {"claims": ids, "instance": instance, "sha256": digest(instance)}
    for version in ("printed", "repaired"):
        *premises, conclusion = claim[version]
        stated = [evaluated(premise, x) for premise in premises]
        end = evaluated(conclusion, x) if all(premise["holds"] for premise in stated) else None
        verdict = "excluded" if end is None else "holds" if end["holds"] else "refuted"
        found[version] = {"premises": stated, "conclusion": end, "verdict": verdict}
    return found


def once(parts: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(parts)) != len(parts):
        raise Refused("a field stands there twice")
    return dict(parts)


def check(text: str) -> dict[str, Any]:
    """Return an accepted certificate, or say in one line why it is refused."""
    if len(text) > LARGEST_FILE:
        raise Refused("the file is too large")
    try:
        given = json.loads(text, object_pairs_hook=once)
        if given["sha256"] != digest(given["instance"]):
            raise Refused("'sha256' is not that of the instance")
        found = recomputed(given["claims"], given["instance"])
    except UNUSABLE as error:
        raise Refused(f"not a certificate: {type(error).__name__} {str(error)[:80]}") from error
    printed, repaired = found["printed"]["verdict"], found["repaired"]["verdict"]
    if printed != "refuted" or repaired == "refuted":
        raise Refused(f"as printed the claim is {printed}, as repaired {repaired}")
    for part in {**given, **found}:  # as text, in which true is not 1
        if part not in found or json.dumps(given.get(part)) != json.dumps(found[part]):
            raise Refused(f"{part[:40]!r} is not what is recomputed")
    return found
