import type { Entry } from '../entry.ts';
import {
  archiveOf,
  type Channel,
  channelLinksOf,
  type Community,
  type Conversation,
  entriesOf,
  firstText,
  mentionsOf,
  partOf,
  type Person,
  type Post,
  type PostFile,
  textsIn,
} from '../neutral/index.ts';
import { allowedName } from '../people.ts';
import { Report } from '../report.ts';
import type { ArchiveFiles, Source } from '../source.ts';
import { withAttachments } from './attachments.ts';
import { bytesOf, type Fetching, SlackFiles, type Stretch } from './fetched.ts';
import { type Meanings, toMarkdown } from './text.ts';

/** Notices that the server makes of what happens, and that people did not write. */
const NOTICES = /^(channel_|group_|bot_(add|remove)|pinned_item|reminder_add|tombstone)/;

/**
 * An export of Slack: users, public and private channels, direct conversations, and the messages of each day as a file. With
 * `fetching` the files that it names only are fetched from Slack.
 * See protocol/organizations#import-from-slack.
 */
export async function slackSource(files: ArchiveFiles, fetching?: Fetching): Promise<Source> {
  const users = await entriesOf(files, 'users.json');
  const places = await placesIn(files);
  const people = users.map(toPerson);
  const channels = places.flatMap(({ entry, isChannel, isPrivate }) =>
    isChannel ? [toChannel(entry, isPrivate)] : [],
  );
  const conversations = places.flatMap(({ entry, isChannel }): readonly Conversation[] =>
    isChannel ? [] : [{ key: entry.text('id'), members: textsIn(entry, 'members') }],
  );
  const meanings = { people: mentionsOf(people), channels: channelLinksOf(channels) };
  const [scratch, report] = [await files.scratch(), new Report()];
  const fetched = new Map<string, Stretch>();
  const slack = fetching && new SlackFiles(fetching, scratch, report);
  const reading = { files, places, meanings, bots: botsOf(users), slack, fetched };
  const community: Community = {
    product: 'Slack',
    people,
    channels,
    conversations,
    emoji: [],
    posts: () => postsIn(reading),
    open: (path) => {
      const stretch = fetched.get(path);
      return stretch ? Promise.resolve(bytesOf(scratch, stretch)) : files.open(path);
    },
  };
  return archiveOf(community, scratch, report);
}

interface SlackConversation {
  readonly entry: Entry;
  readonly folder: string;
  readonly isChannel: boolean;
  readonly isPrivate: boolean;
}

interface Reading {
  readonly files: ArchiveFiles;
  readonly places: readonly SlackConversation[];
  readonly meanings: Meanings;
  readonly bots: ReadonlyMap<string, string>;
  readonly slack: SlackFiles | undefined;
  /** What came from Slack, by the name under which it is opened. */
  readonly fetched: Map<string, Stretch>;
}

async function placesIn(files: ArchiveFiles): Promise<readonly SlackConversation[]> {
  const kinds = [
    ['channels.json', true, false],
    ['groups.json', true, true],
    ['mpims.json', false, true],
    ['dms.json', false, true],
  ] as const;
  const places: SlackConversation[] = [];
  for (const [path, isChannel, isPrivate] of kinds)
    for (const entry of await entriesOf(files, path)) {
      const folder = path === 'dms.json' ? entry.text('id') : entry.text('name');
      places.push({ entry, folder, isChannel, isPrivate });
    }
  return places;
}

/** Bots are named in messages by a code of their own. */
function botsOf(users: readonly Entry[]): ReadonlyMap<string, string> {
  return new Map(
    users.flatMap((user) => {
      const bot = partOf(user, 'profile').textOrNull('bot_id');
      return bot === null ? [] : [[bot, user.text('id')] as const];
    }),
  );
}

function toPerson(user: Entry): Person {
  const profile = partOf(user, 'profile');
  const name = firstText(
    profile.text('real_name', ''),
    user.text('real_name', ''),
    profile.text('display_name', ''),
    user.text('name', ''),
  );
  return {
    key: user.text('id'),
    name: allowedName(name),
    email: profile.text('email', ''),
    isActive: !user.bool('deleted', false),
    isBot: user.bool('is_bot', false) || user.text('id') === 'USLACKBOT',
    role: roleOf(user),
    timezone: user.text('tz', ''),
  };
}

