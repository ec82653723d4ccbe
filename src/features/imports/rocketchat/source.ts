import { ImportRefused } from '../entry.ts';
import {
  archiveOf,
  type Channel,
  channelLinksOf,
  type Community,
  type CustomEmoji,
  mentionsOf,
  textsIn,
} from '../neutral/index.ts';
import { Report } from '../report.ts';
import type { ArchiveFiles, Source } from '../source.ts';
import { Bucket } from './bucket.ts';
import { accountsIn } from './accounts.ts';
import { postsIn } from './posts.ts';
import { hasRecords, recordsOf } from './records.ts';
import { type Room, Rooms } from './rooms.ts';

/**
 * What a Rocket.Chat server keeps in MongoDB: a dump of its collections, or an export of them as JSON.
 * See protocol/organizations#import-from-rocketchat.
 */
export async function rocketChatSource(files: ArchiveFiles): Promise<Source> {
  const report = new Report();
  const folder = await folderIn(files);
  const buckets = {
    uploads: await Bucket.open(files, folder, 'rocketchat_uploads'),
    avatars: await Bucket.open(files, folder, 'rocketchat_avatars'),
    emoji: await Bucket.open(files, folder, 'custom_emoji'),
  };
  const accounts = await accountsIn(files, folder, buckets.avatars);
  const rooms = await Rooms.read(files, folder, report, accounts);
  const people = accounts.map(({ person }) => person);
  const byName = new Map(accounts.map(({ username, person }) => [username, person.key]));
  const channels = rooms.channels.map(toChannel);
  const mentions = mentionsOf(people);
  const reading = {
    files,
    folder,
    report,
    rooms,
    uploads: buckets.uploads,
    keys: byName,
    meanings: {
      people: new Map(accounts.map(({ username, person }) => [username, mentions.get(person.key) ?? username])),
      channels: new Map(
        [...channelLinksOf(channels).values()].map((link, index) => [rooms.channels[index]?.handle ?? '', link]),
      ),
    },
  };
  const community: Community = {
    product: 'Rocket.Chat',
    people,
    channels,
    conversations: rooms.conversations,
    emoji: await emojiIn(files, folder, buckets.emoji),
    posts: () => postsIn(reading),
    open: async (path) => {
      const [bucket, id = ''] = path.split('\n', 2);
      const found = Object.values(buckets).find(({ name }) => name === bucket);
      return found ? found.read(id) : files.open(path);
    },
  };
  return archiveOf(community, await files.scratch(), report);
}

/** Dumps have a folder for each database. */
async function folderIn(files: ArchiveFiles): Promise<string> {
  const inner = async (folder: string) =>
    (await files.list(folder.replace(/\/$/, ''))).map((name) => `${folder}${name}/`);
  const first = await inner('');
  const folders = ['', ...first];
  for (const one of first.slice(0, 100)) folders.push(...(await inner(one)).slice(0, 100));
  for (const folder of folders) if (await hasRecords(files, folder, 'rocketchat_room')) return folder;
  throw new ImportRefused('there is no rocketchat_room.bson or .json in the archive');
}

function toChannel(room: Room): Channel {
  const { handle: _, ...channel } = room;
  return channel;
}

async function emojiIn(files: ArchiveFiles, folder: string, bucket: Bucket): Promise<readonly CustomEmoji[]> {
  const found: CustomEmoji[] = [];
  for await (const { entry } of recordsOf(files, folder, 'rocketchat_custom_emoji')) {
    const name = entry.text('name');
    const path = bucket.pathOf(`${name}.${entry.text('extension', 'png')}`);
    // Each of its names is an emoji here.
    if (path !== undefined)
      for (const one of new Set([name, ...textsIn(entry, 'aliases')])) found.push({ name: one, path });
  }
  return found;
}
