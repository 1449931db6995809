"""The attacks that are run against the sandbox, grouped by their target.

`@OUTSIDE@`, `@ROOT@`, `@PID@`, the ports and the System V numbers stand for the paths,
process, listeners and objects of a test.
"""

from __future__ import annotations

_LIBC = "import ctypes, os; libc = ctypes.CDLL(None, use_errno=True); "
_PAIR = "import array, socket as s; "
_DONE = "print('PWN' + 'ED')"

CHANGE_FILES = {
    "open for writing": "open('@OUTSIDE@/secret.txt', 'w').write('x')",
    "open for appending": "open('@OUTSIDE@/secret.txt', 'a').write('x')",
    "create": "open('@OUTSIDE@/new', 'x')",
    "os.open": "import os; os.open('@OUTSIDE@/new', os.O_CREAT | os.O_WRONLY)",
    "pathlib": "from pathlib import Path; Path('@OUTSIDE@/new').write_text('x')",
    "remove": "import os; os.remove('@OUTSIDE@/secret.txt')",
    "rename out of place": "import os; os.rename('@OUTSIDE@/secret.txt', '@OUTSIDE@/moved')",
    "truncate": "import os; os.truncate('@OUTSIDE@/secret.txt', 0)",
    "make a folder": "import os; os.mkdir('@OUTSIDE@/folder')",
    "make a link": "import os; os.symlink('/', '@OUTSIDE@/link')",
    "hard link in": (
        "import os; os.link('@OUTSIDE@/secret.txt', 'mine'); print(open('mine').read())"
    ),
    "through an own link": (
        "import os; os.symlink('@OUTSIDE@/secret.txt', 's'); open('s', 'w').write('x')"
    ),
    "shutil.rmtree": "import shutil; shutil.rmtree('@OUTSIDE@')",
    "sqlite": "import sqlite3; sqlite3.connect('@OUTSIDE@/db').execute('create table t (a)')",
    "native open": _LIBC + "libc.open(b'@OUTSIDE@/new', 0o101, 0o644)",
    "fifo": "import os; os.mkfifo('@OUTSIDE@/fifo')",
    "logging file": "import logging; logging.FileHandler('@OUTSIDE@/log').emit",
    "into the user's folder": "open('@ROOT@/new.txt', 'w').write('x')",
    "over the user's file": "open('sales.csv', 'w').write('x')",
    "over the user's file, absolute": "open('@ROOT@/sales.csv', 'a').write('x')",
    "delete in the user's folder": "import os; os.remove('@ROOT@/data/a.txt')",
    "plant a module": "open('@ROOT@/numpy.py', 'w').write('x')",
    "by another working folder": "import os; os.chdir('@OUTSIDE@'); open('new', 'w').write('x')",
    "hard link out": "import os; open('m', 'w').close(); os.link('m', '@OUTSIDE@/link')",
    "put in place of": (
        "import os; open('m', 'w').write('x'); os.replace('m', '@OUTSIDE@/secret.txt')"
    ),
    "shutil.copyfile": (
        "import shutil; open('m', 'w').write('x'); shutil.copyfile('m', '@OUTSIDE@/secret.txt')"
    ),
    "by a folder's descriptor": (
        "import os; os.open('secret.txt', os.O_WRONLY | os.O_TRUNC, "
        "dir_fd=os.open('@OUTSIDE@', os.O_PATH))"
    ),
    "tar with an absolute name": (
        "import io, tarfile; b = io.BytesIO(); t = tarfile.open(fileobj=b, mode='w'); "
        "i = tarfile.TarInfo('@OUTSIDE@/new'); i.size = 1; t.addfile(i, io.BytesIO(b'x')); "
        "t.close(); b.seek(0); t = tarfile.open(fileobj=b); "
        # an older Python has no filters, and trusts every archive
        "t.extraction_filter = getattr(tarfile, 'fully_trusted_filter', None); t.extractall()"
    ),
}

