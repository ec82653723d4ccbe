import { emojiCode } from '#kernel/markdown';
import { takeCodePoints } from '#kernel/text';
import { Entry } from '../entry.ts';
import { allowedName } from '../people.ts';
import type { Source } from '../source.ts';
import { type Meanings, threadTopic, toMarkdown } from './text.ts';

/** A folder of a Slack export, as far as it is needed. */
export interface SlackFiles {
  /** The value in a JSON file; undefined where there is none. */
  json(path: string): Promise<unknown>;
  /** Names of the files in a folder; none where there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
}

/** Messages outside of threads. */
const TOPIC = 'imported from Slack';
/** Notices that the server makes of what happens, and that people did not write. */
const NOTICES = /^(channel_|group_|bot_(add|remove)|pinned_item|reminder_add|tombstone)/;
const MAX_CHANNEL = 60;

interface Place {
  readonly entry: Entry;
  readonly folder: string;
  readonly recipient: number;
  /** Undefined for direct conversations. */
  readonly channel: number | undefined;
  readonly isPrivate: boolean;
}

/**
 * Gives an export of Slack in the form of an established server's: users, public and private channels, direct
 * conversations, and the messages of each day as a file. See protocol/organizations#import-from-slack.
 */
export async function slackSource(files: SlackFiles): Promise<Source> {
  const users = await entriesOf(files, 'users.json');
  const userIds = new Map(users.map((user, index) => [user.text('id'), index + 1]));
  const places = await placesIn(files);
  const meanings: Meanings = {
    people: new Map(users.map((user) => [user.text('id'), nameOf(user)])),
    channels: new Map(
      places.flatMap(({ entry, channel }) => (channel === undefined ? [] : [[entry.text('id'), channelName(entry)]])),
    ),
  };
  const stranger = users.length + 1;
  const senders = new Map([...userIds, ...botsOf(users)]);
  const days = await daysIn(files, places);
  const reader = new Days(files, days, { senders, stranger, meanings });
  const reactions = await reader.lookThrough();
  return {
    json: async (path) => {
      if (path === 'attachment.json') return { zerver_attachment: [] };
      if (path === 'realm.json') return realmOf(users, userIds, places, stranger, reactions);
      const day = /^messages-(.+)\.json$/.exec(path)?.[1];
      return day === undefined ? undefined : { zerver_message: await reader.messages(day) };
    },
    messageFiles: async () => [...days.keys()].toSorted().map((day) => `messages-${day}.json`),
    open: () => Promise.resolve(undefined),
  };
}

async function entriesOf(files: SlackFiles, path: string): Promise<readonly Entry[]> {
  const value = (await files.json(path)) ?? [];
  return new Entry(path, { rows: value }).list('rows').map((row, index) => new Entry(`${path}[${index}]`, row));
}

async function placesIn(files: SlackFiles): Promise<readonly Place[]> {
  const kinds = [
    ['channels.json', true, false],
    ['groups.json', true, true],
    ['mpims.json', false, true],
    ['dms.json', false, true],
  ] as const;
  const places: Place[] = [];
  for (const [path, isChannel, isPrivate] of kinds)
    for (const entry of await entriesOf(files, path)) {
      const recipient = places.length + 1;
      const folder = path === 'dms.json' ? entry.text('id') : entry.text('name');
      places.push({ entry, folder, recipient, channel: isChannel ? recipient : undefined, isPrivate });
    }
  return places;
}

/** Bots are named in messages by a code of their own. */
function botsOf(users: readonly Entry[]): readonly (readonly [string, number])[] {
  return users.flatMap((user, index) => {
    const bot = partOf(user, 'profile').textOrNull('bot_id');
    return bot === null ? [] : [[bot, index + 1] as const];
  });
}

function partOf(entry: Entry, name: string): Entry {
  const value = entry.raw(name);
  return new Entry(name, typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {});
}

function nameOf(user: Entry): string {
  const profile = partOf(user, 'profile');
  const names = [
    profile.text('real_name', ''),
    user.text('real_name', ''),
    profile.text('display_name', ''),
    user.text('name', ''),
  ];
  return allowedName(names.find((name) => name.trim() !== '') ?? 'User');
}

const channelName = (entry: Entry) => takeCodePoints(entry.text('name'), MAX_CHANNEL);

/** Which folders have messages of each day. */
async function daysIn(files: SlackFiles, places: readonly Place[]): Promise<ReadonlyMap<string, readonly Place[]>> {
  const days = new Map<string, Place[]>();
  for (const place of places)
    for (const name of await files.list(place.folder)) {
      const day = /^(\d{4}-\d{2}-\d{2})\.json$/.exec(name)?.[1];
      if (day !== undefined) days.set(day, [...(days.get(day) ?? []), place]);
    }
  return days;
}

function realmOf(
  users: readonly Entry[],
  userIds: ReadonlyMap<string, number>,
  places: readonly Place[],
  stranger: number,
  reactions: readonly object[],
): object {
  const channels = places.filter((place) => place.channel !== undefined);
  const members = places.flatMap(({ entry, recipient }) =>
    entry.list('members').flatMap((code) => {
      const user_profile = userIds.get(String(code));
      return user_profile === undefined ? [] : [{ user_profile, recipient, active: true }];
    }),
  );
  return {
    import_source: 'slack',
    zerver_realm: [{ id: 1, name: 'Slack' }],
    zerver_userprofile: [
      ...users.map(toUser),
      { id: stranger, full_name: 'Slack', email: '', role: 400, is_bot: true, bot_type: 1, is_active: false },
    ],
    zerver_stream: channels.map(({ entry, recipient, isPrivate }) => ({
      id: recipient,
      name: channelName(entry),
      description: partOf(entry, 'purpose').text('value', ''),
      invite_only: isPrivate,
      history_public_to_subscribers: true,
      deactivated: entry.bool('is_archived', false),
      date_created: entry.timeOrNull('created'),
      creator: userIds.get(entry.text('creator', '')) ?? null,
    })),
    zerver_defaultstream: channels
      .filter(({ entry }) => entry.bool('is_general', false))
      .map(({ recipient }) => ({ id: recipient, stream: recipient })),
    zerver_recipient: places.map(({ recipient, channel }) => ({
      id: recipient,
      type: channel === undefined ? 3 : 2,
      type_id: recipient,
    })),
    zerver_subscription: members.map((row, index) => ({ id: index + 1, ...row })),
    zerver_reaction: reactions,
  };
}

function toUser(user: Entry, index: number): object {
  const isBot = user.bool('is_bot', false) || user.text('id') === 'USLACKBOT';
  const role = user.bool('is_owner', false)
    ? 100
    : user.bool('is_admin', false)
      ? 200
      : user.bool('is_restricted', false) || user.bool('is_ultra_restricted', false)
        ? 600
        : 400;
  return {
    id: index + 1,
    full_name: nameOf(user),
    delivery_email: partOf(user, 'profile').text('email', ''),
    is_active: !user.bool('deleted', false),
    is_bot: isBot,
    bot_type: isBot ? 1 : null,
    role: isBot ? 400 : role,
    timezone: user.text('tz', ''),
  };
}

interface Known {
  readonly senders: ReadonlyMap<string, number>;
  readonly stranger: number;
  readonly meanings: Meanings;
}

/** Reads the messages of each day; their numbers grow from day to day, and are the same however often a day is read. */
class Days {
  readonly #files: SlackFiles;
  readonly #days: ReadonlyMap<string, readonly Place[]>;
  readonly #known: Known;
  readonly #first = new Map<string, number>();
  /** Topics by channel and the time of the message that a thread began with. */
  readonly #topics = new Map<string, string>();

