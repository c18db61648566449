"""Start a program in a sandbox: `python -I -S sandbox_starter.py OUTCOME LIFE 0|1 WORD …`.

On Linux the processes of a *PID namespace* end with its first one, at once and all of them, however
fast they fork: the kernel sees to it. So this process makes a namespace and in it

- the *first process*, which adopts orphans and waits for the end of the descriptor LIFE, whose
  other end the judge holds. Whether the judge kills it or is itself killed, everybody inside ends;
- the *parent* of the program, which waits for its exit status (programs take it for a sign that
  their own parent is gone if that is the first process);
- the program, in a session of its own, with the descriptors 0, 1 and 2 and a `/proc` that fits.

It stays outside itself, to end as the program does. To the descriptor OUTCOME it writes `+` when
all is made, and after it the number of the error if the program does not start then; if it writes
anything else, the system grants no sandbox. A user who may not make namespaces makes one of users
too, which takes `sudo` and the like from the program; the third word is 1 where that is not wanted.

This file runs alone, so that it costs little time: it imports nothing but the standard library.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
from typing import NamedTuple, NoReturn

NEW_MOUNTS, NEW_USERS, NEW_PROCESSES = 0x20000, 0x10000000, 0x20000000
"""Flags of unshare(2)."""

FOLLOWING = 0x4000 | 0x80000
"""Mounts of others are seen, ours are not seen by them: flags of mount(2), for all below."""

HARMLESS = 2 | 4 | 8
"""Nothing in it is executed, or is a device: flags of mount(2), the usual ones of /proc."""

IGNORED = (signal.SIGPIPE, signal.SIGXFSZ)
"""Signals that Python ignores."""

MADE, REFUSED = b"+", b"-"
NOT_STARTED = 127
KILLED = 128
"""Exit code of who could not be killed by a signal as the program was, plus its number."""


def make_namespaces(may_gain_privileges: bool) -> None:
    """Children are born in a namespace from now on; OSError if the system grants none."""
    user, group = os.getuid(), os.getgid()
    try:
        _unshare(NEW_PROCESSES | NEW_MOUNTS)
    except PermissionError:
        if may_gain_privileges or _has_capabilities():
            raise
        _unshare(NEW_USERS | NEW_PROCESSES | NEW_MOUNTS)
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{user} {user} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")


def _has_capabilities() -> bool:
    """Rights of the superuser: some are left where others were taken, and would be lost inside."""
    held = [line for line in _read("/proc/self/status").splitlines() if line.startswith(b"CapEff")]
    return int(held[0].split()[1], 16) != 0


def number_from(last: int) -> None:
    """Number processes after those outside: programs make names of files of their numbers."""
    with contextlib.suppress(OSError):  # some systems cannot; then they are counted from 2
        _write("/proc/sys/kernel/ns_last_pid", str(last))


def mount_processes() -> None:
    """Show the processes of this namespace in /proc, here and to nobody else."""
    _mount(None, b"/", None, FOLLOWING)
    _mount(b"proc", b"/proc", b"proc", HARMLESS)


def _unshare(flags: int) -> None:
    _checked(ctypes.CDLL(None, use_errno=True).unshare(ctypes.c_int(flags)))


def _mount(source: bytes | None, target: bytes, kind: bytes | None, flags: int) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    _checked(library.mount(source, target, kind, ctypes.c_ulong(flags), None))


def _checked(result: int) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _read(file: str) -> bytes:
    with os.fdopen(os.open(file, os.O_RDONLY), "rb") as opened:
        return opened.read()


def _write(file: str, text: str) -> None:
    descriptor = os.open(file, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def environment() -> dict[bytes, bytes]:
    """As it was given: Python may have set a locale of its own since."""
    entries = (entry.partition(b"=") for entry in _read("/proc/self/environ").split(b"\0"))
    return {name: value for name, equals, value in entries if equals}


def release(null: int, *descriptors: int) -> None:
    """Close these, and hold nothing that belongs to the program."""
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    for descriptor in descriptors:
        os.close(descriptor)


def main(outcome: int, life: int, may_gain_privileges: bool, words: list[str]) -> NoReturn:
    """Outside: make the sandbox, and end as the program does."""
    own = os.getpid()
    given = environment()
    status_here, status = os.pipe()
    null = os.open(os.devnull, os.O_RDWR)
    make_namespaces(may_gain_privileges)
    if os.fork() == 0:
        mount_processes()
        number_from(own)
        _be_first(Descriptors(outcome, life, status, null), words, given)
    release(null, outcome, life, status)
    _end_like(os.read(status_here, 16))


class Descriptors(NamedTuple):
    """Whether the program starts, how long it may live, its exit status, and the null device."""

    outcome: int
    life: int
    status: int
    null: int


def _be_first(held: Descriptors, words: list[str], given: dict[bytes, bytes]) -> NoReturn:
    """Inside: nobody here can end this process, as long as it handles no signals."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # and not ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if os.fork() == 0:
        _be_the_parent(held, words, given)
    release(held.null, held.outcome, held.status)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # orphans that end leave nothing behind
    os.read(held.life, 1)
    os._exit(0)


def _be_the_parent(held: Descriptors, words: list[str], given: dict[bytes, bytes]) -> NoReturn:
    program = os.fork()
    if program == 0:
        _become(held.outcome, words, given)
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # meant for the program
    release(held.null, held.outcome)
    _, status = os.waitpid(program, 0)
    os.write(held.status, str(status).encode())
    os._exit(0)


def _become(outcome: int, words: list[str], given: dict[bytes, bytes]) -> NoReturn:
    os.setsid()
    for ignored in IGNORED:  # and so by whom Python becomes
        signal.signal(ignored, signal.SIG_DFL)
    os.write(outcome, MADE)
    try:
        os.execvpe(words[0], words, given)
    except OSError as reason:
        os.write(outcome, str(reason.errno).encode())
    os._exit(NOT_STARTED)


def _end_like(status: bytes) -> NoReturn:
    """With the same exit code, or by the same signal; without a status all were killed."""
    number = int(status) if status else int(signal.SIGKILL)
    if os.WIFSIGNALED(number):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _end_by(os.WTERMSIG(number))
    os._exit(os.WEXITSTATUS(number))


def _end_by(last: int) -> NoReturn:
    """By a signal, though it be ignored or blocked where the judge was started."""
    if last != signal.SIGKILL:
        signal.signal(last, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [last])
    os.kill(os.getpid(), last)
    os._exit(KILLED + last)


if __name__ == "__main__":
    for inherited in sys.argv[1:3]:
        os.set_inheritable(int(inherited), False)
    try:
        main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "1", sys.argv[4:])
    except OSError:
        os.write(int(sys.argv[1]), REFUSED)
        os._exit(NOT_STARTED)
