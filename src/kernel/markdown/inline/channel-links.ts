import { type Element, element, type Node, plainElement, text } from '../tree.ts';
import type { LinkableChannel } from '../world.ts';
import { type InlineContext, syntax } from './context.ts';
import { isBoundary, replaceMatches } from './scan.ts';
import { EMPTY_TOPIC_NAME } from '#kernel/text';

const links = /#\*\*([^*]+)\*\*/g;
const messageLink = /^([^>]+)>(.*)@([0-9]+)$/s;
const topicLink = /^([^>]+)>(.*)$/s;

/** Characters that an address after `#narrow` has as they are, and the others. */
const allPlain = /^[A-Za-z0-9_\-~*]*$/;
const encoded = /[^A-Za-z0-9_\-~*]/gu;
const encoder = new TextEncoder();

/** Characters that may precede a channel link, besides white space (protocol/markdown#elements). */
const BEFORE_CHANNEL = '\'"({/<';

/** Parses `#**channel**`, `#**channel>topic**` and `#**channel>topic@id**` (protocol/markdown#channel-links). */
export const channelLinks = syntax('#', (source, context) => {
  if (!context.lookups.realm || !source.includes('#**')) return source;
  return replaceMatches(source, links, (match) => {
    if (!isBoundary(source, match.index, BEFORE_CHANNEL)) return undefined;
    const node = link(context.stash.restore(match[1] ?? ''), context);
    if (node) context.findings.hasLink = true;
    return node && context.stash.put(node, match[0]);
  });
});

function link(name: string, context: InlineContext): Element | undefined {
  const inside = name.includes('>') ? linkInto(name, context) : undefined;
  if (inside) return inside;
  const channel = context.lookups.channelNamed(name);
  return channel && linkToChannel(channel);
}

/** Makes a link to a topic or a message of a channel. */
function linkInto(name: string, { lookups }: InlineContext): Element | undefined {
  const [, ofMessage = '', messageTopic = '', messageId] = messageLink.exec(name) ?? [];
  const near = messageId === undefined ? undefined : lookups.channelNamed(ofMessage);
  if (near) return linkToMessage(near, messageTopic, messageId ?? '');
  const [, ofTopic, topic = ''] = topicLink.exec(name) ?? [];
  const within = ofTopic === undefined ? undefined : lookups.channelNamed(ofTopic);
  return within && linkToTopic(within, topic, lookups.latestMessage(within, topic));
}

function linkToChannel(channel: LinkableChannel): Element {
  const href = channelAddress(channel.stream_id, channel.name);
  return element('a', { class: 'stream', 'data-stream-id': String(channel.stream_id), href }, [
    text(`#${channel.name}`),
  ]);
}

function linkToTopic(channel: LinkableChannel, topic: string, latest: number | undefined): Element {
  const within = topicAddress(channel, topic);
  const href = latest === undefined ? within : `${within}/with/${latest}`;
  const attributes = { class: 'stream-topic', 'data-stream-id': String(channel.stream_id), href };
  return element('a', attributes, topicNodes(channel, topic));
}

function linkToMessage(channel: LinkableChannel, topic: string, messageId: string): Element {
  const href = `${topicAddress(channel, topic)}/near/${messageId}`;
  return element('a', { class: 'message-link', href }, [...topicNodes(channel, topic), text(' @ 💬')]);
}

function topicAddress(channel: LinkableChannel, topic: string): string {
  return `${channelAddress(channel.stream_id, channel.name)}/topic/${encodeNarrow(topic)}`;
}

function topicNodes(channel: LinkableChannel, topic: string): Node[] {
  if (topic !== '') return [text(`#${channel.name} > ${topic}`)];
  return [text(`#${channel.name} > `), plainElement('em', [text(EMPTY_TOPIC_NAME)])];
}

/**
 * Encodes text for an address after `#narrow`: percent-encoding with `.` instead of `%`
 * (protocol/markdown#channel-links).
 */
function encodeNarrow(text: string): string {
  if (allPlain.test(text)) return text;
  return text.replace(encoded, (character) => {
    let bytes = '';
    for (const byte of encoder.encode(character)) bytes += `.${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    return bytes;
  });
}

/** Relative address of a channel's messages. */
function channelAddress(channelId: number, name: string): string {
  return `/#narrow/channel/${channelId}-${encodeNarrow(name.replaceAll(' ', '-'))}`;
}
