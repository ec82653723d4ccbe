import { createHash } from 'node:crypto';
import type { Entry } from '../entry.ts';
import { outsideOfCode, partOf, type Post, type PostFile, withMentions } from '../neutral/index.ts';
import { fileIn } from './files.ts';
import { conversationKey, itemsOf, type LineFile } from './items.ts';

interface Reading extends LineFile {
  readonly meanings: {
    readonly people: ReadonlyMap<string, string>;
    readonly channels: ReadonlyMap<string, string>;
  };
}

/** The messages of all channels and direct conversations, each followed by the replies to it. */
export async function* postsIn(reading: Reading): AsyncGenerator<Post> {
  for await (const { type, entry, texts, place } of itemsOf(reading, false)) {
    if (type !== 'post' && type !== 'direct_post') continue;
    const channel =
      type === 'post' ? `${entry.text('team')}/${entry.text('channel')}` : conversationKey(texts('channel_members'));
    const replies = entry.parts('replies');
    const own = await toPost(reading, entry, channel, place);
    const thread = replies.length > 0 ? own.key : undefined;
    if (isWritten(entry)) yield { ...own, thread };
    for (const [index, reply] of replies.entries())
      if (isWritten(reply)) yield { ...(await toPost(reading, reply, channel, `${place}, reply ${index}`)), thread };
  }
}

/** The server's own notices have a type. */
function isWritten(entry: Entry): boolean {
  return !entry.text('type', '').startsWith('system_') && entry.int('delete_at', 0) === 0;
}

async function toPost(reading: Reading, entry: Entry, channel: string, place: string): Promise<Post> {
  const [author, message, at] = [entry.text('user'), entry.text('message', ''), millisecondsOf(entry, 'create_at')];
  const edited = entry.int('edit_at', 0);
  return {
    key: keyOf(channel, author, at, message),
    place,
    author,
    channel,
    at: at / 1000,
    editedAt: edited > 0 ? Math.floor(edited / 1000) : null,
    text: [toMarkdown(message, reading.meanings), ...cardsOf(partOf(entry, 'props'), reading.meanings)]
      .filter((part) => part !== '')
      .join('\n\n'),
    files: await filesOf(reading, entry, place),
    reactions: entry.parts('reactions').map((one) => ({ emoji: one.text('emoji_name'), by: [one.text('user')] })),
  };
}

/** Messages have no codes of their own in such an archive. */
function keyOf(channel: string, author: string, at: number, message: string): string {
  return createHash('sha256')
    .update(JSON.stringify([channel, author, at, message]))
    .digest('base64url');
}

function millisecondsOf(entry: Entry, name: string): number {
  const value = entry.int(name, 0);
  if (value <= 0) throw entry.fault(name, 'is no time');
  return value;
}

async function filesOf({ files, report }: Reading, entry: Entry, place: string): Promise<readonly PostFile[]> {
  const found: PostFile[] = [];
  for (const attachment of entry.parts('attachments')) {
    const given = attachment.text('path');
    const [name, path] = [given.slice(given.lastIndexOf('/') + 1), await fileIn(files, given)];
    if (path === undefined) report.remark('files left out', `${place}: ${given} is not in the archive`);
    found.push({ name, path });
  }
  return found;
}

/** What programs attach to their messages. */
function cardsOf(props: Entry, meanings: Reading['meanings']): readonly string[] {
  return props.parts('attachments').map((card) => {
    const [title, link] = [card.text('title', ''), card.text('title_link', '')];
    const head = title !== '' && link !== '' ? `[${title.replaceAll(/[[\]]/g, '')}](${link})` : title;
    return [card.text('pretext', ''), head, card.text('text', '')]
      .filter((part) => part !== '')
      .map((part) => toMarkdown(part, meanings))
      .join('\n');
  });
}

/** Mattermost's texts are Markdown; only mentions and links to channels are written otherwise. */
function toMarkdown(text: string, { people, channels }: Reading['meanings']): string {
  return outsideOfCode(text, (part) =>
    withMentions(part, people).replaceAll(
      /(?<![\p{L}\p{N}~])~([a-z0-9][a-z0-9_-]*)/gu,
      (all, name: string) => channels.get(name) ?? all,
    ),
  );
}
