"""`python3 checks/kernel FILE…`: 0 all are accepted, 1 one is refused, 2 wrong usage."""

import importlib
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path.append(str(here.parent))
kernel = importlib.import_module(f"{here.name}.certificate")
status = 0 if sys.argv[1:] else 2
for file in sys.argv[1:]:
    try:
        verdict = kernel.check(Path(file).read_text(encoding="utf-8"))["repaired"]["verdict"]
        print(f"{file}: accepted (printed refuted, repaired {verdict})")
    except (kernel.Refused, OSError, UnicodeDecodeError) as error:
        status = 1
        print(f"{file}: refused: {error}")
if status == 2:
    print("usage: python3 checks/kernel FILE…", file=sys.stderr)
sys.exit(status)
