"""A headless Chromium that is spoken to through a pipe, in its DevTools protocol."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "no Chromium: the browser tests did not run; `apt-get install chromium` installs one"
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
)
PATIENCE = 60.0
"""Seconds for an answer; a machine that is busy needs some."""


def program() -> str | None:
    """The first Chromium on the path."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


class Browser:
    """One page at a time; what it complained of and what it asked for are remembered."""

    def __init__(self, chromium: str, home: Path) -> None:
        down_read, self._write = os.pipe()
        self._read, up_write = os.pipe()

        def pipes() -> None:  # the protocol is spoken on descriptors 3 and 4
            saved = os.dup(down_read), os.dup(up_write)
            os.dup2(saved[0], 3)
            os.dup2(saved[1], 4)

        self.process = subprocess.Popen(
            [chromium, *FLAGS, f"--user-data-dir={home}", "about:blank"],
            preexec_fn=pipes,  # nothing else runs in this process
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(down_read)
        os.close(up_write)
        self._rest, self._number = b"", 0
        self.events: list[dict[str, Any]] = []
        self._session: str | None = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)
        os.close(self._read)
        os.close(self._write)

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Ask and wait for the answer; an error of the protocol is an error here."""
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") != self._number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                result: dict[str, Any] = answer["result"]
                return result

    def _next(self) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise TimeoutError("Chromium does not answer")
            piece = os.read(self._read, 1 << 20)
            if not piece:
                raise RuntimeError(f"Chromium ended with {self.process.poll()}")
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(line)
        return found

    def open(self, page: Path, query: str = "") -> None:
        """Open a page from disk and wait until it is loaded."""
        self.events.clear()
        self.call("Page.navigate", url=page.as_uri() + query)
        self.wait_for(page.name)

    def wait_for(self, name: str) -> None:
        """Wait until the page of this name is loaded, whichever was there before."""
        until = time.monotonic() + PATIENCE
        script = "document.readyState + ' ' + location.pathname.split('/').pop()"
        while time.monotonic() < until:
            with suppress(RuntimeError):  # a page that is just being left has no answer
                if self.evaluate(script) == f"complete {name}":
                    return
        raise TimeoutError(f"{name} is not loaded")

    def evaluate(self, script: str) -> Any:  # whatever the script comes to
        """The value of an expression in the page."""
        answer = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return answer["result"].get("value")

    def press(self, key: str, text: str = "") -> None:
        """A key on the keyboard."""
        for kind in ("keyDown", "keyUp"):
            said = {"text": text} if kind == "keyDown" and text else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **said)

    def resize(self, width: int, height: int = 900) -> None:
        """The size of the window."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def media(self, kind: str = "", scheme: str = "light") -> None:
        """Screen or paper, light or dark."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media=kind, features=features)

    def printed(self) -> bytes:
        """The page as a PDF, in the size that its style wants."""
        self.call("Emulation.clearDeviceMetricsOverride")
        answer = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)
        return base64.b64decode(answer["data"])

    def complaints(self) -> list[str]:
        """Errors of scripts and what the console was told, since the page was opened."""
        self.evaluate("0")  # what happened before is heard before the answer
        found = []
        for event in self.events:
            match event.get("method"):
                case "Runtime.exceptionThrown":
                    found.append(str(event["params"]["exceptionDetails"]))
                case "Runtime.consoleAPICalled" | "Log.entryAdded":
                    found.append(str(event["params"]))
        return found

    def requests(self) -> list[str]:
        """Addresses that were asked for."""
        self.evaluate("0")
        return [
            str(event["params"]["request"]["url"])
            for event in self.events
            if event.get("method") == "Network.requestWillBeSent"
        ]
