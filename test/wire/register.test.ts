import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { features } from '../../src/features.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';
import { EVENT_KINDS } from './event-kinds.ts';
import { ALWAYS, FIELDS } from './register-fields.ts';

/** Kinds of events that nothing here causes: reloads that cursors make needless. */
const UNCAUSED = ['restart', 'web_reload_client'];
/** What the log tells the server's own processes, not clients. */
const INTERNAL = ['came_back', 'queues_ended'];

describe.each(databases)('the register response on %s', (name) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(name);
  });
  afterAll(() => world.close());
  const fieldsOf = async (fetch_event_types?: readonly string[]) =>
    Object.keys((await world.max.register({ ...(fetch_event_types && { fetch_event_types }) })).state).toSorted();
  const expected = (names: readonly string[]) => [...new Set([...ALWAYS, ...names])].toSorted();

  it.each(Object.entries(FIELDS))(
    'has for %s what the protocol says, and nothing else (protocol/register#state-by-type)',
    async (words, names) => {
      expect(await fieldsOf(words.split(' '))).toEqual(expected(names));
    },
  );

  it('has all of them when nothing is named, and only the facts when nothing is wanted', async () => {
    expect(await fieldsOf()).toEqual(expected(Object.values(FIELDS).flat()));
    expect(await fieldsOf([])).toEqual(expected([]));
  });

  it('leaves the older form of muted topics out for clients that name the newer one (protocol/register#state-by-type)', async () => {
    expect(await fieldsOf(['muted_topics', 'user_topic'])).toEqual(expected(['user_topics']));
  });

  it('fetches what is received unless it is told otherwise (protocol/register#parameters)', async () => {
    const { state } = await world.max.register({ event_types: ['alert_words', 'nobody_knows'] });
    expect(Object.keys(state).toSorted()).toEqual(expected(['alert_words']));
  });
});

describe('the events', () => {
  it('are those of the protocol, no fewer and no more (protocol/events)', () => {
    const declared = features.flatMap((feature) => feature.events).map((event) => event.kind);
    const known = [...EVENT_KINDS.filter((kind) => !UNCAUSED.includes(kind)), ...INTERNAL];
    expect(declared.toSorted()).toEqual(known.toSorted());
  });
});
