import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Visitor } from '../../../test/support/browser-client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const PATH = '/welcome/';
const TERMS = { role: '600', expires: '0' };

describe.each(databases)('first steps of an organization on %s', (database) => {
  let world: World;
  beforeEach(async () => (world = await openWorld(database, { mode: 'production' })));
  afterEach(() => world.close());

  async function owner(): Promise<Visitor> {
    const visitor = new Visitor(world.server);
    await visitor.get('/login/');
    await visitor.post('/login/', { username: world.olive.email, password: 'roost-demo-password' });
    await visitor.get(PATH);
    return visitor;
  }
  /** The browser of somebody who joined with a role. */
  async function joined(invite_as: number): Promise<Visitor> {
    const { invite_link } = await world.olive.post('/invites/multiuse', { invite_as });
    const visitor = new Visitor(world.server);
    await visitor.get(new URL(invite_link).pathname);
    const account = { email: `new-${invite_as}@roost.test`, full_name: 'Somebody New', password: 'wide open sky' };
    await visitor.post(new URL(invite_link).pathname, account);
    return visitor;
  }
  const fault = ({ text }: { text: string }) => /<span role="alert">(.*?)<\/span>/.exec(text)?.[1];

  it('are for those who manage it (protocol/organizations#first-day)', async () => {
    const { olive } = world;
    const max = await joined(400);
    expect(await new Visitor(world.server).get(PATH)).toMatchObject({ location: '/login/?next=%2Fwelcome%2F' });
    expect(await max.get(PATH)).toMatchObject({ status: 303, location: '/' });
    const own = await (await owner()).get(PATH);
    expect(own.text).toContain('<h1>Roost Test is ready</h1>');
    expect(own.text).toContain('For the operator of this server');
    const administrator = await (await joined(200)).get(PATH);
    expect(administrator.status).toBe(200);
    expect(administrator.text).not.toContain('For the operator of this server');
    const before = (await olive.get('/invites'))['invites'];
    expect(await max.post(PATH, { by: 'link', ...TERMS })).toMatchObject({ status: 303 });
    expect((await olive.get('/invites'))['invites']).toEqual(before);
  });

  it('make a link with its role and end, by which somebody joins where no mail goes out', async () => {
    const { text } = await (await owner()).post(PATH, { by: 'link', ...TERMS });
    const link = /id="made" readonly value="([^"]+)"/.exec(text)?.[1] ?? '';
    expect((await world.olive.get('/invites'))['invites']).toMatchObject([
      { link_url: link, invited_as: 600, expiry_date: null, is_multiuse: true },
    ]);
    const guest = new Visitor(world.server);
    const path = new URL(link).pathname;
    expect((await guest.get(path)).text).toContain('<h1>Join Roost Test</h1>');
    const nina = { email: 'nina@roost.test', full_name: 'Nina New', password: 'wide open sky' };
    expect(fault(await guest.post(path, { ...nina, full_name: 'Nina*' }))).toBe('Invalid characters in name!');
    expect(fault(await guest.post(path, { ...nina, password: 'password' }))).toBe('The password is too weak.');
    expect(await guest.post(path, nina)).toMatchObject({ status: 303, location: '/' });
    expect((await guest.get('/')).text).toContain('Hello, Nina New');
    const { members } = await world.olive.get('/users');
    expect(members.at(-1)).toMatchObject({ delivery_email: nina.email, role: 600 });
    const again = new Visitor(world.server);
    await again.get(path);
    const taken = await again.post(path, { ...nina, password: 'another wide sky' });
    expect(taken.location ?? fault(taken)).toMatch(/login|already/i);
  });

  it('ask for the address to be confirmed where the organization restricts addresses', async () => {
    const { text } = await (await owner()).post(PATH, { by: 'link', ...TERMS });
    const link = /id="made" readonly value="([^"]+)"/.exec(text)?.[1] ?? '';
    await world.olive.post('/realm/domains', { domain: 'roost.test', allow_subdomains: false });
    await world.olive.patch('/realm', { emails_restricted_to_domains: true });
    const guest = new Visitor(world.server);
    const path = new URL(link).pathname;
    await guest.get(path);
    const answer = await guest.post(path, { email: 'nina@roost.test', full_name: 'Nina', password: 'wide open sky' });
    expect(answer.text).toContain('<h1>Check your email</h1>');
    expect(
      (await world.olive.get('/users'))['members'].map((user: { full_name: string }) => user.full_name),
    ).not.toContain('Nina');
  });

  it('send invitations, and say of each address what is wrong with it', async () => {
    const visitor = await owner();
    const refused = await visitor.post(PATH, { by: 'mail', emails: 'nonsense', ...TERMS });
    expect(refused.status).toBe(400);
    expect(fault(refused)).toMatch(/^Some emails did not validate.* nonsense: /);
    expect(refused.text).toContain('>nonsense</textarea>');
    expect(refused.text).toContain('<option value="600" selected>');
    const sent = await visitor.post(PATH, { by: 'mail', emails: 'a@roost.test\nb@roost.test', ...TERMS });
    expect(sent.text).toContain('The invitations were sent.');
    expect((await world.olive.get('/invites'))['invites']).toHaveLength(2);
  });

  it('keep what was typed by somebody who has to wait, but no password', async () => {
    await world.close();
    world = await openWorld(database, { mode: 'production', rateLimits: 'on' });
    const { invite_link } = await world.olive.post('/invites/multiuse', { invite_as: 400 });
    const path = new URL(invite_link).pathname;
    const guest = new Visitor(world.server);
    await guest.get(path);
    for (let guess = 0; guess < 60; guess++) await guest.get(`/join/${'a'.repeat(24)}`);
    const nina = { email: 'nina@roost.test', full_name: 'Nina New', password: 'wide open sky' };
    const refused = await guest.post(path, nina);
    expect(refused.status).toBe(429);
    expect(refused.text).toContain(`<form method="post" action="${path}">`);
    expect(refused.text).toContain('name="full_name" value="Nina New"');
    expect(refused.text).not.toContain(nina.password);
    expect(refused.text.match(/csrfmiddlewaretoken/g)).toHaveLength(1);
  });
});
