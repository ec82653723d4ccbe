import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

// Clients have this vocabulary built in, so a name that the server lacks is a reaction refused. Decision 20.
const vocabulary = readFileSync(new URL('../../tools/markdown-data/emoji-names.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [code = '', shown = '', others = ''] = line.split('\t');
    return { code, names: [shown, ...others.split(' ').filter((name) => name !== '')] };
  });
const all = vocabulary.flatMap(({ code, names }) => names.map((name) => ({ code, name })));

/** Names that meant another emoji once, and names with letters of other alphabets. */
const TELLING = ['umbrella', 'hot', 'dog', 'kiss', 'dizzy', 'flag_curaçao', '空', 'oh_no', 'happy', '8ball', '+1'];

function chunks<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

describe.each(databases)('the emoji vocabulary of clients on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('has 1,875 emoji with 2,999 names, each of one emoji', () => {
    expect([vocabulary.length, all.length, new Set(all.map(({ name }) => name)).size]).toEqual([1875, 2999, 2999]);
  });

  it('is served whole, the name shown first', async () => {
    const { state } = await world.max.register({ fetch_event_types: ['realm'] });
    const { code_to_names: served } = (await world.spectator.fetch(state['server_emoji_data_url'])).json();
    expect(Object.keys(served).toSorted()).toEqual(vocabulary.map(({ code }) => code).toSorted());
    const wrong = vocabulary.filter(({ code, names }) => names.some((name, place) => served[code][place] !== name));
    expect(wrong).toEqual([]);
    const names = Object.values<string[]>(served).flat();
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  });

  it('is understood in messages, under the name that was typed', async () => {
    const missing: string[] = [];
    for (const part of chunks(all, 250)) {
      const content = part.map(({ name }) => `:${name}:`).join(' ');
      const { rendered } = await world.max.post('/messages/render', { content });
      missing.push(
        ...part
          .filter(
            ({ code, name }) =>
              !rendered.includes(
                `class="emoji emoji-${code}" role="img" title="${name.replaceAll('_', ' ')}">:${name}:`,
              ),
          )
          .map(({ name }) => name),
      );
    }
    expect(missing).toEqual([]);
  });

  it('shows a character under the name shown, and leaves what the vocabulary lacks as it was typed', async () => {
    const { rendered } = await world.max.post('/messages/render', { content: '😀 🐕 🕛 🫩' });
    const shown = [...String(rendered).matchAll(/>:([^:<]+):</g)].map(([, name]) => name);
    const nameOf = (code: string) => vocabulary.find((one) => one.code === code)?.names[0];
    expect(shown).toEqual([nameOf('1f600'), nameOf('1f415')]);
    expect(rendered).toContain('🕛 🫩');
  });

  it('is understood in reactions and statuses, by name alone and with the code', async () => {
    const sent = await world.max.post('/messages', { type: 'direct', to: [world.mia.userId], content: 'hm' });
    const chosen = all.filter(({ name }, place) => place % 60 === 0 || TELLING.includes(name));
    expect(chosen.length).toBeGreaterThan(50);
    for (const { code, name } of chosen) {
      const full = { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' };
      await world.max.post(`/messages/${sent['id']}/reactions`, { emoji_name: name });
      await world.max.delete(`/messages/${sent['id']}/reactions`, full);
      await world.max.post(`/messages/${sent['id']}/reactions`, full);
      await world.max.delete(`/messages/${sent['id']}/reactions`, { emoji_name: name });
      await world.max.post('/users/me/status', { emoji_name: name });
      expect((await world.mia.get(`/users/${world.max.userId}/status`))['status']).toEqual(full);
    }
  });

  it('gives no emoji a name of another one', async () => {
    const sent = await world.max.post('/messages', { type: 'direct', to: [world.mia.userId], content: 'hm' });
    const wrong = { emoji_name: 'dog', emoji_code: '1f436', reaction_type: 'unicode_emoji' };
    const msg = 'Invalid emoji name.';
    expect(await world.max.refused('POST', `/messages/${sent['id']}/reactions`, wrong)).toMatchObject({ msg });
    expect(await world.max.refused('POST', '/users/me/status', wrong)).toMatchObject({ msg });
  });
});
