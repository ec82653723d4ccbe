#!/usr/bin/env python3
"""Carries the messages of channels between two servers, both ways. See docs/bridges.md."""

import argparse
import logging
import re
import threading

import zulip
from common import connect, listen, plain, post, quiet


def carry(source: zulip.Client, channel: str, target: zulip.Client, other: str) -> None:
    """Carries one channel of one server to one of the other, for ever."""
    site = source.base_url.removesuffix("/").removesuffix("/api")

    def one(message: dict) -> None:
        # Files stay where they are: links that begin with a stroke mean the server they come from.
        text = re.sub(r"\]\((/user_uploads/)", f"]({site}\\1", quiet(message["content"]))
        # What begins with a fence or a quotation needs a line of its own.
        between = "\n" if re.match(r"[`~>*+#-]|\d+\.|/", text) else " "
        post(target, other, message["subject"] or "(no topic)", f"**{plain(message['sender_full_name'])}**:{between}{text}")

    listen(source, channel, one)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", required=True, metavar="ZULIPRC", help="account on the first server")
    parser.add_argument("--two", required=True, metavar="ZULIPRC", help="account on the second server")
    parser.add_argument("--channel", required=True, action="append", metavar="ONE=TWO", help="a channel of each; repeatable")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    for pair in options.channel:
        one, _, two = pair.partition("=")
        for job in [(options.one, one, options.two, two or one), (options.two, two or one, options.one, one)]:
            source, channel, target, other = job
            threading.Thread(target=carry, args=(connect(source), channel, connect(target), other), daemon=True).start()
    threading.Event().wait()


if __name__ == "__main__":
    main()
