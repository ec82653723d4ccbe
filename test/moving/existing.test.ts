import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { joinArchive, mattermostSource, slackSource, type Source } from '#features/imports';
import { listUsers } from '#features/users';
import type { Body, Client } from '../support/client.ts';
import { databasesInTurn } from '../support/databases.ts';
import { plain } from '../support/pictures.ts';
import { openWorld, type World } from '../support/world.ts';
import { archiveWith, messagesOf } from './support/imported.ts';
import { LINES, mattermostArchive } from './support/mattermost.ts';

describe.each(databasesInTurn(import.meta.url))(
  'an archive that comes into an organization that there is, on %s',
  (database) => {
    let world: World;
    beforeEach(async () => {
      world = await openWorld(database);
    });
    afterEach(() => world.close());

    const join = (source: Source, isDry = false) =>
      joinArchive(world.server.context, source, {
        subdomain: world.realm.subdomain,
        isDry,
        progress: () => undefined,
      });
    /** The archive, in which Felix has Max's address. */
    const mattermost = async (more: readonly object[] = []) => {
      const picture = await plain(64, 64).png().toBuffer();
      const lines = [...LINES, ...more].map((line) =>
        JSON.parse(JSON.stringify(line).replace('felix@birds.test', world.max.email.toUpperCase())),
      );
      return mattermostSource(archiveWith(mattermostArchive(picture, lines)));
    };
    const everything = async (client: Client) =>
      (await messagesOf(client)).map(({ sender_full_name, display_recipient, subject, content }) => [
        sender_full_name,
        Array.isArray(display_recipient) ? 'direct' : display_recipient,
        subject,
        content,
      ]);
    const as = async (email: string): Promise<Client> => {
      const users = await world.server.context.store.in(world.realm).read((tx) => listUsers(tx));
      const account = users.find((user) => user.email === email);
      if (!account) throw new Error(`nobody has the address ${email}`);
      return world.clientOf(account);
    };
    const names = async () => {
      const { streams } = await world.olive.get('/streams', { include_all: true });
      return streams.map(({ name }: Body) => name).toSorted();
    };

    it('says beforehand what would come, and changes nothing', async () => {
      const before = [await names(), (await world.olive.get('/users'))['members'].length];
      const report = await join(await mattermost(), true);
      expect(Object.fromEntries(report.counts)).toMatchObject({
        'accounts that are joined': 1,
        accounts: 4,
        channels: 2,
        messages: 7,
        files: 1,
      });
      expect([await names(), (await world.olive.get('/users'))['members'].length]).toEqual(before);
    });

    it('joins people by their addresses and public channels by their names, and comes once however often it comes', async () => {
      const { id: square } = await world.olive.post('/channels/create', {
        name: 'town SQUARE',
        subscribers: [world.max.userId, world.mia.userId],
      });
      await world.olive.post('/channels/create', { name: 'eggs', subscribers: [world.mia.userId], invite_only: true });
      const { id: before } = await world.max.post('/messages', {
        type: 'channel',
        to: square,
        topic: 'now',
        content: 'here first',
      });
      const report = await join(await mattermost());
      expect(report.counts.get('messages')).toBe(7);
      expect(report.remarks).toContain('channels with another name: 1 (Eggs: Eggs (2))');
      const wanda = await as('wanda@birds.test');
      const seen = await everything(wanda);
      const max = (await world.max.get('/users/me'))['full_name'];
      const thread = `2024-05-01 Where do we breed, @Felix? @Felix @nobody @all`;
      expect(seen).toEqual([
        ['Wanda Wren', 'town SQUARE', thread, `**Where** do we breed, @**${max}**? @**Felix** @nobody @**all**`],
        ['Build Bot', 'town SQUARE', 'imported from Mattermost', '[Build 7](https://ci.test/7)\nfailed'],
        ['Wanda Wren', 'Eggs (2)', 'imported from Mattermost', 'three'],
        [max, 'town SQUARE', 'imported from Mattermost', 'later than the thread: #**Eggs** `~eggs @wanda`'],
        [max, 'direct', '', 'psst'],
        [max, 'town SQUARE', thread, expect.stringMatching(/^here\n\[map\.txt\]/)],
        ['Build Bot', 'town SQUARE', thread, 'gone.txt'],
      ]);
      // A private channel stays among those who had it: Mia, who is in another one of the name, sees none of it.
      expect((await everything(world.mia)).map(([, channel]) => channel)).not.toContain('Eggs (2)');
      expect((await everything(world.mia)).map(([, , , content]) => content)).toContain('gone.txt');

      const again = await join(await mattermost([LATER]));
      expect(again.counts.get('messages')).toBe(1);
      expect(again.counts.get('accounts made')).toBe(0);
      expect(again.counts.get('channels made')).toBe(0);
      expect(await everything(wanda)).toEqual([
        ...seen,
        ['Wanda Wren', 'town SQUARE', 'imported from Mattermost', 'new'],
      ]);
      const ids = (await messagesOf(wanda)).map(({ id }) => id);
      expect(Math.min(...ids)).toBeGreaterThan(before);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    });

    it('is read by everybody, brings files, and gives nobody rights', async () => {
      await join(await mattermost());
      const messages = await messagesOf(world.max);
      expect(messages.filter(({ flags }) => !flags.includes('read'))).toEqual([]);
      expect(messages.length).toBeGreaterThan(3);
      const { attachments } = await world.max.get('/attachments');
      expect(attachments).toMatchObject([{ name: 'map.txt', messages: [{ id: expect.any(Number) }] }]);
      const { members } = await world.olive.get('/users');
      const roleOf = (name: string) => members.find((one: Body) => one['full_name'] === name)?.['role'];
      expect(roleOf('Wanda Wren')).toBe(400);
      expect(members.find((one: Body) => one['full_name'] === 'Build Bot')).toMatchObject({ is_active: false });
      const { unread_msgs } = await world.max.post('/register');
      expect(unread_msgs.count).toBe(0);
    });

    it('tells clients of people and channels as they come, and has them begin anew at the end', async () => {
      const queue = await world.mia.post('/register', { event_types: ['realm_user', 'stream', 'message'] });
      await join(await mattermost());
      const reply = await world.mia.refused('GET', '/events', {
        queue_id: queue['queue_id'],
        last_event_id: -1,
        dont_block: true,
      });
      expect(reply.code).toBe('BAD_EVENT_QUEUE_ID');
      const { realm_users, max_message_id } = await world.max.post('/register');
      expect(realm_users.map((one: Body) => one['full_name'])).toContain('Wanda Wren');
      expect(max_message_id).toBe((await messagesOf(world.max)).at(-1)?.['id']);
    });

    it('that of Slack as well; two products do not take each other for known', async () => {
      const slack = () =>
        slackSource(
          archiveWith({
            'users.json': [{ id: 'wanda', profile: { real_name: 'Wanda Wren', email: 'wanda@birds.test' } }],
            'channels.json': [{ id: 'birds/town-square', name: 'Town Square', members: ['wanda'] }],
            'Town Square/2024-05-01.json': [{ type: 'message', user: 'wanda', ts: '1714550400.5', text: '*hi*' }],
          }),
        );
      await join(await mattermost());
      expect((await join(await slack())).counts.get('messages')).toBe(1);
      expect((await join(await slack())).counts.get('messages')).toBe(0);
      const seen = await everything(await as('wanda@birds.test'));
      expect(seen.at(-1)).toEqual(['Wanda Wren', 'Town Square', 'imported from Slack', '**hi**']);
      expect(seen).toHaveLength(8);
    });

    it('is refused where there is no organization, and for archives that are none of another product', async () => {
      const source = await mattermost();
      await expect(
        joinArchive(world.server.context, source, { subdomain: 'nowhere', isDry: false, progress: () => undefined }),
      ).rejects.toThrow('there is no organization in use at');
      const own = archiveWith({ 'realm.json': { zerver_realm: [{ id: 1 }] }, 'attachment.json': {} });
      await expect(join({ ...own, messageFiles: () => Promise.resolve([]) })).rejects.toThrow(
        'an archive of this kind comes as a new organization only',
      );
    });
  },
);

const LATER = {
  type: 'post',
  post: { team: 'birds', channel: 'town-square', user: 'wanda', message: 'new', create_at: 1_714_650_400_000 },
};
