import type { Entry } from '../entry.ts';
import { outsideOfCode, partOf, type Post, type PostFile, textsIn, withMentions } from '../neutral/index.ts';
import type { Report } from '../report.ts';
import type { ArchiveFiles } from '../source.ts';
import type { Bucket } from './bucket.ts';
import { recordsOf } from './records.ts';
import type { Rooms } from './rooms.ts';

interface Reading {
  readonly files: ArchiveFiles;
  readonly folder: string;
  readonly report: Report;
  readonly rooms: Rooms;
  readonly uploads: Bucket;
  /** Keys of people by the names that texts call them by. */
  readonly keys: ReadonlyMap<string, string>;
  readonly meanings: Meanings;
}

/** The messages of all rooms. Notices of the server have a kind, which messages that people wrote do not. */
export async function* postsIn(reading: Reading): AsyncGenerator<Post> {
  const { files, folder, report, rooms } = reading;
  for await (const { entry, place } of recordsOf(files, folder, 'rocketchat_message')) {
    const [kind, room] = [entry.textOrNull('t'), entry.text('rid', '')];
    if (kind === 'e2e') report.remark('messages left out', `${place}: only its readers can decrypt it`);
    if (kind !== null && kind !== '') continue;
    const where = rooms.placeOf(room);
    if (!where) report.remark('messages left out', `${place}: its room is not in the archive`);
    else yield await toPost(reading, entry, place, where);
  }
}

async function toPost(
  reading: Reading,
  entry: Entry,
  place: string,
  { channel, topic }: { readonly channel: string; readonly topic: string | undefined },
): Promise<Post> {
  const [key, root] = [entry.text('_id'), entry.textOrNull('tmid')];
  const at = entry.raw('ts');
  if (typeof at !== 'number' || !(at > 0)) throw entry.fault('ts', 'is no time');
  const isThread = entry.int('tcount', 0) > 0 || entry.list('replies').length > 0;
  const began = root ?? (isThread ? key : undefined);
  return {
    key,
    place,
    author: partOf(entry, 'u').text('_id', ''),
    channel,
    topic,
    thread: began,
    at,
    editedAt: entry.timeOrNull('editedAt'),
    text: textOf(reading, entry),
    files: await filesOf(reading, entry, place),
    reactions: reactionsOf(reading, entry),
  };
}

/** What was written, and what is attached that is no file: quoted messages, and cards of programs. */
function textOf({ meanings }: Reading, entry: Entry): string {
  const attached = entry.parts('attachments').flatMap((part) => {
    const text = toMarkdown(part.text('text', ''), meanings);
    if (part.has('message_link')) return text === '' ? [] : [quoted(part.text('author_name', ''), text)];
    const title = part.has('title_link') || part.has('image_url') ? '' : part.text('title', '');
    return [title, text, toMarkdown(part.text('description', ''), meanings)];
  });
  return [...attached, toMarkdown(entry.text('msg', ''), meanings)].filter((part) => part !== '').join('\n\n');
}

async function filesOf(
  { files, folder, uploads, report }: Reading,
  entry: Entry,
  place: string,
): Promise<readonly PostFile[]> {
  const all = [...(entry.has('file') ? [partOf(entry, 'file')] : []), ...entry.parts('files')];
  const found = new Map<string, PostFile>();
  for (const file of all) {
    const [id, name] = [file.text('_id', ''), file.text('name', 'file')];
    // Beside a picture there is a small one.
    if (id === '' || found.has(id) || name.startsWith('thumb-')) continue;
    const path =
      uploads.pathOf(id) ?? (await firstOf(files, [`${folder}uploads/${id}`, `uploads/${id}`, `files/${id}`]));
    if (path === undefined) report.remark('files left out', `${place}: ${name} is not in the archive`);
    found.set(id, { name, path, type: file.textOrNull('type') ?? undefined });
  }
  return [...found.values()];
}

async function firstOf(files: ArchiveFiles, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await files.has(path)) return path;
  return undefined;
}

function reactionsOf({ keys }: Reading, entry: Entry): Post['reactions'] {
  const reactions = partOf(entry, 'reactions');
  return [...reactions.names].map((name) => ({
    emoji: name.replaceAll(':', ''),
    by: textsIn(partOf(reactions, name), 'usernames').map((username) => keys.get(username) ?? username),
  }));
}

interface Meanings {
  /** How people are mentioned, by the names that texts call them by. */
  readonly people: ReadonlyMap<string, string>;
  /** How channels are named in a text, by their short names. */
  readonly channels: ReadonlyMap<string, string>;
}

/** The address of a quoted message, which is attached as well. */
const QUOTED = /\[\s*\]\(https?:\/\/[^\s)]*[?&]msg=[^\s)]*\)\s*/g;

/** The text of a Rocket.Chat message in our Markdown. See protocol/organizations#import-from-rocketchat. */
function toMarkdown(text: string, meanings: Meanings): string {
  const turned = outsideOfCode(text.replaceAll(QUOTED, ''), (part) =>
    withMentions(
      part
        .replaceAll(/(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=\S)\*(?![\w*])/g, '\u0000$1\u0000')
        .replaceAll(/(?<![\w_])_(?=[^\s_])([^_\n]+?)(?<=\S)_(?![\w_])/g, '*$1*')
        .replaceAll('\u0000', '**')
        .replaceAll(/(?<![\w~])~(?=[^\s~])([^~\n]+?)(?<=\S)~(?![\w~])/g, '~~$1~~'),
      meanings.people,
    ).replaceAll(
      /(?<![\p{L}\p{N}#&/])#([\p{L}\p{N}][\p{L}\p{N}._-]*)/gu,
      (all, name: string) => meanings.channels.get(name) ?? all,
    ),
  );
  return turned.trim();
}

/** A message within another one. */
function quoted(author: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length + 1)));
  return `${author === '' ? '' : `${author}:\n`}${fence}quote\n${text}\n${fence}`;
}
