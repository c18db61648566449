"""`python3 checks/kernel FILE…`: 0 all are accepted, 1 one is refused, 2 wrong usage."""

import importlib
import signal
import sys
from pathlib import Path

if hasattr(signal, "SIGPIPE"):  # `| head` ends it without a word, as it ends `cat`
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
here = Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent))
importlib.import_module(here.name)  # this folder, whatever else is installed under its name
sys.path.pop(0)
kernel = importlib.import_module(f"{here.name}.certificate")
status = 0 if sys.argv[1:] else 2
for file in sys.argv[1:]:
    try:
        verdict = kernel.check(Path(file).read_text(encoding="utf-8"))["repaired"]["verdict"]
        said = f"accepted (printed refuted, repaired {verdict})"
    except (kernel.Refused, OSError, UnicodeDecodeError) as error:
        status, said = 1, f"refused: {error}"
    print(f"{file}: {said}")
if status == 2:
    print("usage: python3 checks/kernel FILE…", file=sys.stderr)
sys.exit(status)
