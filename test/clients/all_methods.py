"""Calls every method of the published Python client once, in an order that makes sense, and prints what came back.

Arguments: address of the server, email and API key of an administrator. One JSON object: method name to reply.
"""

import io
import json
import struct
import sys
import zlib

import zulip

site, email, api_key = sys.argv[1:4]
client = zulip.Client(site=site, email=email, api_key=api_key)
replies = {}


def call(method, /, *args, **kwargs):
    reply = getattr(client, method)(*args, **kwargs)
    if reply.get("result") != "success":
        print(method, reply, file=sys.stderr)
    replies[method] = reply
    return reply


def named(name, content):
    file = io.BytesIO(content)
    file.name = name
    return file


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PNG = (
    b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress((b"\x00" + b"\x20\x60\xa0" * 8) * 8))
    + chunk(b"IEND", b"")
)

call("get_server_settings")
me = call("get_profile")
members = call("get_members")["members"]
people = {user["full_name"]: user["user_id"] for user in members}
mia = people["Mia Member"]
call("get_users", {"client_gravatar": True})
call("get_user_by_id", mia, include_custom_profile_fields=True)

# Channels
call("add_subscriptions", [{"name": "python", "description": "From the bindings"}], principals=[me["user_id"], mia])
call("add_subscriptions", [{"name": "python next"}])
channel = call("get_stream_id", "python")["stream_id"]
next_channel = client.get_stream_id("python next")["stream_id"]
call("get_streams", include_all_active=True)
call("get_subscriptions")
call("list_subscriptions")
call("get_subscribers", stream="python")
call("get_subscription_status", mia, channel)
call("get_stream_email_address", channel)
call("update_subscription_settings", [{"stream_id": channel, "property": "pin_to_top", "value": True}])
call("update_stream", {"stream_id": channel, "description": "Changed"})
call("add_default_stream", channel)

# Messages
queue = call("register", event_types=["message"])
sent = call("send_message", {"type": "stream", "to": "python", "subject": "first", "content": "hello **there**"})
message = sent["id"]
client.send_message({"type": "private", "to": [mia], "content": "just you"})
call("get_events", queue_id=queue["queue_id"], last_event_id=queue["last_event_id"], dont_block=True)
call("deregister", queue["queue_id"])
call("get_messages", {"anchor": "newest", "num_before": 10, "num_after": 0, "narrow": [["stream", "python"]]})
call("get_raw_message", message)
call("update_message", {"message_id": message, "content": "hello again"})
call("get_message_history", message)
call("update_message_flags", {"messages": [message], "op": "add", "flag": "starred"})
call("check_messages_match_narrow", msg_ids=[message], narrow=[["has", "link"]])
call("render_message", {"content": "**bold**"})
call("add_reaction", {"message_id": message, "emoji_name": "tada"})
call("remove_reaction", {"message_id": message, "emoji_name": "tada"})
call("set_typing_status", {"op": "start", "to": [mia]})
call("get_stream_topics", channel)
call("mute_topic", {"stream": "python", "topic": "first", "op": "add"})
call("mark_topic_as_read", channel, "first")
call("mark_stream_as_read", channel)
call("mark_all_as_read")
call("move_topic", "python", "python next", "first", "second")

# People and settings
call("update_presence", {"status": "active", "ping_only": False, "new_user_input": True})
call("get_realm_presence")
call("get_user_presence", me["email"])
call("add_alert_words", ["rook"])
call("get_alert_words")
call("remove_alert_words", ["rook"])
call("update_notification_settings", {"enable_sounds": False})
new_user = call("create_user", {"email": "petra@roost.test", "password": "a-long-password-7", "full_name": "Petra Python"})
call("update_user_by_id", new_user["user_id"], full_name="Petra P")
call("deactivate_user_by_id", new_user["user_id"])
call("reactivate_user_by_id", new_user["user_id"])

# Organization
call("upload_custom_emoji", "python_rook", named("rook.png", PNG))
call("get_realm_emoji")
call("delete_custom_emoji", "python_rook")
linkifier = call("add_realm_filter", "#(?P<id>[0-9]+)", "https://example.com/{id}")
call("get_realm_linkifiers")
call("remove_realm_filter", linkifier["id"])
field = call("create_realm_profile_field", name="Pet", hint="Yours", field_type=1)
fields = call("get_realm_profile_fields")["custom_fields"]
call("update_realm_profile_field", field["id"], name="Bird")
call("reorder_realm_profile_fields", order=[one["id"] for one in reversed(fields)])
call("remove_realm_profile_field", field["id"])
call("create_user_group", {"name": "pythons", "description": "Snakes", "members": [me["user_id"]]})
groups = call("get_user_groups")["user_groups"]
group = next(one["id"] for one in groups if one["name"] == "pythons")
call("update_user_group", {"group_id": group, "name": "snakes", "description": "All of them"})
call("update_user_group_members", group, {"add": [mia]})
call("remove_user_group", group)

# Files and storage
call("upload_file", named("notes.txt", b"some notes"))
call("get_attachments")
call("update_storage", {"storage": {"key": "value"}})
call("get_storage", {"keys": ["key"]})

# What ends things
call("delete_message", message)
call("remove_subscriptions", ["python"], principals=[mia])
call("delete_stream", channel)

LOCAL = {"call_endpoint", "call_on_each_event", "call_on_each_message", "do_api_query", "ensure_session", "get_user_agent"}
methods = {name for name in dir(zulip.Client) if not name.startswith("_") and callable(getattr(zulip.Client, name))}
print(json.dumps({"replies": replies, "uncalled": sorted(methods - LOCAL - set(replies))}))
