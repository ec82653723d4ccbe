#!/usr/bin/env python3
"""Posts what is new in RSS and Atom feeds to a channel. See docs/bridges.md."""

import argparse
import html
import json
import logging
import re
import time
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from xml.etree.ElementTree import Element, ParseError

import requests
from common import connect, plain, post
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

log = logging.getLogger("feeds")

# Bounds of one fetch, and of what is kept and posted of one feed.
MAX_BYTES = 5_000_000
TIMEOUT_SECONDS = 20
MAX_KNOWN = 2000
MAX_POSTED = 10
MAX_SUMMARY = 500


def fetch(url: str, known: dict) -> bytes | None:
    """The bytes of a feed; None when it says that it has not changed."""
    headers = {"user-agent": "RoostFeeds/1.0", "accept-encoding": "gzip"}
    if "etag" in known:
        headers["if-none-match"] = known["etag"]
    if "modified" in known:
        headers["if-modified-since"] = known["modified"]
    end = time.monotonic() + TIMEOUT_SECONDS
    with requests.get(url, headers=headers, timeout=TIMEOUT_SECONDS, stream=True) as reply:
        if reply.status_code == 304:
            return None
        reply.raise_for_status()
        body = bytearray()
        for part in reply.iter_content(65_536):
            body += part
            if len(body) > MAX_BYTES:
                raise ValueError(f"more than {MAX_BYTES} bytes")
            if time.monotonic() > end:
                raise ValueError(f"longer than {TIMEOUT_SECONDS} seconds")
        for name, header in [("etag", "etag"), ("modified", "last-modified")]:
            known.pop(name, None)
            if header in reply.headers:
                known[name] = reply.headers[header]
        return bytes(body)


def local(element: Element) -> str:
    """The name of an element without its namespace: RSS 0.9 to 2.0 and Atom differ in little else."""
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def child(element: Element, *names: str) -> str:
    """The text of the first child of one of the names."""
    for name in names:
        for one in element:
            if local(one) == name and (text := "".join(one.itertext()).strip()):
                return text
    return ""


def link_of(element: Element) -> str:
    """The address of an entry or a feed: Atom has it as an attribute."""
    for one in element:
        if local(one) == "link" and one.get("href") and one.get("rel", "alternate") == "alternate":
            return one.get("href", "").strip()
    return child(element, "link")


def read(body: bytes, url: str) -> tuple[str, list[dict]]:
    """Title and entries of a feed, the newest first, as feeds have them. Entities of its own are refused."""
    root = fromstring(body)
    channel = next((one for one in root if local(one) == "channel"), root)
    entries = [one for one in root.iter() if local(one) in ("item", "entry")]
    if local(root) not in ("rss", "rdf", "feed"):
        raise ValueError(f"a feed is no <{local(root)}>")
    found = []
    for entry in entries:
        address = urljoin(url, link_of(entry))
        title = child(entry, "title")
        summary = child(entry, "description", "summary", "content", "encoded")
        found.append({"id": child(entry, "guid", "id") or address or title, "title": title, "link": address, "summary": summary})
    return child(channel, "title"), found


def words(text: str) -> str:
    """The text of a piece of HTML in one line that formats nothing."""
    return plain_line(html.unescape(re.sub(r"<[^>]*>", " ", html.unescape(text))))


def plain_line(text: str) -> str:
    return re.sub(r"([*_`~@#\[\]<>|\\$:])", lambda found: f"&#{ord(found[1])};", " ".join(text.split()))


def message_of(entry: dict) -> str:
    """What is said of an entry."""
    title = words(entry["title"])[:300] or "Untitled"
    is_web = urlsplit(entry["link"]).scheme in ("http", "https") and not re.search(r"[\s()<>]", entry["link"])
    head = f"**[{title}]({entry['link']})**" if is_web else f"**{title}**"
    summary = html.unescape(re.sub(r"<[^>]*>", " ", html.unescape(entry["summary"])))
    short = " ".join(summary.split())
    if len(short) > MAX_SUMMARY:
        short = short[:MAX_SUMMARY].rsplit(" ", 1)[0] + " …"
    return head if short == "" else f"{head}\n\n{plain_line(short)}"


def follow(url: str, known: dict, say, is_first: bool) -> None:
    """Posts what is new in one feed; of one that is new itself nothing, for all of it is old."""
    body = fetch(url, known)
    if body is None:
        return
    title, entries = read(body, url)
    seen = known.setdefault("seen", [])
    new = [one for one in {one["id"]: one for one in entries}.values() if one["id"] not in set(seen)]
    if not is_first:
        # The oldest first; of a feed that says very much at once, the newest.
        for entry in reversed(new[:MAX_POSTED]):
            if not say(plain(title or urlsplit(url).netloc), message_of(entry)):
                # Next time again, with everything.
                known.pop("etag", None)
                known.pop("modified", None)
                return
            seen.append(entry["id"])
    known["seen"] = [*seen, *[one["id"] for one in new if one["id"] not in seen]][-MAX_KNOWN:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--zuliprc", required=True, help="account that posts")
    parser.add_argument("--channel", required=True)
    parser.add_argument("--topic", help="title of the feed when absent")
    parser.add_argument("--state", required=True, type=Path, help="file that says what is known already")
    parser.add_argument("--every", type=int, default=900, metavar="SECONDS", help="0: once")
    parser.add_argument("feeds", nargs="+", metavar="URL")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    client = connect(options.zuliprc)
    state = json.loads(options.state.read_text()) if options.state.exists() else {}

    def say(title: str, content: str) -> bool:
        return post(client, options.channel, (options.topic or title)[:60], content)

    while True:
        for url in options.feeds:
            is_first = url not in state
            known = dict(state.get(url, {}))
            try:
                follow(url, known, say, is_first)
                state[url] = known
            except (requests.RequestException, ValueError, ParseError, DefusedXmlException) as fault:
                log.warning("%s: %s", url, fault)
        written = options.state.with_suffix(".new")
        written.write_text(json.dumps(state))
        written.replace(options.state)
        if options.every == 0:
            return
        time.sleep(options.every)


if __name__ == "__main__":
    main()
