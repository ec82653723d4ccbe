import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSide, programs, type Running, type Side, start, until } from './bridge.ts';

describe.skipIf(!programs)('the bridge between two servers (docs/bridges.md)', () => {
  let one: Side;
  let two: Side;
  let bridge: Running;
  beforeAll(async () => {
    [one, two] = await Promise.all([openSide('harbour'), openSide('hafen')]);
    bridge = start(['two_servers.py', '--one', one.zuliprc, '--two', two.zuliprc, '--channel', 'harbour=hafen']);
    const carried = async (from: Side, to: Side, word: string) =>
      until(
        async () => (await to.messages()).some(({ content }) => content.includes(word)),
        () => from.post(word, 'begin'),
      );
    await carried(one, two, 'from one');
    await carried(two, one, 'from two');
  });
  afterAll(async () => {
    await bridge.stop();
    await Promise.all([one.close(), two.close()]);
  });
  const contents = async (side: Side, topic: string) =>
    (await side.messages()).filter(({ subject }) => subject === topic).map(({ content }) => content);

  it('carries messages both ways, once, with their topic and author, and tells nobody by mentions', async () => {
    await one.post('Hello @**all**, see [plan](/user_uploads/1/ab/plan.pdf)');
    await two.post('```\ncode\n```');
    await one.post('last');
    await expect.poll(() => contents(two, 'boats')).toContain('**Max Member**: last');
    await expect.poll(() => contents(one, 'boats')).toHaveLength(3);
    expect(new Set(await contents(two, 'boats'))).toEqual(
      new Set([
        `**Max Member**: Hello @_**all**, see [plan](${one.server.url}/user_uploads/1/ab/plan.pdf)`,
        '```\ncode\n```',
        '**Max Member**: last',
      ]),
    );
    expect(await contents(one, 'boats')).toContain('**Max Member**:\n```\ncode\n```');
  });

  it('carries nothing that a bridge has carried, so that two of them never loop', async () => {
    const second = start(['two_servers.py', '--one', one.zuliprc, '--two', two.zuliprc, '--channel', 'harbour=hafen']);
    await until(
      async () => (await contents(two, 'second')).filter((content) => content.endsWith('twice')).length > 1,
      () => one.post('twice', 'second'),
    );
    await one.post('ring', 'ring');
    await expect.poll(() => contents(two, 'ring')).toHaveLength(2);
    await two.post('end', 'ring');
    await expect.poll(() => contents(one, 'ring')).toHaveLength(3);
    expect(await contents(one, 'ring')).toEqual(['ring', '**Max Member**: end', '**Max Member**: end']);
    expect(await contents(two, 'ring')).toEqual(['**Max Member**: ring', '**Max Member**: ring', 'end']);
    await second.stop();
  });
});
