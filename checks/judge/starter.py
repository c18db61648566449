"""Start a program in an enclosure: `python -I -S starter.py TOLD LIFE 0|1 WORD …`.

On Linux the processes of a *PID namespace* end with its first one, at once and all of them, however
fast they fork: the kernel sees to it. So this process makes a namespace and in it

- the *first process*, which adopts orphans and waits for the end of the descriptor LIFE, whose
  other end the judge holds. Whether the judge kills it or is itself killed, everybody inside ends;
- the *parent* of the program, which waits for its exit status (programs take it for a sign that
  their own parent is gone if that is the first process);
- the program, in a session of its own, with the descriptors 0, 1 and 2 and a `/proc` that fits.

It stays outside itself, to end as the program does. On TOLD it says `-` if the system grants no
namespace, or the number of the error if the program does not start; nothing if it runs. A user who
may not make namespaces makes one of users too, which takes `sudo` and the like from the program;
the third word is 1 where that is not wanted.

This file runs alone, so that it costs little time: it imports nothing but the standard library.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from typing import NoReturn

NEW_MOUNTS, NEW_USERS, NEW_PROCESSES = 0x20000, 0x10000000, 0x20000000
"""Flags of unshare(2)."""

FOLLOWING = 0x4000 | 0x80000
"""Mounts of others are seen, ours are not seen by them: flags of mount(2), for all below."""

HARMLESS = 2 | 4 | 8
"""Nothing in it is executed, or is a device: flags of mount(2), the usual ones of /proc."""

IGNORED = (signal.SIGPIPE, signal.SIGXFSZ)
"""Signals that Python ignores."""

REFUSED = b"-"
NOT_STARTED = 127


def enclose(may_gain_privileges: bool) -> None:
    """Children are born in a namespace from now on; OSError if the system grants none."""
    user, group = os.getuid(), os.getgid()
    try:
        _unshare(NEW_PROCESSES | NEW_MOUNTS)
    except PermissionError:
        if may_gain_privileges:
            raise
        _unshare(NEW_USERS | NEW_PROCESSES | NEW_MOUNTS)
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{user} {user} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")


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


def _write(file: str, text: str) -> None:
    descriptor = os.open(file, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def environment() -> dict[bytes, bytes]:
    """As it was given: Python may have set a locale of its own since."""
    with os.fdopen(os.open("/proc/self/environ", os.O_RDONLY), "rb") as file:
        entries = (entry.partition(b"=") for entry in file.read().split(b"\0"))
    return {name: value for name, equals, value in entries if equals}


def let_go(*descriptors: int) -> None:
    """Hold neither these nor what belongs to the program."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    for descriptor in (nothing, *descriptors):
        os.close(descriptor)


def main(told: int, life: int, may_gain_privileges: bool, words: list[str]) -> NoReturn:
    """Outside: make the enclosure, and end as the program does."""
    given = environment()
    status, reporting = os.pipe()
    try:
        enclose(may_gain_privileges)
    except OSError:
        os.write(told, REFUSED)
        os._exit(NOT_STARTED)
    if os.fork() == 0:
        _be_first(told, life, reporting, words, given)
    let_go(told, life, reporting)
    _end_like(os.read(status, 16))


def _be_first(
    told: int, life: int, reporting: int, words: list[str], given: dict[bytes, bytes]
) -> NoReturn:
    """Inside: nobody here can end this process, as long as it handles no signals."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        mount_processes()
    except OSError:
        os.write(told, REFUSED)
        os._exit(NOT_STARTED)
    if os.fork() == 0:
        _be_the_parent(told, reporting, words, given)
    let_go(told, reporting)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # orphans that end leave nothing behind
    os.read(life, 1)
    os._exit(0)


def _be_the_parent(
    told: int, reporting: int, words: list[str], given: dict[bytes, bytes]
) -> NoReturn:
    program = os.fork()
    if program == 0:
        _become(told, words, given)
    let_go(told)
    _, status = os.waitpid(program, 0)
    os.write(reporting, str(status).encode())
    os._exit(0)


def _become(told: int, words: list[str], given: dict[bytes, bytes]) -> NoReturn:
    os.setsid()
    for ignored in IGNORED:  # and so by whom Python becomes
        signal.signal(ignored, signal.SIG_DFL)
    try:
        os.execvpe(words[0], words, given)
    except OSError as reason:
        os.write(told, str(reason.errno).encode())
    os._exit(NOT_STARTED)


def _end_like(status: bytes) -> NoReturn:
    """With the same exit code, or by the same signal; without a status all were killed."""
    number = int(status) if status else int(signal.SIGKILL)
    if os.WIFSIGNALED(number):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for handled in (signal.SIGINT, *IGNORED):
            signal.signal(handled, signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(number))
    os._exit(os.WEXITSTATUS(number))


if __name__ == "__main__":
    for inherited in sys.argv[1:3]:
        os.set_inheritable(int(inherited), False)
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "1", sys.argv[4:])
