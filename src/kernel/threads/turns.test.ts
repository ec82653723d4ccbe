import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

/** Takes turns under names; `begun` lists the names whose turn has begun. */
function open(options: ConstructorParameters<typeof Turns>[0]) {
  const turns = new Turns(options);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (caller: string, name: string) =>
    turns.take(caller).then((end) => {
      begun.push(name);
      ends.set(name, end);
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  return { begun, end, take };
}

const settled = () => new Promise(setImmediate);

describe('turns', () => {
  it('are given to a few at once, per caller and in total', async () => {
    const { begun, end, take } = open({ max: 3, maxPerCaller: 2, maxWaitingPerCaller: 9 });
    for (const name of ['a1', 'a2', 'a3']) void take('a', name);
    for (const name of ['b1', 'b2']) void take('b', name);
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    await end('a2');
    expect(begun.at(-1)).toBe('b2');
  });

  it('alternate between callers, however many one caller has waiting', async () => {
    const { begun, end, take } = open({ max: 1, maxPerCaller: 1, maxWaitingPerCaller: 9 });
    for (const name of ['a1', 'a2', 'a3']) void take('a', name);
    void take('b', 'b1');
    await settled();
    await end('a1');
    await end('a2');
    await end('b1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('are refused to a caller who has too many waiting, and to nobody else', async () => {
    const { begun, take } = open({ max: 2, maxPerCaller: 1, maxWaitingPerCaller: 1 });
    void take('a', 'a1');
    void take('a', 'a2');
    await expect(take('a', 'a3')).rejects.toMatchObject({ row: { status: 503 } });
    await take('b', 'b1');
    expect(begun).toEqual(['a1', 'b1']);
  });
});
