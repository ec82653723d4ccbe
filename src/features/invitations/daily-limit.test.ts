import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOrganization } from '#features/organizations';
import { apiKeyFor } from '#kernel/auth';
import { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const REACHED = {
  code: 'INVITATION_FAILED',
  msg: 'To protect users, Roost limits the number of invitations you can send in one day. Because you have reached the limit, no invitations were sent.',
  daily_limit_reached: true,
  license_limit_reached: false,
  sent_invitations: false,
  errors: [],
};

describe.each(databases)(
  'the daily limit of invitations on %s (protocol/invitations#daily-limit, check 11)',
  (database) => {
    let world: World;
    beforeEach(async () => {
      world = await openWorld(database, { environment: { ROOST_MAX_INVITATIONS_PER_DAY: '3' } });
    });
    afterEach(() => world.close());

    const addresses = (count: number, from = 0) =>
      Array.from({ length: count }, (_, index) => `new${from + index}@roost.test`).join();
    const form = (invitee_emails: string) => ({ invitee_emails, stream_ids: [] });
    const pending = async () => (await world.olive.get('/invites'))['invites'].length;

    it('refuses all of a batch that goes beyond it, until the next day', async () => {
      const { max, mia, olive, clock } = world;
      await max.post('/invites', form(addresses(2)));
      expect(await mia.refused('POST', '/invites', form(addresses(2, 2)))).toMatchObject(REACHED);
      await mia.post('/invites', form(addresses(1, 2)));
      expect(await olive.refused('POST', '/invites', form('x@roost.test'))).toMatchObject(REACHED);
      expect(await pending()).toBe(3);
      await olive.post('/invites/multiuse', {});
      clock.advance(86_400_000);
      await olive.post('/invites', form('x@roost.test'));
    });

    it('counts what is sent: not what was refused or skipped, but what is sent again', async () => {
      const { max } = world;
      await max.refused('POST', '/invites', form(`nope,${addresses(2)}`));
      expect(await max.refused('POST', '/invites', form(`${addresses(2)},${max.email}`))).toMatchObject({
        sent_invitations: true,
        daily_limit_reached: false,
      });
      const [first] = (await max.get('/invites'))['invites'];
      await max.post(`/invites/${first.id}/resend`);
      expect(await max.refused('POST', `/invites/${first.id}/resend`)).toMatchObject(REACHED);
    });

    it('comes after the rights and before the addresses', async () => {
      const { max, gus } = world;
      await max.post('/invites', form(addresses(3)));
      expect((await gus.refused('POST', '/invites', form('nope'))).msg).toBe('Not allowed for guest users');
      expect((await max.refused('POST', '/invites', { ...form('nope'), stream_ids: [999] })).msg).toBe(
        'Invalid channel ID 999. No invites were sent.',
      );
      expect(await max.refused('POST', '/invites', form('nope'))).toMatchObject(REACHED);
    });

    it('is not passed by many at once', async () => {
      const { max, mia } = world;
      const send = async (index: number) =>
        (await (index % 2 ? max : mia).request('POST', '/invites', form(addresses(1, index)))).status;
      const statuses = await Promise.all(Array.from({ length: 8 }, (_, index) => send(index)));
      expect(statuses.filter((status) => status === 200)).toHaveLength(3);
      expect(await pending()).toBe(3);
    });

    it('is shared by organizations in their first week', async () => {
      const { server, max, clock } = world;
      const owner = { email: 'other@roost.test', full_name: 'Other Owner', password: 'roost-demo-password' };
      const other = await createOrganization(server.context, { subdomain: 'other', name: 'Other', owner });
      const api_key = apiKeyFor(server.context.server.secret, other.owner.id, other.owner.api_key_version);
      const host = { host: 'other.localhost:9991' };
      const far = new Client(server, { email: owner.email, user_id: other.owner.id, api_key });
      const sendFar = async (count: number) =>
        (await far.request('POST', '/invites', form(addresses(count)), host)).body['result'];
      expect(await sendFar(2)).toBe('success');
      expect(await max.refused('POST', '/invites', form(addresses(2)))).toMatchObject(REACHED);
      clock.advance(7 * 86_400_000);
      expect(await sendFar(3)).toBe('success');
      await max.post('/invites', form(addresses(3)));
    });
  },
);
