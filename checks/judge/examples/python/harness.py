"""A harness: it speaks the judge's protocol, JSON objects one per line, and calls my_ptum.py.

Try it:   ptum validate --check-protocol --command "python3 harness.py"
Judge it: ptum validate --command "python3 harness.py"
"""

import json
import math
import sys

import my_ptum


def receive():
    """The next message of the judge; the end of the input counts as a stop."""
    line = sys.stdin.readline()
    return json.loads(line) if line else {"type": "stop"}


def send(message):
    """One message, one line. Without the flush the judge would wait for ever."""
    sys.stdout.write(json.dumps(message, allow_nan=False) + "\n")
    sys.stdout.flush()


def numbers(errors):
    """The four errors; JSON has no infinity, so it arrives as the text "inf"."""
    return {name: float(size) for name, size in errors.items()}


def text_for_infinity(value):
    """Infinite numbers as the texts "inf" and "-inf", wherever they are."""
    if isinstance(value, dict):
        return {name: text_for_infinity(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [text_for_infinity(entry) for entry in value]
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def sampler(identity):
    """sample(s, a) asks the judge for a reward and a next state."""

    def sample(s, a):
        send({"type": "query", "id": identity, "s": s, "a": a})
        answer = receive()
        return answer["reward"], answer["successor"]

    return sample


def answer(capability, fields, identity):
    """The fields of the answer to one request."""
    if "errors" in fields:
        fields["errors"] = numbers(fields["errors"])
    if capability == "optimal":
        V, pi = my_ptum.optimal(**fields)
        return {"V": V, "pi": pi}
    if capability == "policy_value":
        return {"V": my_ptum.policy_value(**fields)}
    if capability == "widths":
        return my_ptum.widths(**fields)
    if capability == "information":
        return {"I": my_ptum.information(**fields)}
    if capability == "next_query":
        s, a = my_ptum.next_query(**fields)
        return {"s": s, "a": a}
    if capability == "ptum":
        return my_ptum.ptum(**fields, sample=sampler(identity))
    raise ValueError(f"{capability} is not implemented")


CAPABILITIES = ["optimal", "policy_value", "widths", "information", "next_query", "ptum"]


def main():
    """Answer until the judge says stop."""
    while True:
        message = receive()
        if message["type"] == "stop":
            return
        if message["type"] == "start":
            send(
                {
                    "type": "ready",
                    "protocol": "ptum-stdio/1",
                    "name": "python example",
                    "version": "1",
                    "language": "Python",
                    "capabilities": CAPABILITIES,
                }
            )
            continue
        identity = message["id"]
        try:
            found = answer(message["capability"], message["input"], identity)
            send({"type": "answer", "id": identity, "answer": text_for_infinity(found)})
        except Exception as reason:
            text = f"{type(reason).__name__}: {reason}"
            send({"type": "failure", "id": identity, "message": text})


if __name__ == "__main__":
    main()
