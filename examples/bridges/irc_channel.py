#!/usr/bin/env python3
"""Carries messages between a topic of a channel and an IRC channel, both ways. See docs/bridges.md."""

import argparse
import logging
import re
import threading
import time
from typing import Any

import irc.bot
import irc.client
from common import connect, listen, plain, post, quiet
from jaraco.stream import buffer

# What is no UTF-8 is read as Latin-1, as everywhere on IRC; it must not end the bridge.
irc.client.ServerConnection.buffer_class = buffer.LenientDecodingLineBuffer
# IRC lines have 512 bytes with their address; messages of more lines are cut, for servers throw out who floods.
MAX_LINE_BYTES = 380
MAX_LINES = 8
LINE_PAUSE = 0.6
# Colours, bold and other formatting of IRC.
FORMATTING = re.compile(r"\x03(?:\d{1,2}(?:,\d{1,2})?)?|[\x00-\x08\x0b-\x1f\x7f]")


def lines_of(text: str) -> list[str]:
    """A text as lines that IRC can take, cut to so many."""
    lines = []
    for line in text.splitlines():
        line = FORMATTING.sub("", line).strip()
        while line:
            head = line.encode()[:MAX_LINE_BYTES].decode(errors="ignore")
            lines.append(head)
            line = line[len(head) :]
    more = len(lines) - MAX_LINES
    return lines if more <= 0 else [*lines[:MAX_LINES], f"(and {more} more lines)"]


class Bridge(irc.bot.SingleServerIRCBot):
    def __init__(self, options: argparse.Namespace) -> None:
        host, _, port = options.irc.partition(":")
        super().__init__([(host, int(port or 6667))], options.nick, "bridge")
        self.options = options
        self.roost = connect(options.zuliprc)
        self.joined = threading.Event()

    def on_welcome(self, connection: Any, _event: Any) -> None:
        connection.join(self.options.irc_channel)

    def on_join(self, connection: Any, event: Any) -> None:
        if event.source.nick == connection.get_nickname():
            self.joined.set()
            logging.info("joined %s", event.target)

    def on_nicknameinuse(self, connection: Any, _event: Any) -> None:
        connection.nick(connection.get_nickname() + "_")

    def on_disconnect(self, _connection: Any, _event: Any) -> None:
        self.joined.clear()

    # NOTICE is not carried: by the rules of IRC nobody answers one, so programs use it.
    def on_pubmsg(self, _connection: Any, event: Any) -> None:
        self._post(event.source.nick, quiet(FORMATTING.sub("", event.arguments[0])))

    def on_action(self, _connection: Any, event: Any) -> None:
        self._post(event.source.nick, f"*{plain(event.arguments[0])}*")

    def _post(self, nick: str, text: str) -> None:
        channel, topic = self.options.channel, self.options.topic
        # The loop of IRC goes on while the server is slow.
        threading.Thread(target=post, args=(self.roost, channel, topic, f"**{plain(nick)}**: {text}"), daemon=True).start()

    def say(self, message: dict[str, Any]) -> None:
        """Says a message in the IRC channel, line by line."""
        if message["subject"] != self.options.topic:
            return
        name = plain(message["sender_full_name"])
        for line in lines_of(message["content"]):
            self.joined.wait()
            self.connection.privmsg(self.options.irc_channel, f"<{name}> {line}")
            time.sleep(LINE_PAUSE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--zuliprc", required=True, help="account of the bridge")
    parser.add_argument("--channel", required=True)
    parser.add_argument("--topic", default="IRC")
    parser.add_argument("--irc", required=True, metavar="HOST[:PORT]")
    parser.add_argument("--irc-channel", required=True, metavar="#NAME")
    parser.add_argument("--nick", default="roost")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    bridge = Bridge(options)
    listener = connect(options.zuliprc)
    threading.Thread(target=listen, args=(listener, options.channel, bridge.say), daemon=True).start()
    bridge.start()


if __name__ == "__main__":
    main()
