import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Visitor } from '../support/browser-client.ts';
import { databases } from '../support/databases.ts';
import { writtenMails } from '../support/mails.ts';
import { openWorld, type World } from '../support/world.ts';

const TIMES = 50;
const NEXT = 'a new password';
const RESET = '/accounts/password/reset/';

describe.each(databases)('29: fifty uses of one link at once are one, on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database, { mode: 'production' });
    world.server.context.jobs.start(world.server.context);
  });
  afterEach(() => world.close());

  const pathIn = async (path: string) => {
    await world.server.context.jobs.idle();
    return new RegExp(`/accounts/${path}/\\w+`).exec(writtenMails(world.dataDir).join('\n'))?.[0] ?? 'no link';
  };
  /** Browsers that have all opened the page, and then all send its form; how many got what they wanted. */
  async function useAtOnce(open: string, send: string, fields: (n: number) => Record<string, string>, wanted: number) {
    const visitors = Array.from({ length: TIMES }, () => new Visitor(world.server));
    for (const visitor of visitors) expect((await visitor.get(open)).status).toBe(200);
    const answers = await Promise.all(visitors.map((visitor, n) => visitor.post(send, fields(n))));
    return answers.filter(({ status }) => status === wanted).length;
  }

  it('a link to a new password', async () => {
    const visitor = new Visitor(world.server);
    await visitor.get(RESET);
    await visitor.post(RESET, { email: world.olive.email });
    const link = await pathIn('password/reset');
    expect(await useAtOnce(link, link, (n) => ({ password: `${NEXT} ${n}` }), 303)).toBe(1);
  });

  it.each(['confirm_new_email', 'keep_email'])('a link of a change of address: %s', async (path) => {
    await world.max.patch('/settings', { email: 'next@roost.test' });
    const link = await pathIn(path);
    expect(await useAtOnce(link, link, () => ({}), 200)).toBe(1);
  });

  it('an invitation by mail', async () => {
    await world.olive.post('/invites', { invitee_emails: 'new@roost.test', stream_ids: [] });
    const link = await pathIn('do_confirm');
    const key = link.split('/').at(-1) ?? '';
    const fields = (n: number) => ({ key, full_name: `New ${n}`, password: NEXT });
    await useAtOnce(link, '/accounts/register', fields, 303);
    const people = (await world.olive.get('/users'))['members'];
    expect(
      people.filter(({ delivery_email }: { delivery_email: string }) => delivery_email === 'new@roost.test'),
    ).toHaveLength(1);
    const sessions = await world.server.context.store.query((tx) => tx.db.selectFrom('session').selectAll().execute());
    expect(sessions).toHaveLength(1);
  });
});
