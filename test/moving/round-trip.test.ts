import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Archive, type ExportType, writeExport } from '#features/exports';
import { importArchive } from '#features/imports';
import { createOrganization } from '#features/organizations';
import { listRealms } from '#features/realms';
import { listUsers } from '#features/users';
import { apiKeyFor } from '#kernel/auth';
import { readConfig } from '#kernel/config';
import { openFiles } from '#kernel/files';
import type { RealmId } from '#kernel/ids';
import { openLog } from '#kernel/log';
import { ofRealm } from '#kernel/store';
import { folderSource } from '../../src/commands/archives/folder.ts';
import { openServer, type Server } from '../../src/server.ts';
import { Load } from '../soak/load.ts';
import { type Body, Client } from '../support/client.ts';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { plain } from '../support/pictures.ts';
import { openWorld, type World } from '../support/world.ts';

/** Links to topics name a message that was there when they were drawn, and may have left since; an import draws them anew. */
const withoutPlaces = (messages: readonly Body[]) =>
  messages.map((message) => ({ ...message, content: String(message['content']).replaceAll(/\/with\/\d+/g, '') }));

/**
 * What a file of an export says, without what each server calls its own: an identity, numbers of conversations with one person,
 * and files of pictures drawn anew.
 */
function tablesIn(folder: string, name: string): Body {
  const people = new Map(
    (read(folder, 'realm.json')['zerver_recipient'] as readonly Body[]).flatMap(({ id, type, type_id }) =>
      type === 1 ? [[id, `of user ${type_id}`]] : [],
    ),
  );
  const tables = read(folder, name, (key, value) =>
    key === 'recipient' || key === 'recipient_id' ? (people.get(value) ?? value) : value,
  );
  const rows = (table: string): readonly Body[] => tables[table] ?? [];
  for (const realm of rows('zerver_realm')) delete realm['uuid'];
  for (const recipient of rows('zerver_recipient')) if (recipient['type'] === 1) delete recipient['id'];
  for (const table of ['zerver_realmemoji', 'roost_zerver_realmemoji'])
    for (const emoji of rows(table)) for (const column of ['file_name', 'still_name']) delete emoji[column];
  return tables;
}

function read(folder: string, name: string, change?: (key: string, value: unknown) => unknown): Body {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'), change) as Body;
}

/** Pictures of people are drawn anew, and have new names, too. */
const withoutNames = <T>(seen: T): T =>
  JSON.parse(JSON.stringify(seen).replaceAll(/(\/uploaded\/\d+)-\w{16}(?=(-medium)?\.png)/g, '$1'));

/** What is of one server or one moment, and no part of an organization. */
const OWN = ['queue_id', 'last_event_id', 'server_timestamp', 'realm_uuid'];

