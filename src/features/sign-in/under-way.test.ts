import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Visitor } from '../../../test/support/browser-client.ts';
import { databases } from '../../../test/support/databases.ts';
import { writtenMails } from '../../../test/support/mails.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { inTurn } from './passwords.ts';

const SESSION = 'roost-session';
const PASSWORD = 'roost-demo-password';

describe.each(databases)('a log-in under way, on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database, { mode: 'production' });
    world.server.context.jobs.start(world.server.context);
  });
  afterEach(() => world.close());

  it('ends with the sessions of an account that is taken back meanwhile (security#asvs, 7.4.3)', async () => {
    const { olive } = world;
    await olive.patch('/settings', { email: 'thief@roost.test' });
    await world.server.context.jobs.idle();
    const keep = /\/accounts\/keep_email\/\w+/.exec(writtenMails(world.dataDir).join('\n'))?.[0] ?? '';
    const owner = new Visitor(world.server);
    await owner.get(keep);
    const thief = new Visitor(world.server, '127.0.0.9');
    await thief.get('/login/');
    let goOn = () => {};
    const held = inTurn(() => new Promise<void>((resolve) => (goOn = resolve)));
    const entering = thief.post('/login/', { username: olive.email, password: PASSWORD });
    // By then it has read the account, and waits for its turn to look at the password.
    await turns();
    expect((await owner.post(keep, {})).status).toBe(200);
    goOn();
    await held;
    expect((await entering).location).toBe('/login/');
    expect(thief.cookies.has(SESSION)).toBe(false);
    // The password itself still lets its owner in.
    await owner.get('/login/');
    await owner.post('/login/', { username: olive.email, password: PASSWORD });
    expect(owner.cookies.has(SESSION)).toBe(true);
  });

  it('changes no password that was replaced by a link meanwhile (security#asvs, 7.4.3)', async () => {
    const { olive } = world;
    const RESET = '/accounts/password/reset/';
    const owner = new Visitor(world.server);
    await owner.get(RESET);
    await owner.post(RESET, { email: olive.email });
    await world.server.context.jobs.idle();
    const link = /\/accounts\/password\/reset\/\w+/.exec(writtenMails(world.dataDir).join('\n'))?.[0] ?? '';
    await owner.get(link);
    let goOn = () => {};
    const held = inTurn(() => new Promise<void>((resolve) => (goOn = resolve)));
    const thief = olive.request('PATCH', '/settings', { old_password: PASSWORD, new_password: 'mine now, all of it' });
    await turns();
    // The old password is verified first, then the owner's new one is hashed, then the thief's.
    const replacing = owner.post(link, { password: 'four nests in the south tower' });
    await turns();
    goOn();
    await held;
    expect((await replacing).status).toBe(303);
    expect(await thief).toMatchObject({ status: 401, body: { msg: 'Invalid API key' } });
    await owner.get('/login/');
    await owner.post('/login/', { username: olive.email, password: 'four nests in the south tower' });
    expect(owner.cookies.has(SESSION)).toBe(true);
  });

  /** Enough of the event loop for requests to come to where they wait for their turn. */
  async function turns(): Promise<void> {
    for (let turn = 0; turn < 100; turn++) await world.server.context.store.query((tx) => Promise.resolve(tx.now));
  }
});