READ_FILES = {
    "read": "print(open('@OUTSIDE@/secret.txt').read())",
    "read natively": (
        _LIBC + "b = ctypes.create_string_buffer(50); "
        "libc.read(libc.open(b'@OUTSIDE@/secret.txt', 0), b, 50); print(b.value)"
    ),
    "read through a link of the root": "print(open('@ROOT@/link/secret.txt').read())",
    "read through an inner link": "print(open('@ROOT@/data/link').read())",
    "read a hidden file": "print(open('@ROOT@/.env').read())",
    "read by own link": "import os; os.symlink('@ROOT@/.env', 'e'); print(open('e').read())",
    "read a hidden file below": "print(open('@ROOT@/data/.env').read())",
    "read in a hidden folder below": "print(open('@ROOT@/data/inner/.git/config').read())",
    "read every file there is": (
        "import os\nfor top in ('.', '@ROOT@', '@ROOT@/data', '@ROOT@/data/inner'):\n"
        "    for folder, _, names in os.walk(top, followlinks=True):\n"
        "        for n in names: print(open(os.path.join(folder, n), errors='replace').read())"
    ),
    "read below by own link": (
        "import os; os.symlink('@ROOT@/data', 'd'); print(open('d/.env').read())"
    ),
    "read below by a descriptor": (
        "import os; f = os.open('@ROOT@/data/inner', os.O_PATH); "
        "print(os.read(os.open('.git/config', 0, dir_fd=f), 99))"
    ),
    "list a hidden folder below": (
        "import os; 'config' in os.listdir('@ROOT@/data/inner/.git') and " + _DONE
    ),
    "read by /proc/self/root": "print(open('/proc/self/root@OUTSIDE@/secret.txt').read())",
    "read a process's environment": "print(open('/proc/@PID@/environ').read())",
    "list a folder": "import os; 'secret.txt' in os.listdir('@OUTSIDE@') and " + _DONE,
    "list processes": "import os; '@PID@' in os.listdir('/proc') and " + _DONE,
    "read /etc/passwd": "'root' in open('/etc/passwd').read() and " + _DONE,
    "read through a memory map": (
        "import mmap, os; f = os.open('@OUTSIDE@/secret.txt', 0); "
        "print(mmap.mmap(f, 0, prot=mmap.PROT_READ)[:])"
    ),
}

METADATA = {
    "chmod": "import os; os.chmod('@OUTSIDE@/secret.txt', 0o777)",
    "utime": "import os; os.utime('@OUTSIDE@/secret.txt', (1, 1))",
    "setxattr": "import os; os.setxattr('@OUTSIDE@/secret.txt', 'user.mark', b'x')",
    "chown": "import os; os.chown('@OUTSIDE@/secret.txt', 1, 1)",
    "stat": "import os; os.stat('@OUTSIDE@/secret.txt').st_size and " + _DONE,
    "getxattr": "import os; print(os.getxattr('@OUTSIDE@/secret.txt', 'user.note'))",
    "listxattr": "import os; 'user.note' in os.listxattr('@OUTSIDE@/secret.txt') and " + _DONE,
    "getxattr of a hidden file": "import os; print(os.getxattr('@ROOT@/.env', 'user.note'))",
    "watch a folder": (
        _LIBC
        + "libc.inotify_add_watch(libc.inotify_init1(0), b'@OUTSIDE@', 0xfff) > 0 and "
        + _DONE
    ),
    "watch a folder by its descriptor": (
        "import fcntl, os; fcntl.fcntl(os.open('data', 0), 1026, 0x80000002); " + _DONE
    ),
    "flags of a file": (
        "import fcntl, struct; f = open('sales.csv'); "
        "fcntl.ioctl(f, 0x40086602, struct.pack('l', 0x40))"
    ),
}

#: On the user's files, which the code may read: others could not write them, or not at once.
HOLD_FILES = {
    "lease": "import fcntl; f = open('sales.csv'); fcntl.fcntl(f, 1024, 0); " + _DONE,
    "lock": "import fcntl; f = open('sales.csv'); fcntl.flock(f, fcntl.LOCK_EX)",
    "lock for reading": "import fcntl; f = open('sales.csv'); fcntl.lockf(f, fcntl.LOCK_SH)",
    "lock by an open file": (
        "import fcntl, struct; f = open('sales.csv'); "
        "fcntl.fcntl(f, 37, struct.pack('hhqqi4x', 0, 0, 0, 0, 0))"
    ),
}