describe.each(databasesInTurn(import.meta.url))(
  'an organization that leaves and comes to another server, on %s',
  (database) => {
    let world: World;
    let folder: string;
    let made: TestDatabase;
    let other: Server;
    beforeEach(async () => {
      world = await openWorld(database, { isFurnished: true });
      folder = mkdtempSync(join(tmpdir(), 'roost-round-trip-'));
      made = await makeDatabase(database);
      other = await openServer({
        config: readConfig({
          ROOST_DATA_DIR: made.dataDir,
          ROOST_EXTERNAL_URL: 'http://localhost:9991',
          ROOST_MODE: 'development',
          ...(made.databaseUrl !== undefined && { ROOST_DATABASE_URL: made.databaseUrl }),
        }),
        clock: world.clock,
        log: openLog('error', process.stderr),
        strict: true,
      });
      await other.listener.ready();
      await other.context.events.start();
    });
    afterEach(async () => {
      await other.stop();
      await made.remove();
      await world.close();
      rmSync(folder, { recursive: true });
    });

    const leaveTo = async (place: string, { context }: Server, realmId: RealmId, type: ExportType = 'full') => {
      const files = await openFiles(place, { clock: world.clock });
      const write: Archive['write'] = (path, source) => files.put(path, source);
      return writeExport(context, { write, atOnce: 4 }, { realmId, type });
    };
    const leave = (type?: ExportType) => leaveTo(folder, world.server, world.realm.id, type);
    const arrive = (isDry = false) =>
      importArchive(other.context, folderSource(folder), {
        subdomain: '',
        name: undefined,
        ownerEmail: world.olive.email,
        isDry,
        progress: () => undefined,
      });
    const there = ({ email, userId }: Client) =>
      new Client(other, { email, user_id: userId, api_key: apiKeyFor(other.context.server.secret, userId, 1) });

    /** What somebody sees: the state at registering, and all messages. */
    const seenBy = async (client: Client) => {
      const state = (await client.post('/register', {
        apply_markdown: true,
        client_capabilities: { notification_settings_null: true, stream_typing_notifications: true },
      })) as Body;
      for (const name of OWN) delete state[name];
      // The pictures of emoji are drawn anew, under new names.
      for (const emoji of Object.values<Body>(state['realm_emoji'])) delete emoji['source_url'];
      const { messages } = await client.get('/messages', { anchor: 'newest', num_before: 1000, num_after: 0 });
      // The number of a direct conversation is the server's own; clients do nothing with it.
      for (const message of messages) if (message['type'] === 'private') delete message['recipient_id'];
      return withoutNames({ state, messages });
    };

    /** Gives the organization something of everything. */
    const live = async () => {
      const { olive, adam, max, mia, gus, server } = world;
      server.context.jobs.start(server.context);
      const { id: nests } = await olive.post('/channels/create', {
        name: 'nests',
        description: 'See #**sandbox** and **eggs**',
        subscribers: [olive.userId, max.userId, mia.userId],
      });
      const { id: secret } = await adam.post('/channels/create', {
        name: 'secret',
        subscribers: [adam.userId, mia.userId],
        invite_only: true,
        history_public_to_subscribers: false,
      });
      await olive.post('/user_groups/create', { name: 'birds', description: 'All', members: [max.userId, mia.userId] });
      const { url } = (await max.send('POST', '/user_uploads', [{ name: 'eggs.txt', content: 'three eggs' }])).body;
      const first = await max.post('/messages', {
        type: 'channel',
        to: nests,
        topic: 'eggs',
        content: `look: [eggs](${url}) @**Mia Member** @*birds*`,
      });
      await mia.post('/messages', {
        type: 'channel',
        to: nests,
        topic: 'eggs',
        content: '@**all** `code` and **bold** <b>no</b>',
      });
      await mia.post('/messages', { type: 'channel', to: secret, topic: '', content: 'before' });
      await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], principals: [max.userId] });
      await mia.post('/messages', { type: 'channel', to: secret, topic: '', content: 'after' });
      await max.post('/messages', { type: 'direct', to: [mia.userId], content: 'psst' });
      await max.post('/messages', { type: 'direct', to: [max.userId], content: 'note to self' });
      await mia.post('/messages', { type: 'direct', to: [max.userId, olive.userId], content: 'the three of us' });
      await max.post('/messages', { type: 'channel', to: nests, topic: 'poll', content: '/poll Which?\nOne\nTwo' });
      await max.patch(`/messages/${first['id']}`, { content: `look again: [eggs](${url})` });
      await olive.post(`/messages/${first['id']}/reactions`, { emoji_name: 'tada' });
      await mia.post('/messages/flags', { messages: [first['id']], op: 'add', flag: 'starred' });
      await mia.post('/messages/flags', { messages: [first['id']], op: 'add', flag: 'read' });
      await mia.post('/user_topics', { stream_id: nests, topic: 'eggs', visibility_policy: 3 });
      await max.post('/users/me/muted_users/' + gus.userId);
      await max.post('/users/me/status', { status_text: 'brooding' });
      await max.patch('/settings', { color_scheme: 2, enable_sounds: false });
      await max.post('/saved_snippets', { title: 'Hello', content: 'Hello there' });
      await max.post('/drafts', {
        drafts: [{ type: 'stream', to: [nests], topic: 'eggs', content: 'unsent', timestamp: 1_700_000_000 }],
      });
      await max.post('/users/me/alert_words', { alert_words: ['heron'] });
      await olive.post('/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.org/{id}' });
      await olive.post('/realm/playgrounds', {
        name: 'Try',
        pygments_language: 'Python',
        url_template: 'https://try.example.org/{code}',
      });
      await olive.post('/realm/domains', { domain: 'example.org', allow_subdomains: false });
      await olive.post('/realm/profile_fields', { name: 'Nest', field_type: 1, hint: 'where' });
      await olive.post('/channel_folders/create', { name: 'Work', description: 'What we do' });
      await olive.patch('/realm', {
        description: 'A place for birds',
        message_content_edit_limit_seconds: 'unlimited',
      });
      const picture = await plain(200, 200).png().toBuffer();
      await max.send('POST', '/users/me/avatar', [{ name: 'a.png', content: picture }]);
      await olive.send('POST', '/realm/emoji/nest', [{ name: 'nest.png', content: picture }]);
      await olive.post(`/messages/${first['id']}/reactions`, { emoji_name: 'nest' });
      await server.context.jobs.idle();
    };

    it('is the same for everybody in it', async () => {
      await live();
      const counts = await leave();
      expect(counts).toMatchObject({ users: 6, missingFiles: 0 });
      const report = await arrive();
      expect(report.counts.get('messages')).toBe(counts.messages);
      for (const client of [world.olive, world.adam, world.max, world.mia, world.gus]) {
        const [before, after] = [await seenBy(client), await seenBy(there(client))];
        expect(after.messages).toEqual(before.messages);
        expect(after.state).toEqual(before.state);
      }
      const file = (await there(world.max).get('/attachments'))['attachments'][0];
      expect(await other.context.files.size(`uploads/${file['path_id']}`)).toBe('three eggs'.length);
      const found = await there(world.mia).get('/messages', {
        anchor: 'newest',
        num_before: 9,
        num_after: 0,
        narrow: [{ operator: 'search', operand: 'eggs' }],
      });
      expect(found['messages'].length).toBeGreaterThan(1);
      // What comes next has IDs of its own, and the same organization does not come twice.
      const { id } = await there(world.max).post('/messages', {
        type: 'direct',
        to: [world.mia.userId],
        content: 'here',
      });
      expect(id).toBeGreaterThan(counts.messages);
      await expect(arrive()).rejects.toThrow('there is an organization at http://localhost:9991 already');
    });

    it('is the same for everybody after much has happened at random', async () => {
      const { olive, adam, mona, max, mia, gus, server } = world;
      const url = `http://127.0.0.1:${await server.listener.listen(0, '127.0.0.1')}`;
      const accountOf = ({ email, userId }: Client) => ({
        email,
        user_id: userId,
        api_key: apiKeyFor(server.context.server.secret, userId, 1),
      });
      const subscribers = [adam, mona, max, mia].map(({ userId }) => userId);
      const channel = async (name: string, who: readonly number[]): Promise<number> =>
        (await olive.post('/channels/create', { name, subscribers: who }))['id'];
      const talk = [await channel('one', subscribers), await channel('two', subscribers)];
      const doors = ['door one', 'door two'];
      for (const name of doors) await channel(name, []);
      const made = await olive.post('/user_groups/create', { name: 'soakers', description: '', members: subscribers });
      const grounds = { talk, doors, groupId: Number(made['group_id']) };
      const load = new Load(url, 20_261_123, [adam, mona, max, mia].map(accountOf), accountOf(olive), grounds);
      for (let turn = 0; turn < 150; turn++) await Promise.all([load.step(), load.step()]);
      expect(load.done).toBeGreaterThan(150);
      await leave();
      await arrive();
      for (const client of [olive, adam, mona, max, mia, gus]) {
        const [before, after] = [await seenBy(client), await seenBy(there(client))];
        expect(withoutPlaces(after.messages)).toEqual(withoutPlaces(before.messages));
        expect(after.state).toEqual(before.state);
      }
    });

    it('leaves again as it came', async () => {
      await live();
      await leave();
      await arrive();
      const again = mkdtempSync(join(tmpdir(), 'roost-round-trip-'));
      try {
        await leaveTo(again, other, world.realm.id);
        for (const name of ['realm.json', 'attachment.json', 'messages-000001.json'])
          expect(tablesIn(again, name)).toEqual(tablesIn(folder, name));
      } finally {
        rmSync(again, { recursive: true });
      }
    });

    it('says beforehand what would come, and changes nothing', async () => {
      await leave();
      const report = await arrive(true);
      expect(report.counts.get('userprofile')).toBe(6);
      expect(await other.context.store.read((tx) => listRealms(tx))).toEqual([]);
    });

    it('moves its IDs above those of others, and their files and mentions with them', async () => {
      await live();
      const counts = await leave();
      await createOrganization(other.context, {
        subdomain: 'before',
        name: 'Before',
        owner: { email: 'first@roost.test', full_name: 'First One', password: 'a good long password' },
      });
      await arrive();
      const [, realm] = await other.context.store.read((tx) => listRealms(tx));
      const users = await other.context.store.read((tx) => listUsers(ofRealm(tx, realm?.id ?? world.realm.id)));
      const mia = users.find((user) => user.email === world.mia.email);
      expect(mia?.id).toBeGreaterThan(world.mia.userId);
      const client = new Client(other, {
        email: world.mia.email,
        user_id: mia?.id ?? 0,
        api_key: apiKeyFor(other.context.server.secret, mia?.id ?? world.mia.userId, 1),
      });
      const { messages } = await client.get('/messages', { anchor: 'newest', num_before: 1000, num_after: 0 });
      const before = await seenBy(world.mia);
      expect(messages).toHaveLength(before.messages.length);
      expect(counts.messages).toBeGreaterThan(messages.length);
      const look = messages.find((message: Body) => message['content'].includes('look again'));
      expect(look['content']).toContain(`/user_uploads/${realm?.id}/`);
      expect(look['flags']).toEqual(['read', 'starred']);
      expect(look['reactions'].map((one: Body) => one['emoji_name'])).toEqual(['tada', 'nest']);
    });

    it('leaves private things behind where only what is public leaves', async () => {
      await live();
      await leave('public');
      const text = ['realm.json', 'attachment.json', 'messages-000001.json']
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .join('');
      expect(text).toContain('look again');
      for (const secret of [
        'psst',
        'note to self',
        'the three of us',
        'before',
        'secret',
        'unsent',
        'heron',
        'Hello there',
        'brooding',
      ])
        expect(text).not.toContain(`"${secret}`);
      const realm = JSON.parse(readFileSync(join(folder, 'realm.json'), 'utf8')) as Body;
      expect(realm['zerver_stream'].map((row: Body) => row['name'])).not.toContain('secret');
      expect(JSON.parse(readFileSync(join(folder, 'messages-000001.json'), 'utf8'))['zerver_usermessage']).toEqual([]);
    });

    it('takes private things of those who consent', async () => {
      await live();
      await world.mia.patch('/settings', { allow_private_data_export: true });
      await leave('consenting');
      const { zerver_message: messages, zerver_usermessage: holders } = JSON.parse(
        readFileSync(join(folder, 'messages-000001.json'), 'utf8'),
      ) as Body;
      const contents = messages.map((row: Body) => row['content']);
      expect(contents).toEqual(expect.arrayContaining(['psst', 'the three of us', 'before', 'after']));
      expect(contents).not.toContain('note to self');
      expect(new Set(holders.map((row: Body) => row['user_profile']))).toEqual(new Set([world.mia.userId]));
    });
  },
);
