#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# answer_where.py SOCKET - fakes rcrd: answers each request with the lines of standard input, as
# rcrd answers 'where', until it is killed.
import socket
import sys

answer = b"ok\nnext 0\nmore 0\n" + sys.stdin.buffer.read()
listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
listener.bind(sys.argv[1])
listener.listen()
while True:
    client, _ = listener.accept()
    client.recv(4096)
    client.send(answer)
    client.close()