OTHER_PROGRAMS = {
    "os.system": "import os; os.system('touch @OUTSIDE@/new')",
    "subprocess": "import subprocess; print(subprocess.run(['cat', '@OUTSIDE@/secret.txt']))",
    "exec": "import os; os.execv('/bin/echo', ['echo', 'PWN' 'ED'])",
    "posix_spawn": (
        "import os; p = os.posix_spawn('/bin/echo', ['echo', 'PWN' 'ED'], {}); os.waitpid(p, 0)"
    ),
    "own script": (
        "import os; open('s', 'w').write('#!/bin/sh\\necho PWN''ED\\n'); "
        "os.fchmod(os.open('s', 0), 0o755); os.execv('./s', ['s'])"
    ),
    "memfd program": (
        "import os; f = os.memfd_create('x', 0); os.write(f, open('/bin/echo', 'rb').read()); "
        "os.execv(f'/proc/self/fd/{f}', ['echo', 'PWN' 'ED'])"
    ),
    "loader": (
        "import os, glob; l = (glob.glob('/lib64/ld-linux*') + glob.glob('/lib/ld-linux*'))[0]; "
        "os.execv(l, [l, '/bin/echo', 'PWN' 'ED'])"
    ),
    "fork": "import os; os.fork() or os._exit(0); " + _DONE,
    "multiprocessing": (
        "import multiprocessing as m; p = m.get_context('fork').Process(target=print, "
        "args=('PWN' + 'ED',)); p.start(); p.join()"
    ),
    "system of the C library": _LIBC + "libc.system(b'touch @OUTSIDE@/new')",
    "popen": "import os; print(os.popen('cat @OUTSIDE@/secret.txt').read())",
    "pseudo-terminal": "import os, pty; pty.fork()[0] or os._exit(0); " + _DONE,
    "run an open file": ("import os; os.execve(os.open('/bin/echo', 0), ['echo', 'PWN' 'ED'], {})"),
}

NETWORK = {
    "tcp": "import socket; socket.create_connection(('@HOST@', @TCP@))",
    "udp": "import socket; socket.socket(2, 2).sendto(b'x', ('@HOST@', @UDP@))",
    "unix socket": "import socket; socket.socket(1).connect('@OUTSIDE@/socket')",
    "abstract socket": "import socket; socket.socket(1).connect('\\0@ABSTRACT@')",
    "pair of datagrams": _PAIR + "s.socketpair(1, 2)[0].sendto(b'x', '@OUTSIDE@/datagrams')",
    "pair of datagrams, not blocking": (
        _PAIR + "s.socketpair(1, 2 | s.SOCK_NONBLOCK)[0].sendto(b'x', '@OUTSIDE@/datagrams')"
    ),
    "pair of raw sockets": _PAIR + "s.socketpair(1, 3)[0].sendto(b'x', '@OUTSIDE@/datagrams')",
    "pair of datagrams, native": (
        _LIBC + "import struct; p = (ctypes.c_int * 2)(); libc.socketpair(1, 2, 0, p); "
        "a = struct.pack('h108s', 1, b'@OUTSIDE@/datagrams'); libc.sendto(p[0], b'x', 1, 0, a, 110)"
    ),
    "descriptor to another process": (
        _PAIR + "f = open('sales.csv'); s.socketpair(1, 2)[0].sendmsg([b'x'], [(1, 1, "
        "array.array('i', [f.fileno()]))], 0, '@OUTSIDE@/datagrams')"
    ),
    "urllib": "import urllib.request as u; u.urlopen('http://@HOST@:@TCP@/', timeout=0.5)",
    "listen": "import socket; socket.create_server(('127.0.0.1', 0)) and " + _DONE,
    "netlink": "import socket; socket.socket(16, 3, 0) and " + _DONE,
    "http.client": (
        "import http.client as h; h.HTTPConnection('@HOST@', @TCP@, timeout=0.5).connect()"
    ),
    "asyncio connection": ("import asyncio; asyncio.run(asyncio.open_connection('@HOST@', @TCP@))"),
    "ipv6 socket": "import socket; socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) and " + _DONE,
    "raw socket": "import socket; socket.socket(2, socket.SOCK_RAW, 1) and " + _DONE,
    "packet socket": "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW) and " + _DONE,
    "vsock": "import socket; socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) and " + _DONE,
}

