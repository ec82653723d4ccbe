import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { first, type Input, next, type Phase } from './machine.ts';

const failed: Input = { what: 'failed' };
const state = { queue_id: 'q', last_event_id: 5 };
const registered = { what: 'registered', state } as unknown as Input;

describe('the tab that polls', () => {
  it('begins with the queue that was kept, and asks for what is there first', () => {
    expect(first('q')).toEqual({ name: 'polling', queueId: 'q', isCatchingUp: true, attempt: 0 });
    expect(first(undefined)).toEqual({ name: 'registering', attempt: 0 });
    expect(next(first('q'), { what: 'events', events: [] }, { now: 0, chance: 0 })).toMatchObject({
      isCatchingUp: false,
    });
  });

  it('waits longer from time to time, never longer than half a minute, and not as long as others', () => {
    const waits: number[] = [];
    let phase: Phase = first('q');
    for (let attempt = 0; attempt < 10; attempt++) {
      phase = next(phase, failed, { now: 1000, chance: 0.99 });
      if (phase.name === 'waiting') waits.push(phase.until - 1000);
      phase = next(phase, { what: 'woken' }, { now: 0, chance: 0 });
    }
    expect(waits[0]).toBeLessThan(500);
    expect(waits.at(-1)).toBeGreaterThan(25_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
    const early = next(first('q'), failed, { now: 0, chance: 0 });
    expect(early).toMatchObject({ until: 250 });
  });

  it('registers again when the queue is gone, without waiting', () => {
    expect(next(first('q'), { what: 'queueGone' }, { now: 0, chance: 0 })).toEqual({ name: 'registering', attempt: 0 });
    expect(next({ name: 'registering', attempt: 3 }, registered, { now: 0, chance: 0 })).toMatchObject({
      name: 'polling',
      queueId: 'q',
    });
  });

  it('after anything that happens comes back to polling once the server answers, unless the session has ended', () => {
    const input = fc.constantFrom<Input>(
      failed,
      { what: 'woken' },
      { what: 'queueGone' },
      { what: 'events', events: [] },
    );
    fc.assert(
      fc.property(fc.array(input, { maxLength: 30 }), (inputs) => {
        const situation = { now: 0, chance: 0.5 };
        let phase = inputs.reduce((kept, one) => next(kept, one, situation), first('q'));
        if (phase.name === 'waiting') phase = next(phase, { what: 'woken' }, situation);
        const answer = phase.name === 'registering' ? registered : { what: 'events' as const, events: [] };
        expect(next(phase, answer, situation).name).toBe('polling');
        const ended = next(phase, { what: 'signedOut', reason: 'x' }, situation);
        expect(inputs.reduce((kept, one) => next(kept, one, situation), ended)).toBe(ended);
      }),
    );
  });
});
