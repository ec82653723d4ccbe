"""What the bridges share: who they are, what they carry, and how they listen."""

import logging
import re
import time
from typing import Any, Callable

import zulip

log = logging.getLogger("bridge")

# What every bridge calls itself. None carries what a bridge has posted, so that no ring of them talks for ever.
CLIENT = "RoostBridge"
# Longest text that is carried, in characters, and longest pause between tries, in seconds.
MAX_TEXT = 9000
MAX_PAUSE = 60


def connect(zuliprc: str) -> zulip.Client:
    """A client of one server, by its zuliprc file."""
    return zulip.Client(config_file=zuliprc, client=f"{CLIENT}/1.0")


def is_carried(message: dict[str, Any], own_email: str, channel: str) -> bool:
    """Whether a message is one of people (or other bots) in the channel, and none that a bridge has posted."""
    return (
        message["type"] == "stream"
        and message["display_recipient"] == channel
        and message["sender_email"] != own_email
        and not message["client"].startswith(CLIENT)
    )


def listen(client: zulip.Client, channel: str, carry: Callable[[dict[str, Any]], None]) -> None:
    """Calls `carry` with each new message of a channel, for ever; a fault in one message does not end it."""
    own_email = client.get_profile()["email"]
    narrow = [["channel", channel]]

    def heard(event: dict[str, Any]) -> None:
        message = event["message"]
        if not is_carried(message, own_email, channel):
            return
        try:
            carry(message)
        except Exception:
            log.exception("a message could not be carried")

    client.call_on_each_event(heard, ["message"], narrow, apply_markdown=False)


def post(client: zulip.Client, channel: str, topic: str, content: str, tries: int = 6) -> bool:
    """Sends a message; tries again, ever later, while the server is away or asks for patience."""
    message = {"type": "stream", "to": channel, "topic": topic, "content": content}
    pause = 1.0
    for _ in range(tries):
        reply = client.send_message(message)
        if reply["result"] == "success":
            return True
        if reply.get("code") not in (None, "RATE_LIMIT_HIT"):
            break
        time.sleep(float(reply.get("retry-after", pause)))
        pause = min(MAX_PAUSE, 2 * pause)
    log.error("not posted: %s", reply.get("msg"))
    return False


def quiet(text: str) -> str:
    """A text whose mentions tell nobody."""
    return re.sub(r"@(?=\*)", "@_", text)[:MAX_TEXT]


def plain(name: str) -> str:
    """A name that formats nothing and mentions nobody."""
    return re.sub(r"[*`@\[\]<>\\\s]+", " ", name).strip()[:60] or "somebody"
