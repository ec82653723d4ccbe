import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { INTEGRATIONS } from './registry.ts';

describe.each(databases)('pages of integrations on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('list all, and show of each the address to paste and what is said', async () => {
    const list = await world.spectator.fetch('/integrations/');
    expect(list.statusCode).toBe(200);
    for (const { name } of INTEGRATIONS) expect(list.body).toContain(`href="/integrations/${name}"`);
    const page = await world.spectator.fetch('/integrations/github');
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('http://localhost:9991/api/v1/external/github?api_key={key}&amp;stream={channel}');
    expect(page.body).toContain('boats / PR #12 Row faster');
    expect(page.body).toContain('<a href="https://github.com/ferry/boats/pull/12">');
    expect(page.body).not.toMatch(/class="emoji|:alert:|\]\(https/);
    expect((await world.spectator.fetch('/integrations/grafana')).body).toContain(
      'Follows: <a href="https://grafana.com/docs/',
    );
    expect(page.body).not.toContain('Follows:');
    expect((await world.spectator.fetch('/integrations/unheard')).statusCode).toBe(404);
  });

  it('have their headings in the language of the organization, where no browser asks for another', async () => {
    await world.olive.patch('/realm', { default_language: 'de' });
    const { body: list } = await world.spectator.fetch('/integrations/');
    const { body: one } = await world.spectator.fetch('/integrations/github');
    await world.olive.patch('/realm', { default_language: 'en' });
    expect(list).toContain('<h2>Überwachung</h2>');
    expect(one).toContain('<h2>Was gesagt wird</h2>');
    expect(list + one).not.toMatch(/<h2>(Monitoring|What is said|Events)/);
  });
});
