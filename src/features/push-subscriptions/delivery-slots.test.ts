import { beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { asId, type UserId } from '#kernel/ids';
import { type GiveBack, DeliverySlots } from './delivery-slots.ts';

const person = (id: number) => asId<UserId>(id);

describe('slots of deliveries to push services (security#what-one-request-may-cost)', () => {
  let clock: TestClock;
  let slots: DeliverySlots;
  beforeEach(() => {
    clock = new TestClock();
    slots = new DeliverySlots(clock);
  });
  /** Asks for many slots; what has come of them so far. */
  function asking(count: number, host: (n: number) => string, who: (n: number) => number) {
    const asked = { taken: [] as GiveBack[], refused: 0 };
    for (let n = 0; n < count; n++)
      void slots.take(host(n), person(who(n))).then((one) => (one ? asked.taken.push(one) : asked.refused++));
    return asked;
  }
  const settled = () => new Promise(setImmediate);

  it('are ten for a host that says nothing, and five for a person', async () => {
    const host = asking(
      100,
      () => 'slow.test',
      (n) => n,
    );
    const own = asking(
      50,
      (n) => `h${n}.test`,
      () => 1_000,
    );
    await settled();
    expect([host.taken.length, own.taken.length]).toEqual([10, 5]);
    clock.advance(1_000);
    await settled();
    expect([host.taken.length, host.refused, own.taken.length, own.refused]).toEqual([10, 90, 5, 45]);
    // Nobody waits for what is known to be silent, and others are not kept.
    expect(await slots.take('slow.test', person(7_000))).toBeUndefined();
    expect(await slots.take('other.test', person(7_000))).toBeTypeOf('function');
    host.taken.pop()?.(false);
    expect(await slots.take('slow.test', person(7_001))).toBeTypeOf('function');
  });

  it('are as many as are wanted once the host has answered, until it is silent', async () => {
    const asked = asking(
      100,
      () => 'well.test',
      (n) => n % 3,
    );
    await settled();
    expect(asked.taken).toHaveLength(10);
    asked.taken.shift()?.(true);
    await settled();
    expect([asked.taken.length, asked.refused]).toEqual([99, 0]);
    clock.advance(1_000);
    const late = asking(
      20,
      () => 'well.test',
      (n) => n,
    );
    await settled();
    expect(late.taken.length).toBeLessThanOrEqual(10);
    asked.taken.pop()?.(true);
    expect(await slots.take('well.test', person(1))).toBeTypeOf('function');
  });
});
