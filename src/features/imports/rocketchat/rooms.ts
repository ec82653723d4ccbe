import type { Entry } from '../entry.ts';
import { type Channel, type Conversation, firstText, partOf, textsIn } from '../neutral/index.ts';
import type { Report } from '../report.ts';
import type { ArchiveFiles } from '../source.ts';
import { recordsOf } from './records.ts';

/** A channel, with the name that texts call it by. */
export interface Room extends Channel {
  readonly handle: string;
}

/** Where the messages of a room go: to a channel or conversation, and for a discussion to its topic there. */
interface RoomTarget {
  readonly channel: string;
  readonly topic: string | undefined;
}

type Members = ReadonlyMap<string, ReadonlySet<string>>;

/** All rooms. */
export class Rooms {
  readonly channels: readonly Room[];
  readonly conversations: readonly Conversation[];
  readonly #places = new Map<string, RoomTarget>();

  private constructor(rows: readonly Entry[], report: Report, members: Members) {
    const byId = new Map(rows.map((row) => [row.text('_id'), row]));
    const channels: Room[] = [];
    const conversations: Conversation[] = [];
    for (const row of rows) {
      const [key, kind] = [row.text('_id'), row.text('t')];
      const parent = outermost(byId, row);
      const inside = [...(members.get(key) ?? [])];
      if (kind === 'd') conversations.push({ key, members: inside });
      else if (kind !== 'c' && kind !== 'p') {
        report.remark('rooms left out', `${key}: of kind "${kind}"`);
        continue;
      } else if (parent === row) channels.push(toRoom(row, inside));
      const topic = parent === row ? undefined : nameOf(row);
      this.#places.set(key, { channel: parent.text('_id'), topic });
    }
    this.channels = channels;
    this.conversations = conversations;
  }

  static async read(
    files: ArchiveFiles,
    folder: string,
    report: Report,
    accounts: readonly {
      readonly person: { readonly key: string };
      readonly username: string;
      readonly rooms: readonly string[];
    }[],
  ): Promise<Rooms> {
    const rows: Entry[] = [];
    for await (const { entry } of recordsOf(files, folder, 'rocketchat_room')) rows.push(entry);
    const members = new Map(rows.map((row) => [row.text('_id'), new Set(textsIn(row, 'uids'))]));
    const byName = new Map(accounts.map(({ username, person }) => [username, person.key]));
    for (const row of rows)
      for (const name of textsIn(row, 'usernames')) members.get(row.text('_id'))?.add(byName.get(name) ?? '');
    for (const { person, rooms } of accounts) for (const id of rooms) members.get(id)?.add(person.key);
    for await (const { entry } of recordsOf(files, folder, 'rocketchat_subscription'))
      members.get(entry.text('rid'))?.add(partOf(entry, 'u').text('_id', ''));
    return new Rooms(rows, report, members);
  }

  placeOf(room: string): RoomTarget | undefined {
    return this.#places.get(room);
  }
}

/** The room that a discussion began in; the room itself where it is none, or where that one has no topics. */
function outermost(rooms: ReadonlyMap<string, Entry>, row: Entry): Entry {
  const seen = new Set<string>();
  for (let one = row; ; ) {
    const parent = rooms.get(one.text('prid', ''));
    if (!parent || seen.has(parent.text('_id'))) return one;
    // What is private stays among those who had it.
    if (parent.text('t') === 'd' || parent.text('t') !== row.text('t')) return row;
    seen.add(parent.text('_id'));
    one = parent;
  }
}

function nameOf(row: Entry): string {
  return firstText(row.textOrNull('fname'), row.textOrNull('name'), row.text('_id'));
}

function toRoom(row: Entry, members: readonly string[]): Room {
  return {
    key: row.text('_id'),
    handle: row.text('name', ''),
    name: nameOf(row),
    description: firstText(row.textOrNull('description'), row.textOrNull('topic')),
    isPrivate: row.text('t') === 'p',
    isArchived: row.bool('archived', false),
    isDefault: row.bool('default', false),
    isReadOnly: row.bool('ro', false),
    created: row.timeOrNull('ts'),
    creator: partOf(row, 'u').text('_id', ''),
    members,
  };
}
