import { readFileSync } from 'node:fs';
import { describedEvents, eventsPage } from '#kernel/openapi';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../src/server.ts';
import { assertDocumented } from '../support/documented-events.ts';
import { EVENT_KINDS } from './event-kinds.ts';

describe('the reference of events', () => {
  const events = describedEvents(eventTypes);

  it('says of each what it tells and who receives it', () => {
    expect(events.length).toBeGreaterThan(70);
    expect(events.filter(({ kind }) => !EVENT_KINDS.includes(kind))).toEqual([]);
    expect(events.filter(({ doc, to }) => !/^[A-Z].*\.$/.test(doc) || to === '')).toEqual([]);
  });

  it('is the page as declared: otherwise run `npm run docs`', () => {
    const page = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8');
    expect(page).toBe(eventsPage(eventTypes));
  });

  it('refuses an event of another shape, as every client of the tests does', () => {
    const event: Record<string, unknown> = { type: 'alert_words', alert_words: ['tomato'], id: 3 };
    assertDocumented([event]);
    expect(() => assertDocumented([{ ...event, words: [] }])).toThrow('not as documented');
    expect(() => assertDocumented([{ ...event, type: 'queues_ended' }])).toThrow('not as documented');
  });
});
