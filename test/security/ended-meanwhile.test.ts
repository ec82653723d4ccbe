import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Visitor } from '../support/browser-client.ts';
import type { Client } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { openRaw } from '../support/raw-connection.ts';
import { openWorld, type World } from '../support/world.ts';

const SESSIONS = '/accounts/sessions/';
const PASSWORD = 'roost-demo-password';
/** Milliseconds that pass on the server's clock while a body is on its way. */
const PAUSE_MS = 5000;

/** A type of bodies, and how one is written. */
type Kind = readonly [type: string, write: (fields: object) => string];
const FORM: Kind = [
  'application/x-www-form-urlencoded',
  (fields: object) => new URLSearchParams({ ...fields }).toString(),
];
const PARTS: Kind = ['multipart/form-data; boundary=edge', (fields: object) => parts(fields)];
const FILE: Kind = [PARTS[0], (fields: object) => parts(fields, 'filename="a.png"')];

/** A body of several parts; `extra` makes a file of the last one. */
function parts(fields: object, extra = ''): string {
  const all = Object.entries({ ...fields, ...(extra !== '' && { file: 'no picture' }) });
  const headOf = (name: string) => `name="${name}"${name === 'file' ? `; ${extra}\r\nContent-Type: image/png` : ''}`;
  const texts = all.map(
    ([name, value]) => `--edge\r\nContent-Disposition: form-data; ${headOf(name)}\r\n\r\n${value}\r\n`,
  );
  return `${texts.join('')}--edge--\r\n`;
}

/** Who was let in by the head of a request can be out when its body has come, an hour later (security#asvs, 7.4.2, 8.3.2). */
describe.each(databases)('what ended meanwhile, on %s', (database) => {
  let world: World;
  let port: number;
  beforeEach(async () => {
    world = await openWorld(database, { mode: 'production', rateLimits: 'on' });
    port = await world.server.listener.listen(0, '127.0.0.1');
  });
  afterEach(() => world.close());

  /** Sends all of a request but the end of its body, does something else, and sends the rest; the answer's status. */
  async function whileSending(path: string, head: string, [type, write]: Kind, fields: object, act: () => unknown) {
    const body = write(fields);
    const connection = openRaw(port);
    const what = `Content-Type: ${type}\nContent-Length: ${body.length}\nExpect: 100-continue\nConnection: close`;
    connection.write(`POST ${path} HTTP/1.1\nHost: localhost\n${head}\n${what}\n\n`);
    // It is asked for when the head has been judged.
    await connection.until('100 Continue');
    connection.socket.write(body.slice(0, -5));
    await act();
    world.clock.advance(PAUSE_MS);
    connection.socket.write(body.slice(-5));
    return Number(/HTTP\/1\.1 ([2-5]\d\d)/.exec(await connection.closed)?.[1]);
  }
  const byKey = ({ authorization }: Client) => `Authorization: ${authorization}`;

  it.each([
    ['a form', FORM],
    ['parts', PARTS],
  ] as const)('makes no key for whoever has none any more: %s', async (_what, kind) => {
    const { max } = world;
    const send = (act: () => unknown) =>
      whileSending('/api/v1/users/me/api_keys', byKey(max), kind, { name: 'Thief' }, act);
    expect(await send(() => undefined)).toBe(200);
    expect((await max.get('/users/me/api_keys')).api_keys).toHaveLength(1);
    expect(await send(() => max.post('/users/me/api_key/regenerate'))).toBe(401);
    const again = world.clientOf({ id: max.userId, email: max.email, api_key_version: 2 });
    expect((await again.get('/users/me/api_keys')).api_keys).toHaveLength(1);
  });

  it('makes no bot for a person who is out when its picture has come', async () => {
    const { max, olive } = world;
    const bot = { full_name: 'Gardener', short_name: 'gardener', bot_type: 1 };
    const act = () => olive.delete(`/users/${max.userId}`);
    // As it is let in, its picture is looked at, and is none.
    expect(await whileSending('/api/v1/bots', byKey(max), FILE, bot, () => undefined)).toBe(400);
    expect(await whileSending('/api/v1/bots', byKey(max), FILE, bot, act)).toBe(401);
  });

  it('is done with the role that somebody has by then', async () => {
    const { adam, olive } = world;
    const link = { invite_as: 200 };
    const path = '/api/v1/invites/multiuse';
    expect(await whileSending(path, byKey(adam), FORM, link, () => undefined)).toBe(200);
    const act = () => olive.patch(`/users/${adam.userId}`, { role: 400 });
    expect(await whileSending(path, byKey(adam), FORM, link, act)).toBe(400);
  });

  it('a token of a directory changes nobody when it is over', async () => {
    const { olive } = world;
    const path = '/realm/scim_tokens';
    const { secret } = await olive.post(path, { name: 'Okta' });
    const [{ id }] = (await olive.get(path)).scim_tokens;
    const kind: Kind = ['application/scim+json', (fields) => JSON.stringify(fields)];
    const send = (userName: string, act: () => unknown) =>
      whileSending('/scim/v2/Users', `Authorization: Bearer ${secret}`, kind, { userName, displayName: 'New' }, act);
    expect(await send('one@roost.test', () => undefined)).toBe(201);
    expect(await send('two@roost.test', () => olive.delete(`${path}/${id}`))).toBe(401);
  });

  it('finishes no resumable upload of a person who has no key any more', async () => {
    const { max } = world;
    const kind: Kind = ['application/offset+octet-stream', () => 'ten tidy nests'];
    const head = `${byKey(max)}\nTus-Resumable: 1.0.0\nUpload-Length: ${kind[1]({}).length}\nUpload-Metadata: filename bmVzdA==`;
    const send = (act: () => unknown) => whileSending('/api/v1/tus/', head, kind, {}, act);
    expect(await send(() => undefined)).toBe(201);
    expect((await max.get('/attachments')).attachments).toHaveLength(1);
    expect(await send(() => max.post('/users/me/api_key/regenerate'))).toBe(401);
    const again = world.clientOf({ id: max.userId, email: max.email, api_key_version: 2 });
    expect((await again.get('/attachments')).attachments).toHaveLength(1);
  });

  it('a form of a page counts for the session that there still is', async () => {
    const { olive } = world;
    const visitor = new Visitor(world.server);
    await visitor.get('/login/');
    await visitor.post('/login/', { username: olive.email, password: PASSWORD });
    const { text } = await visitor.get(SESSIONS);
    const csrfmiddlewaretoken = /name="csrfmiddlewaretoken" value="(\w+)"/.exec(text)?.[1] ?? '';
    const cookies = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const send = (act: () => unknown) =>
      whileSending(SESSIONS, `Cookie: ${cookies}`, FORM, { csrfmiddlewaretoken, end: '0' }, act);
    expect(await send(() => undefined)).toBe(303);
    expect(await send(() => endSessions(olive))).toBe(401);
  });
  const endSessions = (who: Client) =>
    who.patch('/settings', { old_password: PASSWORD, new_password: 'four nests in the south tower' });
});
