import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asId } from '#kernel/ids';
import { Reading } from './reading.ts';
import { holds, type Scope, type SubscriptionPeriod } from './scope.ts';

const PLACE = { recipient_id: 7, channel_id: 3 };
const number = fc.integer({ min: 0, max: 30 });

/** A period of one of four people. */
const periods = fc.array(
  fc.record({ user_id: fc.integer({ min: 1, max: 4 }), after: number, length: fc.option(number) }).map(
    ({ user_id, after, length }): SubscriptionPeriod => ({
      id: 1,
      realm_id: asId(1),
      user_id: asId(user_id),
      channel_id: asId(3),
      from_event_id: 0,
      to_event_id: null,
      after_message_id: asId(after),
      until_message_id: length === null ? null : asId(after + length),
    }),
  ),
  { maxLength: 8 },
);
/** Numbers of messages that somebody has read: stretches with at least one message between them. */
const intervals = fc.array(fc.tuple(number, number), { maxLength: 4 }).map((steps) => {
  let last = -1;
  return steps.map(([gap, length]): readonly [number, number] => {
    const first = last + 2 + gap;
    last = first + length;
    return [first, last];
  });
});

it('knows for each message who has it and has read it, whatever messages were asked about before', () => {
  fc.assert(
    fc.property(periods, fc.array(intervals, { maxLength: 4 }), fc.array(number), (all, read, asked) => {
      const scope: Pick<Scope, 'conversations' | 'periods' | 'hasPrivate'> = {
        conversations: new Map(),
        periods: new Map([[3, all]]),
        hasPrivate: (user) => user !== 4,
      };
      const byUser = new Map(read.map((own, index) => [index + 1, own]));
      const reading = new Reading(scope, new Map([[7, byUser]]));
      for (const id of asked) {
        const { read: haveRead, unread } = reading.spanOf(PLACE, id);
        const there = new Set(all.filter((period) => holds(period, id)).map((period) => Number(period.user_id)));
        there.delete(4);
        const isRead = (user: number) => (byUser.get(user) ?? []).some(([a, b]) => a <= id && id <= b);
        expect(new Set(haveRead)).toEqual(new Set([...there].filter(isRead)));
        expect(new Set(unread)).toEqual(new Set([...there].filter((user) => !isRead(user))));
        expect(haveRead.length + unread.length).toBe(there.size);
        for (const user of there) expect(reading.isRead(7, user, id)).toBe(isRead(user));
      }
    }),
  );
});
