import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Visitor } from '../../../test/support/browser-client.ts';
import { databases } from '../../../test/support/databases.ts';
import { type EmptyServer, openEmptyServer } from '../../../test/support/empty-server.ts';
import { firstOrganizationLink } from './index.ts';

const FIELDS = { name: 'Rooks', full_name: 'Olive', email: 'olive@roost.test', password: 'wide open sky' };

describe.each(databases)('the form that founds an organization on %s', (database) => {
  let empty: EmptyServer;
  let visitor: Visitor;
  let path: string;
  beforeEach(async () => {
    empty = await openEmptyServer(database);
    visitor = new Visitor(empty.server);
    path = new URL((await firstOrganizationLink(empty.server.context)) ?? '').pathname;
    await visitor.get(path);
  });
  afterEach(() => empty.close());

  it('leads on also when it was sent twice at once, or again because no answer came, and makes one', async () => {
    const answers = await Promise.all([visitor.post(path, FIELDS), visitor.post(path, FIELDS)]);
    answers.push(await visitor.post(path, FIELDS));
    expect(answers.map(({ status, location }) => [status, location])).toEqual([
      [303, '/welcome/'],
      [303, '/welcome/'],
      [303, '/welcome/'],
    ]);
    expect((await visitor.get('/welcome/')).text).toContain('Rooks is ready');
  });

  it('makes one whose people speak the language in which the form was shown', async () => {
    visitor.language = 'de-AT,de;q=0.9';
    await visitor.post(path, FIELDS);
    visitor.language = '';
    expect((await visitor.get('/welcome/')).text).toContain('<h1>Rooks ist bereit</h1>');
    expect((await new Visitor(empty.server).get('/login/')).text).toContain('<html lang="de">');
  });

  it('tells whoever else sends it that the organization is there, and lets nobody in', async () => {
    const other = new Visitor(empty.server);
    await other.get(path);
    await visitor.post(path, FIELDS);
    const answer = await other.post(path, FIELDS);
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('<h1>Rooks already exists</h1>');
    expect(other.cookies.has('sessionid')).toBe(false);
    expect((await other.get('/welcome/')).location).toMatch(/^\/login\//);
  });
});