  constructor(files: SlackFiles, days: ReadonlyMap<string, readonly Place[]>, known: Known) {
    this.#files = files;
    this.#days = days;
    this.#known = known;
  }

  async messages(day: string): Promise<readonly object[]> {
    const rows = await this.#read(day);
    const first = this.#first.get(day) ?? 1;
    return rows.map(({ place, entry }, index) => this.#toMessage(place, entry, first + index));
  }

  /** Numbers the messages of all days and names the topics of threads, whose beginnings come first; all reactions. */
  async lookThrough(): Promise<readonly object[]> {
    const found: object[] = [];
    let first = 1;
    for (const day of [...this.#days.keys()].toSorted()) {
      this.#first.set(day, first);
      const rows = await this.#read(day);
      for (const [index, { place, entry }] of rows.entries()) {
        this.#noteThread(place, entry);
        for (const reaction of entry.parts('reactions'))
          found.push(...this.#reactionsBy(reaction, first + index, found.length));
      }
      first += rows.length;
    }
    return found;
  }

  #reactionsBy(reaction: Entry, message: number, before: number): readonly object[] {
    const emoji_name = reaction.text('name').replace(/::.*$/, '');
    const emoji_code = emojiCode(emoji_name);
    if (emoji_code === undefined) return [];
    const users = reaction.list('users').flatMap((code) => this.#known.senders.get(String(code)) ?? []);
    return users.map((user_profile, index) => ({
      id: before + index + 1,
      message,
      user_profile,
      emoji_name,
      emoji_code,
      reaction_type: 'unicode_emoji',
    }));
  }

  /** The messages of a day from all channels, in the order of their times. */
  async #read(day: string): Promise<readonly { readonly place: Place; readonly entry: Entry }[]> {
    const rows: { place: Place; entry: Entry }[] = [];
    for (const place of this.#days.get(day) ?? [])
      for (const entry of await entriesOf(this.#files, `${place.folder}/${day}.json`))
        if (entry.text('type', 'message') === 'message' && !NOTICES.test(entry.text('subtype', '')))
          rows.push({ place, entry });
    return rows.toSorted((a, b) => timeOf(a.entry) - timeOf(b.entry));
  }

  #noteThread({ recipient }: Place, entry: Entry): void {
    const thread = entry.textOrNull('thread_ts');
    const key = `${recipient} ${thread}`;
    if (thread === null || this.#topics.has(key)) return;
    const text = thread === entry.text('ts') ? toMarkdown(entry.text('text', ''), this.#known.meanings) : '';
    this.#topics.set(key, threadTopic(Number(thread) || 0, text));
  }

  #toMessage(place: Place, entry: Entry, id: number): object {
    const { senders, stranger, meanings } = this.#known;
    const topic = this.#topics.get(`${place.recipient} ${entry.textOrNull('thread_ts')}`) ?? TOPIC;
    const files = entry.parts('files').map((file) => {
      const address = file.textOrNull('permalink') ?? file.textOrNull('url_private');
      const name = file.text('name', 'file').replaceAll(/[[\]]/g, '');
      return address === null ? name : `[${name}](${address})`;
    });
    const text = toMarkdown(entry.text('text', ''), meanings);
    const edited =
      entry.raw('edited') === undefined ? null : Math.floor(Number(partOf(entry, 'edited').raw('ts')) || 0);
    return {
      id,
      sender: senders.get(entry.text('user', '')) ?? senders.get(entry.text('bot_id', '')) ?? stranger,
      recipient: place.recipient,
      subject: place.channel === undefined ? '' : topic,
      content: [text, ...files].filter((part) => part !== '').join('\n'),
      date_sent: timeOf(entry),
      last_edit_time: edited,
    };
  }
}

function timeOf(entry: Entry): number {
  const time = Number(entry.text('ts'));
  if (!(time > 0)) throw entry.fault('ts', 'is no time');
  return time;
}
