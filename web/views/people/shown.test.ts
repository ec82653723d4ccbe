import { describe, expect, it } from 'vitest';
import { Model } from '../../model/index.ts';
import { hasPeople } from './shown.ts';

describe('the list of people', () => {
  it('belongs to a channel, but not to the messages outside of one', () => {
    const model = new Model();
    model.load({ user_id: 7, subscriptions: [{ stream_id: 5, name: 'oak' }] } as never);
    expect(hasPeople([{ operator: 'channel', operand: 5 }], model)).toBe(true);
    expect(hasPeople([{ operator: 'channel', operand: 5, negated: true }], model)).toBe(false);
  });
});
