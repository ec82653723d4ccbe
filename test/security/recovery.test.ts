import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setUser } from '#features/users';
import { asId, type UserId } from '#kernel/ids';
import { Visitor } from '../support/browser-client.ts';
import type { Client } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { writtenMails } from '../support/mails.ts';
import { openWorld, type World } from '../support/world.ts';

const OLD = 'roost-demo-password';
const NEXT = 'a new password';
const RESET = '/accounts/password/reset/';
const SESSION = 'roost-session';

/** What the ways back into an account are worth after it has changed. */
describe.each(databases)('recovery, on %s', (database) => {
  let world: World;
  let visitor: Visitor;
  beforeEach(async () => {
    world = await openWorld(database, { mode: 'production' });
    world.server.context.jobs.start(world.server.context);
    visitor = new Visitor(world.server);
  });
  afterEach(() => world.close());

  /** The mails that something sends. */
  async function mailsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
    const before = new Set(writtenMails(world.dataDir));
    await act();
    await world.server.context.jobs.idle();
    return writtenMails(world.dataDir).filter((mail) => !before.has(mail));
  }
  const pathIn = (mails: readonly string[], path: string) =>
    new RegExp(`/accounts/${path}/\\w+`).exec(mails.join('\n'))?.[0] ?? 'no link';
  const askForReset = async (email = world.olive.email) => {
    const mails = await mailsOf(async () => {
      await visitor.get(RESET);
      await visitor.post(RESET, { email });
    });
    return pathIn(mails, 'password/reset');
  };
  const askForAddress = async (who: Client, email: string) => {
    const mails = await mailsOf(() => who.patch('/settings', { email }));
    return { confirm: pathIn(mails, 'confirm_new_email'), keep: pathIn(mails, 'keep_email'), mails };
  };
  const mayReaddress = ({ userId }: Client) =>
    world.server.context.store
      .in(world.realm)
      .write((tx) => setUser(tx, asId<UserId>(userId), { may_manage_accounts: true }));
  const works = async (path: string) => (await visitor.get(path)).status === 200;
  const setNew = async (link: string) => {
    await visitor.get(link);
    return (await visitor.post(link, { password: NEXT })).status;
  };

  it('owners are told of a new password, however it was set (security#asvs, 6.3.7)', async () => {
    const { olive } = world;
    const changed = await mailsOf(() => olive.patch('/settings', { old_password: OLD, new_password: NEXT }));
    expect(changed.filter((mail) => mail.includes('The password of your account was changed.'))).toHaveLength(1);
    expect(changed.join()).toContain(olive.email);
    const link = await askForReset(olive.email);
    const reset = await mailsOf(() => setNew(link));
    expect(reset.filter((mail) => mail.includes('A new password was chosen'))).toHaveLength(1);
    expect([...changed, ...reset].join()).not.toContain(OLD);
  });

  it('the old address is told of one that an administrator gives (security#asvs, 6.3.7)', async () => {
    const { olive, max } = world;
    await mayReaddress(olive);
    const bot = await max.post('/bots', { full_name: 'Teller', short_name: 'teller', bot_type: 1 });
    const mails = await mailsOf(async () => {
      await olive.patch(`/users/${max.userId}`, { new_email: max.email });
      await olive.patch(`/users/${bot['user_id']}`, { new_email: 'teller@roost.test' });
      await olive.patch(`/users/${max.userId}`, { new_email: 'next@roost.test' });
    });
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatch(new RegExp(`^To: .*${max.email}`, 'm'));
    expect(mails[0]).toContain('next@roost.test');
  });

  it('a link to a new password dies with its use and with a newer one', async () => {
    const [first, second] = [await askForReset(), await askForReset()];
    expect(await works(first)).toBe(false);
    expect(await works(second)).toBe(true);
    expect(await setNew(first)).toBe(404);
    expect(await setNew(second)).toBe(303);
    expect(await works(second)).toBe(false);
    // Of somebody else it does not.
    const other = await askForReset(world.max.email);
    await askForReset();
    expect(await works(other)).toBe(true);
  });

  it('dies with a change of the password', async () => {
    const link = await askForReset();
    expect(await works(link)).toBe(true);
    await world.olive.patch('/settings', { old_password: OLD, new_password: NEXT });
    expect(await works(link)).toBe(false);
    expect(await setNew(link)).toBe(404);
  });

  it.each(['its owner', 'an administrator'])('dies with a change of the address by %s', async (who) => {
    const link = await askForReset(world.max.email);
    expect(await works(link)).toBe(true);
    if (who === 'its owner') {
      const { confirm } = await askForAddress(world.max, 'next@roost.test');
      await visitor.get(confirm);
      expect((await visitor.post(confirm, {})).status).toBe(200);
    } else {
      const { olive, max } = world;
      await mayReaddress(olive);
      await olive.patch(`/users/${max.userId}`, { new_email: 'next@roost.test' });
    }
    expect(await works(link)).toBe(false);
  });

  it('dies with the account, and is still dead when that comes back; so is a change of address', async () => {
    const { olive, max } = world;
    const link = await askForReset(max.email);
    const { confirm } = await askForAddress(max, 'next@roost.test');
    expect([await works(link), await works(confirm)]).toEqual([true, true]);
    await olive.delete(`/users/${max.userId}`);
    await olive.post(`/users/${max.userId}/reactivate`);
    expect([await works(link), await works(confirm)]).toEqual([false, false]);
  });

  it.each(['a reset', 'a change'])('a change of address that waits dies with %s of the password', async (how) => {
    const { olive } = world;
    const { confirm } = await askForAddress(olive, 'next@roost.test');
    expect(await works(confirm)).toBe(true);
    if (how === 'a reset') expect(await setNew(await askForReset())).toBe(303);
    else await olive.patch('/settings', { old_password: OLD, new_password: NEXT });
    expect(await works(confirm)).toBe(false);
    expect((await visitor.post(confirm, {})).status).toBe(404);
  });

  it('the old address is told before anything changes, and stops it by a link', async () => {
    const { olive } = world;
    const { confirm, keep, mails } = await askForAddress(olive, 'next@roost.test');
    const told = mails.find((mail) => mail.includes(keep));
    expect(told).toContain('owner@roost.test');
    expect(told).toContain('next@roost.test');
    expect(await works(keep)).toBe(true);
    expect(await works(confirm)).toBe(true);
    const browser = new Visitor(world.server);
    await browser.get('/login/');
    await browser.post('/login/', { username: olive.email, password: OLD });
    const session = browser.cookies.get(SESSION);
    expect((await browser.get('/')).status).toBe(200);
    await visitor.get(keep);
    expect((await visitor.post(keep, {})).text).toContain('owner@roost.test');
    expect(await works(confirm)).toBe(false);
    expect(await works(keep)).toBe(false);
    expect(browser.cookies.get(SESSION)).toBe(session);
    expect((await browser.get('/')).location).toBe('/login/');
    expect((await olive.refused('GET', '/users/me')).code).toBe('INVALID_API_KEY');
  });

  it('a change that was confirmed at once is undone by the same link, for a day', async () => {
    const { max, mia } = world;
    for (const [who, isLate] of [
      [max, false],
      [mia, true],
    ] as const) {
      const { confirm, keep } = await askForAddress(who, `thief-${who.userId}@roost.test`);
      await visitor.get(confirm);
      expect((await visitor.post(confirm, {})).status).toBe(200);
      const reset = await askForReset(`thief-${who.userId}@roost.test`);
      // A further change takes the way back from nobody.
      const moved = world.clientOf({ id: who.userId, email: `thief-${who.userId}@roost.test`, api_key_version: 1 });
      await askForAddress(moved, `hideout-${who.userId}@roost.test`);
      if (isLate) world.clock.advance(86_400_000);
      await visitor.get(keep);
      expect((await visitor.post(keep, {})).status).toBe(isLate ? 404 : 200);
      expect(await works(reset)).toBe(false);
      const seen = (await world.olive.get(`/users/${who.userId}`))['user'];
      expect(seen.delivery_email).toBe(isLate ? `thief-${who.userId}@roost.test` : who.email);
    }
  });

  it.each(['its owner', 'an administrator'])(
    'what %s has taken back is not had again by a way back of its own',
    async (who) => {
      const { max, olive } = world;
      const thief = 'thief@roost.test';
      const { confirm, keep } = await askForAddress(max, thief);
      await visitor.get(confirm);
      await visitor.post(confirm, {});
      const moved = world.clientOf({ id: max.userId, email: thief, api_key_version: 1 });
      const { keep: keepThief, mails } = await askForAddress(moved, 'hideout@roost.test');
      expect(mails.find((mail) => mail.includes(keepThief))).toContain(thief);
      expect(await works(keepThief)).toBe(true);
      if (who === 'its owner') {
        await visitor.get(keep);
        expect((await visitor.post(keep, {})).status).toBe(200);
      } else {
        await mayReaddress(olive);
        await olive.patch(`/users/${max.userId}`, { new_email: max.email });
      }
      expect(await works(keepThief)).toBe(false);
      await visitor.get('/login/');
      expect((await visitor.post(keepThief, {})).status).toBe(404);
      expect((await olive.get(`/users/${max.userId}`))['user'].delivery_email).toBe(max.email);
    },
  );

  it('no token of a link or session is stored', async () => {
    const { olive } = world;
    const reset = await askForReset();
    const { confirm, keep } = await askForAddress(olive, 'next@roost.test');
    const { invite_link } = await olive.post('/invites/multiuse', {});
    const mails = await mailsOf(() => olive.post('/invites', { invitee_emails: 'new@roost.test', stream_ids: [] }));
    const invitation = pathIn(mails, 'do_confirm');
    await visitor.get('/login/');
    await visitor.post('/login/', { username: olive.email, password: OLD });
    const tokens = [reset, confirm, keep, new URL(invite_link).pathname, invitation]
      .map((path) => path.split('/').findLast((part) => part !== '') ?? '')
      .concat(visitor.cookies.get(SESSION) ?? '');
    const stored = await world.server.context.store.query(async (tx) => ({
      links: await tx.db.selectFrom('one_time_link').selectAll().execute(),
      invitations: await tx.db.selectFrom('invitation').selectAll().execute(),
      sessions: await tx.db.selectFrom('session').selectAll().execute(),
    }));
    expect([stored.links.length, stored.invitations.length, stored.sessions.length]).toEqual([3, 2, 1]);
    for (const token of tokens) {
      expect(token.length).toBeGreaterThanOrEqual(24);
      expect(JSON.stringify(stored)).not.toContain(token);
    }
  });
});
