import { expect, it } from 'vitest';
import { joined, piecesOf } from './pieces.ts';

const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));

const STATE = {
  queue_id: 'q',
  last_event_id: 7,
  none: null,
  no_list: [],
  no_record: {},
  settings: { theme: 1, nested: { deep: many(3, String) } },
  subscriptions: many(10_001, (index) => ({ stream_id: index, name: `channel ${index}` })),
  presences: Object.fromEntries(many(600, (index) => [String(index), { at: index }])),
  unread_msgs: { count: 3, streams: many(1000, (index) => ({ topic: `t${index}`, ids: [index] })), pms: [] },
  ['__proto__x']: 1,
};

it('joins what it took apart, of which no piece is long', () => {
  const pieces = piecesOf(STATE);
  expect(joined(structuredClone(pieces))).toEqual(STATE);
  for (const { part } of pieces) expect(Object.keys(Object(part)).length).toBeLessThanOrEqual(250);
  expect(pieces.length).toBeLessThan(60);
});

it.each([[undefined], [null], [7], [[]], [{}], [many(700, Number)], [{ a: { b: many(300, Number) } }]])(
  'takes %j',
  (value) => {
    expect(joined(structuredClone(piecesOf(value)))).toEqual(value);
  },
);