PROCESSES_AND_KERNEL = {
    # a process ends when it is given the processor again, which may be after the attack
    "kill": "import os, time; os.kill(@PID@, 9); time.sleep(0.1)",
    "stop": "import os, time; os.kill(@PID@, 19); time.sleep(0.1)",
    "queue a signal": (
        _LIBC + "libc.sigqueue(@PID@, 9, ctypes.c_void_p(0)); import time; time.sleep(0.1)"
    ),
    "pidfd": (
        "import os, signal, time; signal.pidfd_send_signal(os.pidfd_open(@PID@), 9); "
        "time.sleep(0.1)"
    ),
    "owner of a descriptor": (
        "import fcntl, os, socket, time; a, b = socket.socketpair(); fcntl.fcntl(a, 8, @PID@); "
        "fcntl.fcntl(a, 10, 9); fcntl.fcntl(a, fcntl.F_SETFL, os.O_ASYNC); b.send(b'x'); "
        "time.sleep(0.1)"
    ),
    "renice": "import os; os.setpriority(os.PRIO_PROCESS, @PID@, 10)",
    "ptrace": _LIBC + "libc.ptrace(16, @PID@, 0, 0) == 0 and " + _DONE,
    "unshare": _LIBC + "libc.unshare(0x400) == 0 and " + _DONE,
    "shared memory": _LIBC
    + "(i := libc.shmget(0, 4096, 0o1600)) >= 0 and (libc.shmctl(i, 0, 0), "
    + _DONE
    + ")",
    "personality": _LIBC + "libc.personality(0x0040000) >= 0 and " + _DONE,
    "lift a limit": (
        "import resource as r; n = r.RLIMIT_NOFILE; r.setrlimit(n, r.getrlimit(n)); " + _DONE
    ),
    "keyring": _LIBC + "libc.syscall(248, b'user', b'k', b'x', 1, -5) > 0 and " + _DONE,
    "io_uring": (
        _LIBC + "p = ctypes.create_string_buffer(120); libc.syscall(425, 1, p) > 0 and " + _DONE
    ),
    "user namespace": _LIBC + "libc.unshare(0x10000000) == 0 and " + _DONE,
    "mount": (_LIBC + "libc.mount(b'none', b'@OUTSIDE@', b'tmpfs', 0, None) == 0 and " + _DONE),
}

_SHARED = _LIBC + "p = ctypes.c_void_p; b = ctypes.create_string_buffer(200); "
_STEP = "s = ctypes.create_string_buffer(b'\\0\\0\\xff\\xff\\0\\x08'); "

SYSTEM_V = {
    "read a segment": (
        _SHARED + "libc.shmat.restype = p; a = libc.shmat(@SEGMENT@, None, 0o10000); "
        "print(ctypes.string_at(a, 50))"
    ),
    "change a segment": (
        _SHARED + "libc.shmat.restype = p; a = libc.shmat(@SEGMENT@, None, 0); "
        "ctypes.memset(a, 0, 9)"
    ),
    "remove a segment": _SHARED + "libc.shmctl(@SEGMENT@, 0, None)",
    "look at a segment": _SHARED + "libc.shmctl(@SEGMENT@, 2, b) == 0 and " + _DONE,
    "take a message": _SHARED + "libc.msgrcv(@QUEUE@, b, 99, 0, 0o4000); print(b.raw)",
    "send a message": _SHARED + "libc.msgsnd(@QUEUE@, b'1234567 x', 1, 0o4000)",
    "remove a queue": _SHARED + "libc.msgctl(@QUEUE@, 0, None)",
    "set a semaphore": _SHARED + "libc.semctl(@SEMAPHORE@, 0, 16, 7)",
    "take a semaphore": _SHARED + _STEP + "libc.semop(@SEMAPHORE@, s, 1)",
    "take a semaphore in time": _SHARED + _STEP + "libc.semtimedop(@SEMAPHORE@, s, 1, None)",
    "remove a semaphore": _SHARED + "libc.semctl(@SEMAPHORE@, 0, 0)",
}

RESOURCES = {
    "memory": "x = bytearray(1200 << 20); " + _DONE,
    "shared memory map": "import mmap; m = mmap.mmap(-1, 5 << 30); " + _DONE,
    "memory without a name": "import os; os.memfd_create('x') and " + _DONE,
    "descriptors": "import os; d = [os.dup(1) for _ in range(5000)]; " + _DONE,
    "big file": "open('big', 'wb').truncate(1 << 30); " + _DONE,
    "many files": ("b = bytes(2 << 20)\nfor i in range(100):\n    open(f'f{i}', 'wb').write(b)"),
}

ATTACKS = (
    CHANGE_FILES
    | READ_FILES
    | METADATA
    | HOLD_FILES
    | OTHER_PROGRAMS
    | NETWORK
    | PROCESSES_AND_KERNEL
    | SYSTEM_V
    | RESOURCES
)

#: Some kernels, file systems and containers stop these without our help.
STOPPED_BY_SOME_MACHINES = frozenset(
    "ptrace setxattr unshare personality netlink loader chown keyring io_uring mount vsock "
    "getxattr listxattr lease".split()
) | {
    "ipv6 socket", "raw socket", "packet socket", "user namespace", "descriptors",
    "getxattr of a hidden file", "flags of a file",
}  # fmt: skip
#: What only bubblewrap stops: that a file exists, and how big it is, can be seen without it.
STOPPED_BY_BUBBLEWRAP = frozenset({"stat"})
