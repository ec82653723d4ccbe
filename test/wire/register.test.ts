import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { features } from '../../src/features.ts';
import { databases } from '../support/databases.ts';
import { citedText } from '../support/protocol.ts';
import { openWorld, type World } from '../support/world.ts';
import { EVENT_KINDS } from './event-kinds.ts';
import { ALWAYS, FIELDS } from './register-fields.ts';

/** Kinds of events that nothing here causes: reloads that cursors make needless. */
const UNCAUSED = ['restart', 'web_reload_client'];
/** What the log tells the server's own processes, not clients. */
const INTERNAL = ['came_back', 'queues_ended'];

/** Left out for clients that name the newer form, as ours do. See protocol/register#parameters. */
const OLDER = ['update_display_settings', 'update_global_notifications'];

/** State that no client of the protocol knows: each part names its fields where its source says. */
const ownStates = features
  .flatMap(({ state }) => state)
  .filter(({ fetchType }) => !OLDER.includes(fetchType))
  .filter(({ fetchType }) => !Object.keys(FIELDS).some((words) => words.split(' ').includes(fetchType)));
const ownFields = ownStates.flatMap(({ fields }) => Object.keys(fields));

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
    expect(await fieldsOf()).toEqual(expected([...Object.values(FIELDS).flat(), ...ownFields]));
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

describe('what is declared', () => {
  it('is of the protocol, no fewer and no more (protocol/events)', () => {
    const declared = features.flatMap((feature) => feature.events);
    const kinds = declared.map((event) => event.kind);
    const known = [...EVENT_KINDS.filter((kind) => !UNCAUSED.includes(kind)), ...INTERNAL];
    expect(known.filter((kind) => !kinds.includes(kind))).toEqual([]);
    const own = declared.filter(({ kind }) => !known.includes(kind));
    const unsaid = own.filter(({ type, source }) => !citedText(source).includes(`\`${type}\``));
    expect(unsaid.map(({ kind }) => kind)).toEqual([]);
    const fields = ownStates.flatMap((state) => Object.keys(state.fields).map((field) => ({ field, state })));
    const unnamed = fields.filter(({ field, state }) => !citedText(state.source).includes(`\`${field}\``));
    expect(unnamed.map(({ field }) => field)).toEqual([]);
  });
});
