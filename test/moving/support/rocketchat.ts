import { Binary, EJSON, serialize } from 'bson';
import type { Contents } from './imported.ts';

type Row = Readonly<Record<string, unknown>>;
const at = (second: number) => new Date(1_714_550_400_000 + second * 1000);
const by = (id: string) => ({ u: { _id: id, username: id.slice(1) } });

/** Records of the collections as the product keeps them, with people we made up. */
export function rocketChatRecords(picture: Uint8Array): Readonly<Record<string, readonly Row[]>> {
  return {
    users: [
      user('uwanda', 'Wanda Wren', { roles: ['admin', 'user'] }),
      user('ufelix', 'Felix Finch', { __rooms: ['GENERAL'] }),
      user('uguest', 'Gus Guest', { roles: ['guest'], active: false }),
      { _id: 'uvisitor', username: 'guest-1', type: 'unknown', roles: ['unknown'] },
      { _id: 'ubot', username: 'bot', name: 'Build Bot', type: 'bot', roles: ['bot'], active: true },
    ],
    rocketchat_room: [
      { _id: 'GENERAL', t: 'c', name: 'general', default: true, topic: 'All of us', ts: at(-9), ...by('uwanda') },
      { _id: 'R2', t: 'p', ro: true, name: 'eggs', fname: 'Eggs & Nests', usernames: ['wanda'], ts: at(-8) },
      { _id: 'D1', t: 'd', uids: ['uwanda', 'ufelix'], ts: at(-7) },
      { _id: 'R3', t: 'c', name: 'disc', fname: 'Which tree', prid: 'GENERAL', ts: at(-6) },
      { _id: 'L1', t: 'l', ts: at(-5) },
    ],
    rocketchat_subscription: [
      { _id: 's1', rid: 'GENERAL', ...by('uwanda') },
      { _id: 's2', rid: 'R3', ...by('uwanda') },
    ],
    rocketchat_message: [
      { _id: 'm5', rid: 'GENERAL', tmid: 'm1', msg: 'here', ts: at(9), ...by('ufelix') },
      {
        _id: 'm1',
        rid: 'GENERAL',
        msg: '*Where* do we _breed_, @felix? See #eggs ~old~ `*a* @felix`',
        tcount: 1,
        ts: at(1),
        editedAt: at(61),
        reactions: { ':tada:': { usernames: ['felix'] }, ':heron:': { usernames: ['felix', 'ghost'] } },
        ...by('uwanda'),
      },
      { _id: 'm2', rid: 'GENERAL', t: 'uj', msg: 'felix', ts: at(2), ...by('ufelix') },
      {
        _id: 'm3',
        rid: 'GENERAL',
        msg: '[ ](http://chat.test/channel/general?msg=m1) yes',
        attachments: [{ message_link: 'http://chat.test/channel/general?msg=m1', author_name: 'wanda', text: 'Where' }],
        ts: at(3),
        ...by('ubot'),
      },
      { _id: 'm4', rid: 'R2', msg: 'three', ts: at(4), ...by('uwanda') },
      { _id: 'm6', rid: 'D1', msg: 'psst', ts: at(6), ...by('ufelix') },
      {
        _id: 'm7',
        rid: 'R3',
        msg: '',
        file: { _id: 'F1', name: 'map.txt', type: 'text/plain' },
        files: [
          { _id: 'F1', name: 'map.txt' },
          { _id: 'F2', name: 'gone.txt' },
        ],
        attachments: [{ title: 'map.txt', title_link: '/file-upload/F1/map.txt', description: 'the map' }],
        ts: at(7),
        ...by('ufelix'),
      },
      { _id: 'm8', rid: 'GENERAL', t: 'e2e', msg: 'x1x1', ts: at(8), ...by('ufelix') },
      { _id: 'm10', msg: 'of no room', ts: at(8), ...by('ufelix') },
      { _id: 'm9', rid: 'L1', msg: 'help', ts: at(8), ...by('ufelix') },
    ],
    rocketchat_custom_emoji: [{ _id: 'e1', name: 'heron', aliases: ['reiher'], extension: 'png' }],
    'custom_emoji.chunks': chunksOf('heron.png', picture),
    rocketchat_avatars: [{ _id: 'A1', userId: 'uwanda', type: 'image/png' }],
    'rocketchat_avatars.chunks': chunksOf('A1', picture),
    'rocketchat_uploads.chunks': chunksOf('F1', Buffer.from('three trees')).toReversed(),
  };
}

function user(id: string, name: string, more: Row): Row {
  const username = id.slice(1);
  const emails = [{ address: `${username}@birds.test`, verified: true }];
  return { _id: id, username, name, emails, type: 'user', roles: ['user'], active: true, ...more };
}

/** A file in pieces, as GridFS keeps it. */
function chunksOf(id: string, bytes: Uint8Array): readonly Row[] {
  const size = Math.ceil(bytes.length / 3);
  return [0, 1, 2].map((n) => ({
    _id: `${id}${n}`,
    files_id: id,
    n,
    data: new Binary(bytes.slice(n * size, (n + 1) * size)),
  }));
}

/** What `mongodump` makes of them. */
export function dumpOf(records: Readonly<Record<string, readonly Row[]>>): Contents {
  return Object.fromEntries(
    Object.entries(records).map(([name, rows]) => [
      `dump/rocketchat/${name}.bson`,
      Buffer.concat(rows.map((row) => serialize(row))),
    ]),
  );
}

/** What `mongoexport` makes of them: a record a line. */
export function linesOf(records: Readonly<Record<string, readonly Row[]>>): Contents {
  return Object.fromEntries(
    Object.entries(records).map(([name, rows]) => [
      `${name === 'users' ? 'rocketchat_users' : name}.json`,
      rows.map((row) => EJSON.stringify(row)).join('\n'),
    ]),
  );
}

/** The same with one list for all records of a collection. */
export function listsOf(records: Readonly<Record<string, readonly Row[]>>): Contents {
  return Object.fromEntries(Object.entries(records).map(([name, rows]) => [`${name}.json`, EJSON.stringify(rows)]));
}
