import { readFileSync } from 'node:fs';
import { describedEvents, eventsPage } from '#kernel/openapi';
import { describe, expect, it } from 'vitest';
import { features } from '../../src/features.ts';
import { eventTypes } from '../../src/server.ts';
import { assertAudience, MEANT } from '../support/documented-audiences.ts';
import { assertDocumented } from '../support/documented-events.ts';

/** Fields that clients work out from others that they keep. */
const UNKEPT: readonly string[] = [
  'can_create_public_streams',
  'can_create_private_streams',
  'can_create_web_public_streams',
  'can_create_streams',
  'can_subscribe_other_users',
  'can_invite_others_to_realm',
];

/** Fields that every reply of `POST /register` has, whatever state was asked for. */
const ALWAYS = ['zulip_version', 'zulip_merge_base', 'zulip_feature_level'];

describe('the reference of events', () => {
  const events = describedEvents(eventTypes);

  it('says of each what it tells and who receives it', () => {
    expect(events.length).toBeGreaterThan(70);
    expect(events.filter(({ doc, to }) => !/^[A-Z].*\.$/.test(doc) || to === '')).toEqual([]);
  });

  it('is the page as declared: otherwise run `npm run docs`', () => {
    const page = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8');
    expect(page).toBe(eventsPage(eventTypes));
  });

  it('says in words that mean one audience each', () => {
    expect([...new Set(events.map(({ to }) => to))].filter((to) => !(to in MEANT))).toEqual([]);
    assertAudience('alert_words', { users: [1] });
    expect(() => assertAudience('alert_words', { everyone: true })).toThrow('alert_words went to everyone');
    expect(() => assertAudience('realm_export', { admins: true, users: [1] })).toThrow('but is received by');
  });

  it('says of each how it changes what clients keep, or why it does not', () => {
    const applied = new Set(features.flatMap(({ applies }) => applies.flatMap(({ types }) => types)));
    const unsaid = eventTypes.filter(({ type, stale }) => !applied.has(type) && stale === undefined);
    expect(unsaid.map(({ kind }) => kind)).toEqual([]);
    // Said twice: readers of the one do not know of the other.
    const twice = eventTypes.filter(({ type, stale }) => applied.has(type) && stale !== undefined);
    expect(twice.map(({ kind }) => kind)).toEqual([]);
    expect([...applied].filter((type) => !eventTypes.some((event) => event.type === type))).toEqual([]);
  });

  it('keeps every field fresh that it is said to, by an event that is applied to it', () => {
    const states = features.flatMap(({ state }) => state);
    const appliers = features.flatMap(({ applies }) => applies);
    const fields = new Set([...ALWAYS, ...states.flatMap((state) => Object.keys(state.fields))]);
    expect(appliers.flatMap((one) => one.fields).filter((field) => !fields.has(field))).toEqual([]);
    const unkept = states
      .filter((state) => state.stale === undefined && !state.isVolatile)
      .filter((state) => !appliers.some((one) => one.fields.some((field) => field in state.fields)));
    expect(unkept.flatMap((state) => Object.keys(state.fields))).toEqual(UNKEPT);
  });

  it('refuses an event of another shape, as every client of the tests does', () => {
    const event: Record<string, unknown> = { type: 'alert_words', alert_words: ['tomato'], id: 3 };
    assertDocumented([event]);
    expect(() => assertDocumented([{ ...event, words: [] }])).toThrow('not as documented');
    expect(() => assertDocumented([{ ...event, type: 'queues_ended' }])).toThrow('not as documented');
  });
});
