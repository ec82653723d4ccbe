"""Looks at an imported organization with the published Python client, and writes to it.

Arguments: address of the server, email and API key of somebody. One JSON object: what was seen.
"""

import json
import sys

import zulip

site, email, api_key = sys.argv[1:4]
client = zulip.Client(site=site, email=email, api_key=api_key)


def need(reply):
    if reply.get("result") != "success":
        raise SystemExit(json.dumps(reply))
    return reply


state = need(client.register(fetch_event_types=["message", "realm_user", "subscription", "update_message_flags"]))
request = {"anchor": "newest", "num_before": 100, "num_after": 0, "narrow": [], "apply_markdown": False}
messages = need(client.get_messages(request))["messages"]
first = next(message for message in messages if message["type"] == "stream")
channel = first["stream_id"]
topics = need(client.get_stream_topics(channel))["topics"]
need(client.add_reaction({"message_id": first["id"], "emoji_name": "tada"}))
sent = need(client.send_message({"type": "stream", "to": channel, "topic": first["subject"], "content": "and now?"}))
events = need(client.get_events(queue_id=state["queue_id"], last_event_id=state["last_event_id"]))["events"]
print(
    json.dumps(
        {
            "people": len(need(client.get_users())["members"]),
            "unread": state["unread_msgs"]["count"],
            "contents": [message["content"] for message in messages],
            "topics": [topic["name"] for topic in topics],
            "is_newest": sent["id"] > max(message["id"] for message in messages),
            "heard": sorted({event["type"] for event in events}),
        }
    )
)
