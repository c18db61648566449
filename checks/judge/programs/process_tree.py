"""What a program sets off on Linux: all processes that descend from it, what they hold, their end.

A child may leave the process group of its program, clear its environment and outlive its parent.
It stays a descendant all the same: while a program runs, this process is a *child subreaper*, so
that orphans become its own children, and the table of processes (`/proc`) says of every process
whose child it is. Where there is no such table a tree has no members, and nothing is limited.

A child of this process belongs to the tree of a program if it came after that program and is in
another session than this process; a descendant cannot come back into ours. So whoever starts
processes in sessions of their own from another thread should not judge programs meanwhile.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import select
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

TABLE = "/proc"
"""Where Linux lists processes."""

ROUNDS = 100
"""How often descendants are looked for; without a sandbox those that fork faster can win."""

DYING = 1.0
"""Seconds that killed processes have to be gone before they are looked for again."""

POLL_SECONDS = 0.1
"""Seconds between two looks at what the processes of a tree hold."""

SHARE = 20
"""A look takes at most one part in this many of the time: where it is slow, looks are rarer."""

MIB = 2**20

PAGE = os.sysconf("SC_PAGE_SIZE")

SUBREAPER_SET, SUBREAPER_GET = 36, 37
"""Options of prctl(2)."""


class Process(NamedTuple):
    """A row of the table. `start` tells a process from a later one of the same number."""

    pid: int
    parent: int
    session: int
    start: int
    gone: bool
    resident: int

    @property
    def key(self) -> tuple[int, int]:
        """What no other process has."""
        return self.pid, self.start


def process(pid: int) -> Process | None:
    """One process; None if there is none, or no table."""
    row = _row(pid)
    # The name in brackets may hold anything; state, parent, group, session, … follow it.
    fields = row.rpartition(b")")[2].split()
    if not fields:
        return None
    return Process(
        pid=pid,
        parent=int(fields[1]),
        session=int(fields[3]),
        start=int(fields[19]),
        gone=fields[0] in (b"Z", b"X"),
        resident=int(fields[21]) * PAGE,
    )


def _row(pid: int) -> bytes:
    """Read without ceremony: a look reads the row of every process there is."""
    try:
        file = os.open(f"{TABLE}/{pid}/stat", os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(file, 4096)
    except OSError:
        return b""
    finally:
        os.close(file)


def processes() -> dict[int, Process]:
    """All processes that are to be seen."""
    try:
        with os.scandir(TABLE) as entries:
            numbers = [int(entry.name) for entry in entries if entry.name.isdecimal()]
    except OSError:
        return {}
    return {pid: found for pid in numbers if (found := process(pid)) is not None}


class ProcessTree:
    """A program and everything that descends from it, orphans included."""

    def __init__(self) -> None:
        self._others = {child.key for child in _own_children(processes().values())}
        self._program: Process | None = None
        self._sandboxed = False
        _join(self)

    def track(self, pid: int, sandboxed: bool = False) -> None:
        """The program runs; in a sandbox another process stands for it."""
        self._program, self._sandboxed = process(pid), sandboxed

    def members(self) -> list[Process]:
        """Who lives, and orphans that ended and wait to be noticed by this process."""
        table = processes()
        children: dict[int, list[Process]] = {}
        for found in table.values():
            children.setdefault(found.parent, []).append(found)
        ready = list(self._roots(table))
        members: list[Process] = []
        while ready:
            found = ready.pop()
            ready += children.get(found.pid, [])
            if not found.gone or self._adopted(found):
                members.append(found)
        return members

    def without_sandbox(self, members: Iterable[Process]) -> list[Process]:
        """The program and its descendants; those who run the sandbox are in a session apart."""
        return [member for member in members if not self._of_sandbox(member)]

    def _of_sandbox(self, found: Process) -> bool:
        program = self._program
        return self._sandboxed and program is not None and found.session == program.pid

    def kill(self) -> None:
        """End everybody, again and again until nobody is left; a sandbox ends at once."""
        for _ in range(ROUNDS):
            members = self.members()
            if not members:
                return
            kill_all(members)
            self.reap(members)

    def reap(self, members: Iterable[Process]) -> None:
        """Notice the end of orphans, which nobody else can: they would fill the table."""
        for member in filter(self._adopted, members):
            with contextlib.suppress(ChildProcessError):
                os.waitpid(member.pid, os.WNOHANG)

    def end(self) -> None:
        """Kill, and adopt no more orphans."""
        self.kill()
        _leave(self)

    def _roots(self, table: Mapping[int, Process]) -> Iterator[Process]:
        program = self._program
        if program is not None and program.pid in table:
            found = table[program.pid]
            if found.key == program.key:
                yield found
        if program is not None and self._sandboxed:  # whose orphans stay inside
            own = _own_children(table.values())
            inside = (child for child in own if self._of_sandbox(child))
            yield from (child for child in inside if child.key != program.key)
            return
        strangers = {tree.program for tree in tuple(_trees)} | self._others
        yield from (child for child in _own_children(table.values()) if child.key not in strangers)

    def _adopted(self, found: Process) -> bool:
        """Whether an orphan became a child of this process; the program itself always was."""
        return found.parent == os.getpid() and found.key != self.program

    @property
    def program(self) -> tuple[int, int] | None:
        """The key of the program, once it runs."""
        return None if self._program is None else self._program.key


def _own_children(table: Iterable[Process]) -> Iterator[Process]:
    """Children of this process in other sessions than its own."""
    own, session = os.getpid(), os.getsid(0)
    return (found for found in table if found.parent == own and found.session != session)


def kill_all(members: Iterable[Process]) -> None:
    """Kill those that live, and wait until they are gone, not for ever."""
    held = [handle for member in members if (handle := _held(member)) is not None]
    dying, left = select.poll(), 0
    for handle in held:
        with contextlib.suppress(OSError):
            _send_kill(handle)
            dying.register(handle, select.POLLIN)
            left += 1
    over = time.monotonic() + DYING
    while left and time.monotonic() < over:
        for handle, _ in dying.poll(1000 * DYING):
            dying.unregister(handle)
            left -= 1
    for handle in held:
        os.close(handle)


def _held(member: Process) -> int | None:
    """A handle of the very process that was seen, whoever has its number later."""
    if sys.platform != "linux":
        return None
    try:
        handle = os.pidfd_open(member.pid)
    except OSError:
        return None
    found = process(member.pid)
    if found is not None and found.key == member.key:
        return handle
    os.close(handle)
    return None


def _send_kill(handle: int) -> None:
    if sys.platform == "linux":
        signal.pidfd_send_signal(handle, signal.SIGKILL)


# Orphans

_trees: list[ProcessTree] = []
_lock = threading.Lock()
_before = False


def _join(tree: ProcessTree) -> None:
    """Orphans come to this process from now on."""
    global _before
    with _lock:
        if not _trees:
            _before = adopting(True)
        _trees.append(tree)


def _leave(tree: ProcessTree) -> None:
    """With the last tree orphans go where they went before."""
    with _lock:
        if tree in _trees:
            _trees.remove(tree)
            if not _trees:
                adopting(_before)


def adopting(wanted: bool | None = None) -> bool:
    """Whether orphans came to this process until now; and whether they shall."""
    if sys.platform != "linux":
        return False
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    before = ctypes.c_int(0)
    none = ctypes.c_ulong(0)
    prctl(SUBREAPER_GET, ctypes.byref(before), none, none, none)
    if wanted is not None:
        prctl(SUBREAPER_SET, ctypes.c_ulong(wanted), none, none, none)
    return bool(before.value)


# Looking on

ExceededLimit: TypeAlias = Literal["memory", "processes"]


class ResourceMonitor:
    """Looks at a process tree all the time, and kills it when it holds more than it may.

    A thread of its own: the tree is watched also while nobody waits for what it says. The limits
    of the kernel would not do. They hold for every process alone, or for all of a user, and count
    what is reserved, which a virtual machine or a sanitizer does without ever using it.
    """

    def __init__(self, tree: ProcessTree, memory: int, most: int) -> None:
        self._tree, self._memory, self._most = tree, memory, most
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._poll, daemon=True)
        self.excess: ExceededLimit | None = None
        self._thread.start()

    def end(self) -> None:
        """Look no more."""
        self._over.set()
        self._thread.join()

    def _poll(self) -> None:
        pause = POLL_SECONDS
        while not self._over.wait(pause):
            began = time.monotonic()
            members = self._tree.members()
            self._tree.reap(members)
            self.excess = excess(self._tree.without_sandbox(members), self._memory, self._most)
            if self.excess is not None:
                self._tree.kill()
                return
            pause = max(POLL_SECONDS, SHARE * (time.monotonic() - began))


def excess(members: Iterable[Process], memory: int, most: int) -> ExceededLimit | None:
    """What there is too much of: more than `memory` MiB, or more than `most` that live."""
    living = [member for member in members if not member.gone]
    if len(living) > most:
        return "processes"
    # Resident memory counts what several share for each of them, but costs nothing to read.
    if sum(member.resident for member in living) <= memory * MIB:
        return None
    return "memory" if sum(map(_holds, living)) > memory * MIB else None


def _holds(member: Process) -> int:
    """Bytes of memory, where what n processes share counts 1/n for each."""
    try:
        text = Path(f"{TABLE}/{member.pid}/smaps_rollup").read_text()
    except OSError:
        return member.resident
    found = re.search(r"^Pss: +(\d+) kB$", text, flags=re.MULTILINE)
    return 1024 * int(found[1]) if found else 0
