import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { signInFile } from '../../../test/support/identity-provider.ts';
import { plain } from '../../../test/support/pictures.ts';
import { GROUPS, hasSlapd, PEOPLE, READER, Slapd } from '../../../test/support/slapd.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { followDirectory } from './index.ts';

const NAMES = { member: 'Max Member', member2: 'Mia Member', guest: 'Gus Guest', owner: 'Olive Owner' };

describe.runIf(hasSlapd()).each(databases)('following a directory, on %s', (database) => {
  let slapd: Slapd;
  let world: World;
  beforeAll(async () => {
    slapd = await Slapd.open();
  });
  afterAll(() => slapd.close());
  beforeEach(async () => {
    for (const [uid, cn] of Object.entries(NAMES)) await slapd.addPerson(uid, { cn });
    await slapd.addPerson('nobody-here');
    await slapd.add(`cn=divers,${GROUPS}`, {
      objectClass: 'groupOfNames',
      member: [`uid=member,${PEOPLE}`, `uid=guest,${PEOPLE}`],
    });
    const ldap = {
      url: slapd.url,
      bind_dn: READER.dn,
      bind_password: READER.password,
      base: PEOPLE,
      groups: { divers: [`cn=divers,${GROUPS}`] },
      roles: { moderator: [`cn=divers,${GROUPS}`] },
    };
    world = await openWorld(database, { environment: signInFile({ ldap: { '': ldap } }) });
    await world.adam.post('/user_groups/create', { name: 'divers', description: '', members: [world.mia.userId] });
  });
  afterEach(async () => {
    await world.close();
    await slapd.remove(`cn=divers,${GROUPS}`);
    for (const uid of [...Object.keys(NAMES), 'nobody-here'])
      await slapd.remove(`uid=${uid},${PEOPLE}`).catch(() => undefined);
  });

  const follow = async (options: { isDryRun?: boolean; endsAny?: boolean } = {}) => {
    const { context } = world.server;
    const directory = context.identity.directories.get('');
    if (!directory) throw new Error('there is no directory');
    const changes = await followDirectory(context, world.realm, directory, {
      isDryRun: false,
      endsAny: false,
      ...options,
    });
    return changes.map(({ person, what, detail }) => `${what} ${person} ${detail}`.trim());
  };
  const connected = ['member', 'member2', 'guest', 'owner'].map((uid) => `connect ${uid}@roost.test`);

  it('connects accounts by their addresses, makes none, and does nothing twice', async () => {
    const before = (await world.olive.get('/users')).members.length;
    const changes = await follow();
    expect(changes).toEqual(
      expect.arrayContaining([
        ...connected,
        'role member@roost.test moderator',
        'role guest@roost.test moderator',
        'join member@roost.test divers',
        'join guest@roost.test divers',
        'leave member2@roost.test divers',
      ]),
    );
    expect(changes).toHaveLength(9);
    expect(await follow()).toEqual([]);
    expect((await world.olive.get('/users')).members).toHaveLength(before);
  });

  it('renames, with the events of any rename, and leaves out names that may not be', async () => {
    await follow();
    const queue = await world.mia.register({ event_types: ['realm_user'] });
    await slapd.set(`uid=member,${PEOPLE}`, 'cn', 'Maximilian');
    await slapd.set(`uid=member2,${PEOPLE}`, 'cn', 'M@a');
    expect(await follow()).toEqual([
      'rename member@roost.test Maximilian',
      'skip member2@roost.test name M@a: Invalid characters in name!',
    ]);
    expect(await queue.events()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: world.max.userId, full_name: 'Maximilian' } },
    ]);
  });

  it('takes pictures over once, and again when they change; what is no picture is left out', async () => {
    await follow();
    const red = await plain(64, 64).jpeg().toBuffer();
    await slapd.set(`uid=member,${PEOPLE}`, 'jpegPhoto', red);
    await slapd.set(`uid=guest,${PEOPLE}`, 'jpegPhoto', Buffer.from('no picture \xff', 'latin1'));
    expect(await follow()).toEqual([
      `picture member@roost.test ${red.length} bytes`,
      expect.stringMatching(/^skip guest@roost.test picture: /),
    ]);
    const { user } = await world.olive.get(`/users/${world.max.userId}`);
    expect(user.avatar_url).toMatch(/^\/user_avatars\//);
    expect(await follow()).toEqual([expect.stringMatching(/^skip guest/)]);
  });

  it('ends the accounts of people who are gone, and brings back those that it ended, but nobody else', async () => {
    await follow();
    await slapd.remove(`uid=member,${PEOPLE}`);
    await slapd.remove(`uid=owner,${PEOPLE}`);
    const queue = await world.mia.register({ event_types: ['realm_user'] });
    expect(await follow({ isDryRun: true })).toContain('deactivate member@roost.test');
    expect(await queue.events()).toEqual([]);
    expect(await follow()).toEqual([
      'deactivate member@roost.test',
      'skip owner@roost.test is not in the directory, but an owner: only people end owners',
    ]);
    expect(await queue.events()).toMatchObject([{ person: { user_id: world.max.userId, is_active: false } }]);
    await world.olive.delete(`/users/${world.gus.userId}`);
    await slapd.addPerson('member', { cn: 'Max Member' });
    // The same person to people, another one to the directory: only an identifier that it kept would bring the account back.
    const changes = await follow();
    expect(changes.filter((change) => !change.startsWith('skip'))).toEqual([]);
    expect((await world.olive.get(`/users/${world.gus.userId}`)).user.is_active).toBe(false);
  });

  it('brings back people who were left out by a filter for a while', async () => {
    await follow();
    const { context } = world.server;
    const directory = context.identity.directories.get('');
    if (!directory) throw new Error('there is no directory');
    const narrow = Object.assign(Object.create(Object.getPrototypeOf(directory)), directory);
    Object.defineProperty(narrow, 'pages', {
      value: async function* () {
        for await (const page of directory.pages()) yield page.filter(({ dn }) => !dn.startsWith('uid=member,'));
      },
    });
    await followDirectory(context, world.realm, narrow, { isDryRun: false, endsAny: false });
    expect((await world.olive.get(`/users/${world.max.userId}`)).user.is_active).toBe(false);
    expect(await follow()).toContain('reactivate member@roost.test');
    expect((await world.olive.get(`/users/${world.max.userId}`)).user.is_active).toBe(true);
  });

  it('ends nobody when many are gone at once, or the list is not whole', async () => {
    const many = Array.from({ length: 8 }, (_, index) => `worker${index}`);
    for (const uid of many) {
      await slapd.addPerson(uid, { cn: uid });
      await world.user({ email: `${uid}@roost.test`, full_name: uid });
    }
    await follow();
    for (const uid of many) await slapd.remove(`uid=${uid},${PEOPLE}`);
    await expect(follow()).rejects.toThrow('8 of 12 people are not in the directory any more: nobody was deactivated');
    const active = async () =>
      (await world.olive.get('/users')).members.filter(({ is_active }: { is_active: boolean }) => is_active).length;
    const before = await active();
    await slapd.freeze();
    const stuck = follow({ endsAny: true }).catch((error: unknown) => error);
    let ended: unknown;
    void stuck.then((error) => (ended = error));
    for (let turn = 0; ended === undefined && turn < 500; turn++) {
      world.clock.advance(100);
      await pause(5);
    }
    slapd.thaw();
    expect(await stuck).toMatchObject({ name: 'DirectoryFault', reason: 'away' });
    expect(await active()).toBe(before);
    world.clock.advance(6_000);
    await follow({ endsAny: true });
    expect(await active()).toBe(before - 8);
  });
});
