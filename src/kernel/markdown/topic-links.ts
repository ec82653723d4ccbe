import { cleanAddress } from './addresses/clean.ts';
import { type FoundAddress, scanAddresses } from './addresses/scan-addresses.ts';
import type { Linkifiers } from './linkifiers/compile.ts';

/** A link in a topic's name; both fields are plain text. */
export interface TopicLink {
  readonly url: string;
  readonly text: string;
}

interface Candidate extends TopicLink {
  readonly start: number;
  readonly end: number;
}

const pieces = /[^\s!;),'"]+/g;
const prefixes: Readonly<Record<FoundAddress['kind'], string>> = { full: '', bare: 'https://', mail: 'mailto:' };

/**
 * Returns the links in a topic's name, by position (protocol/markdown#topic-links). Where matches overlap, earlier
 * linkifiers take precedence over later ones, and linkifiers over addresses.
 */
export function topicLinks(topic: string, linkifiers: Linkifiers): TopicLink[] {
  const taken: Candidate[] = [];
  for (const candidate of [...byLinkifiers(topic, linkifiers), ...addresses(topic)]) {
    if (!taken.some((other) => candidate.start < other.end && other.start < candidate.end)) taken.push(candidate);
  }
  return taken.sort((a, b) => a.start - b.start).map(({ url, text }) => ({ url, text }));
}

function byLinkifiers(topic: string, linkifiers: Linkifiers): Candidate[] {
  return linkifiers
    .mayMatch(topic)
    .flatMap((linkifier) =>
      linkifier.matches(topic).flatMap(({ start, end, url }) => candidate(topic, start, end, url)),
    );
}

function addresses(topic: string): Candidate[] {
  return [...topic.matchAll(pieces)].flatMap(({ 0: piece, index }) =>
    scanAddresses(piece).flatMap(({ start, end, kind }) =>
      candidate(topic, index + start, index + end, prefixes[kind] + piece.slice(start, end)),
    ),
  );
}

function candidate(topic: string, start: number, end: number, url: string): Candidate[] {
  const checked = cleanAddress(url);
  return checked === undefined ? [] : [{ start, end, url: checked, text: topic.slice(start, end) }];
}