function roleOf(user: Entry): Person['role'] {
  if (user.bool('is_owner', false)) return 100;
  if (user.bool('is_admin', false)) return 200;
  return user.bool('is_restricted', false) || user.bool('is_ultra_restricted', false) ? 600 : 400;
}

function toChannel(entry: Entry, isPrivate: boolean): Channel {
  return {
    key: entry.text('id'),
    name: entry.text('name'),
    description: partOf(entry, 'purpose').text('value', ''),
    isPrivate,
    isArchived: entry.bool('is_archived', false),
    isDefault: entry.bool('is_general', false),
    created: entry.timeOrNull('created'),
    creator: entry.text('creator', ''),
    members: textsIn(entry, 'members'),
  };
}

async function* postsIn(reading: Reading): AsyncGenerator<Post> {
  const { files, places } = reading;
  for (const place of places)
    for (const name of (await files.list(place.folder)).toSorted()) {
      if (!/^\d{4}-\d{2}-\d{2}\.json$/.test(name)) continue;
      const path = `${place.folder}/${name}`;
      for (const [index, entry] of (await entriesOf(files, path)).entries())
        if (entry.text('type', 'message') === 'message' && !NOTICES.test(entry.text('subtype', '')))
          yield await toPost(reading, place, entry, `${path}[${index}]`);
    }
}

async function toPost(reading: Reading, place: SlackConversation, entry: Entry, at: string): Promise<Post> {
  const { bots, meanings } = reading;
  const [user, channel, thread] = [entry.text('user', ''), place.entry.text('id'), entry.textOrNull('thread_ts')];
  const found: PostFile[] = [];
  for (const file of entry.parts('files')) found.push(await toFile(reading, place, file, at));
  if (isOldUpload(entry)) {
    const file = await toFile(reading, place, partOf(entry, 'file'), at);
    // Where it is not, the text has its address already.
    if (file.path !== undefined) found.push(file);
  }
  return {
    key: `${channel} ${entry.text('ts')}`,
    place: at,
    author: user === '' ? bots.get(entry.text('bot_id', '')) : user,
    channel,
    thread: thread === null ? undefined : `${channel} ${thread}`,
    at: timeOf(entry),
    editedAt: entry.raw('edited') === undefined ? null : Math.floor(Number(partOf(entry, 'edited').raw('ts')) || 0),
    text: toMarkdown(withAttachments(entry.text('text', ''), entry.parts('attachments')), meanings),
    files: found,
    reactions: entry.parts('reactions').map((reaction) => ({
      emoji: reaction.text('name').replace(/::.*$/, ''),
      by: textsIn(reaction, 'users'),
    })),
  };
}

/** Until 2018 a message with a file had one only, and said so in its text. */
function isOldUpload(entry: Entry): boolean {
  return entry.text('subtype', '') === 'file_share' && entry.has('file') && !entry.has('files');
}

/** Slack's own exports have addresses of files only; those of common tools have the files in one of two places. */
async function toFile(
  { files, slack, fetched }: Reading,
  { folder }: SlackConversation,
  file: Entry,
  at: string,
): Promise<PostFile> {
  const [id, name] = [file.text('id', ''), file.text('name', 'file')];
  const type = file.textOrNull('mimetype') ?? undefined;
  const address = file.textOrNull('permalink') ?? file.textOrNull('url_private') ?? undefined;
  for (const path of [`__uploads/${id}/${name}`, `${folder}/attachments/${id}-${name}`])
    if (id !== '' && (await files.has(path))) return { name, path, type };
  const download = firstText(file.text('url_private_download', ''), file.text('url_private', ''));
  const stretch = await slack?.fetch(download, at);
  if (!stretch) return { name, address };
  // No file of the archive has such a name.
  const path = `//slack/${fetched.size}`;
  fetched.set(path, stretch);
  return { name, path, type };
}

function timeOf(entry: Entry): number {
  const time = Number(entry.text('ts'));
  if (!(time > 0)) throw entry.fault('ts', 'is no time');
  return time;
}
