import { ImportRefused } from '../entry.ts';
import {
  archiveOf,
  type Channel,
  channelLinksOf,
  type Community,
  type CustomEmoji,
  firstText,
  mentionsOf,
  type Person,
} from '../neutral/index.ts';
import { allowedName } from '../people.ts';
import { Report } from '../report.ts';
import type { ArchiveFiles, Source } from '../source.ts';
import { fileIn } from './files.ts';
import { conversationKey, type Item, itemsOf } from './items.ts';
import { postsIn } from './posts.ts';

/**
 * A bulk export of Mattermost: lines of JSON, and a folder with the files that they name.
 * See protocol/organizations#import-from-mattermost.
 */
export async function mattermostSource(files: ArchiveFiles): Promise<Source> {
  const report = new Report();
  const path = await lineFile(files);
  const found = new Found();
  for await (const item of itemsOf({ files, path, report }, true)) await found.add(files, item);
  const channels = found.channels();
  const people = found.people();
  const meanings = {
    people: mentionsOf(people),
    channels: new Map(
      [...channelLinksOf(channels)].flatMap(([key, link]) => [
        [key, link],
        [key.slice(key.indexOf('/') + 1), link],
      ]),
    ),
  };
  const community: Community = {
    product: 'Mattermost',
    people,
    channels,
    conversations: [...found.conversations].map(([key, members]) => ({ key, members })),
    emoji: found.emoji,
    posts: () => postsIn({ files, path, report, meanings }),
    open: (name) => files.open(name),
  };
  return archiveOf(community, await files.scratch(), report);
}

async function lineFile(files: ArchiveFiles): Promise<string> {
  const names = (await files.list('')).filter((name) => name.endsWith('.jsonl'));
  const [only] = names;
  if (only === undefined) throw new ImportRefused('there is no .jsonl file in the archive');
  if (names.length > 1)
    throw new ImportRefused(`the archive has several .jsonl files: ${names.slice(0, 3).join(', ')}`);
  return only;
}

/** What is gathered from all lines but those of messages. */
class Found {
  readonly #teams = new Map<string, string>();
  readonly #channels = new Map<string, Item>();
  readonly #members = new Map<string, string[]>();
  readonly #people = new Map<string, Person>();
  readonly conversations = new Map<string, readonly string[]>();
  readonly emoji: CustomEmoji[] = [];

  async add(files: ArchiveFiles, item: Item): Promise<void> {
    const { type, entry } = item;
    if (type === 'team') this.#teams.set(entry.text('name'), entry.text('display_name', entry.text('name')));
    if (type === 'channel') this.#channels.set(`${entry.text('team')}/${entry.text('name')}`, item);
    if (type === 'user') await this.#addUser(files, item);
    if (type === 'bot') this.#people.set(entry.text('username'), toBot(item));
    if (type === 'direct_channel') this.#addConversation(item.texts('members', 'participants'));
    if (type === 'direct_post') this.#addConversation(item.texts('channel_members'));
    if (type === 'emoji') {
      const path = await fileIn(files, entry.text('image'));
      if (path !== undefined) this.emoji.push({ name: entry.text('name'), path });
      else item.report.remark('emoji without a picture', `${item.place}: ${entry.text('name')}`);
    }
  }

  #addConversation(members: readonly string[]): void {
    this.conversations.set(conversationKey(members), [...new Set(members)]);
  }

  async #addUser(files: ArchiveFiles, item: Item): Promise<void> {
    const { entry } = item;
    const username = entry.text('username');
    for (const team of entry.parts('teams'))
      for (const channel of team.parts('channels')) {
        const key = `${team.text('name')}/${channel.text('name')}`;
        const known = this.#members.get(key);
        if (known) known.push(username);
        else this.#members.set(key, [username]);
      }
    const image = entry.text('profile_image', '');
    const picture = image === '' ? undefined : await fileIn(files, image);
    if (image !== '' && picture === undefined) item.report.remark('pictures left out', `${item.place}: ${image}`);
    this.#people.set(username, { ...toPerson(item), picture });
  }

  people(): readonly Person[] {
    return [...this.#people.values()];
  }

  channels(): readonly Channel[] {
    return [...this.#channels].map(([key, { entry }]) => {
      const name = firstText(entry.text('display_name', ''), entry.text('name'));
      const team = this.#teams.get(entry.text('team')) ?? entry.text('team');
      return {
        key,
        name: this.#teams.size > 1 ? `${team} / ${name}` : name,
        description: firstText(entry.text('purpose', ''), entry.text('header', '')),
        isPrivate: entry.text('type', 'O') === 'P',
        isArchived: entry.int('deleted_at', 0) > 0,
        isDefault: entry.text('name') === 'town-square',
        created: null,
        creator: undefined,
        members: this.#members.get(key) ?? [],
      };
    });
  }
}

function toPerson({ entry }: Item): Person {
  const username = entry.text('username');
  const roles = entry.text('roles', '').split(/\s+/);
  const names = `${entry.text('first_name', '')} ${entry.text('last_name', '')}`;
  return {
    key: username,
    name: allowedName(firstText(names, entry.text('nickname', ''), username)),
    email: entry.text('email', ''),
    isActive: entry.int('delete_at', 0) === 0,
    isBot: false,
    role: roles.includes('system_admin') ? 200 : roles.includes('system_guest') ? 600 : 400,
    timezone: '',
  };
}

function toBot({ entry }: Item): Person {
  const username = entry.text('username');
  return {
    key: username,
    name: allowedName(firstText(entry.text('display_name', ''), username)),
    email: '',
    isActive: entry.int('delete_at', 0) === 0,
    isBot: true,
    role: 400,
    timezone: '',
  };
}
