import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('domains of addresses on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const domains = async () => (await world.gus.get('/realm/domains'))['domains'];

  it('are added, changed and removed by owners, and everybody hears of it (protocol/organizations#domains)', async () => {
    const { olive, gus } = world;
    const [, added] = await expectSync([olive, gus], async () => {
      const { new_domain } = await olive.post('/realm/domains', { domain: ' Roost.test ', allow_subdomains: false });
      expect(new_domain).toEqual([expect.any(Number), 'roost.test']);
    });
    const realm_domain = { domain: 'roost.test', allow_subdomains: false };
    expect(added).toMatchObject([{ type: 'realm_domains', op: 'add', realm_domain }]);
    const change = () => olive.patch('/realm/domains/roost.test', { allow_subdomains: true });
    const [, changed] = await expectSync([olive, gus], change);
    expect(changed).toMatchObject([{ op: 'change', realm_domain: { ...realm_domain, allow_subdomains: true } }]);
    expect((await expectSync([gus], change))[0]).toEqual([]);
    expect(await domains()).toEqual([{ domain: 'roost.test', allow_subdomains: true }]);
    const [, removed] = await expectSync([olive, gus], () => olive.delete('/realm/domains/roost.test'));
    expect(removed).toMatchObject([{ op: 'remove', domain: 'roost.test' }]);
    expect(await domains()).toEqual([]);
  });

  it('are refused when malformed, known, unknown, or to others than owners', async () => {
    const { olive, adam } = world;
    await olive.post('/realm/domains', { domain: 'known.test', allow_subdomains: false });
    const add = async (domain: string) =>
      (await olive.refused('POST', '/realm/domains', { domain, allow_subdomains: true })).msg;
    expect(await add(' ')).toBe("Invalid domain: Domain can't be empty.");
    expect(await add('roost')).toBe('Invalid domain: Domain must have at least one dot (.)');
    expect(await add('.roost.test')).toBe('Invalid domain: Domain cannot start or end with a dot (.)');
    expect(await add('a..b')).toMatch(/^Invalid domain: /);
    expect(await add('-a.b')).toBe("Invalid domain: Subdomains cannot start or end with a '-'.");
    expect(await add('a_b.c')).toBe("Invalid domain: Domain can only have letters, numbers, '.' and '-'s.");
    expect(await add('KNOWN.test')).toBe('The domain known.test is already a part of your organization.');
    for (const [method, fields] of [['PATCH', { allow_subdomains: true }] as const, ['DELETE', {}] as const])
      expect((await olive.refused(method, '/realm/domains/unknown.test', fields)).msg).toBe(
        'No entry found for domain unknown.test.',
      );
    const refusal = { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization owner' };
    const sent = { domain: 'x.test', allow_subdomains: true };
    expect(await adam.refused('POST', '/realm/domains', sent)).toMatchObject(refusal);
    expect(await adam.refused('PATCH', '/realm/domains/known.test', sent)).toMatchObject(refusal);
    expect(await adam.refused('DELETE', '/realm/domains/known.test')).toMatchObject(refusal);
    await olive.delete('/realm/domains/known.test');
  });

  it('bound who may be invited, until the last one goes (protocol/invitations#addresses)', async () => {
    const { olive } = world;
    await olive.patch('/realm', { emails_restricted_to_domains: true });
    const invite = async (invitee_emails: string) =>
      (await olive.request('POST', '/invites', { invitee_emails, stream_ids: [] })).body;
    expect(await invite('free@anywhere.test')).toMatchObject({ result: 'success' });
    await olive.post('/realm/domains', { domain: 'home.test', allow_subdomains: true });
    await olive.post('/realm/domains', { domain: 'flat.test', allow_subdomains: false });
    expect(await invite('a@Home.test, b@deep.home.test, c@flat.test')).toMatchObject({ result: 'success' });
    expect(
      await invite('a@elsewhere.test, b@deep.flat.test, c@nothome.test, d+e@home.test, f@home.test'),
    ).toMatchObject({
      code: 'INVITATION_FAILED',
      sent_invitations: false,
      errors: [
        ['a@elsewhere.test', 'Outside your domain.', false],
        ['b@deep.flat.test', 'Outside your domain.', false],
        ['c@nothome.test', 'Outside your domain.', false],
        ['d+e@home.test', 'Email addresses containing + are not allowed.', false],
      ],
    });
    await olive.delete('/realm/domains/home.test');
    const [events] = await expectSync([olive], () => olive.delete('/realm/domains/flat.test'));
    expect(events).toMatchObject([
      { type: 'realm_domains', op: 'remove' },
      { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false },
    ]);
    expect(await invite('d+e@anywhere.test')).toMatchObject({ result: 'success' });
  });
});
