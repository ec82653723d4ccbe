import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { HelperThread } from './index.ts';

const MIB = 2 ** 20;
/** Answers with as many MiB as it is asked for. */
const PROGRAM = new URL(`data:text/javascript,
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', (mib) => parentPort.postMessage(new Uint8Array(mib * ${MIB})));`);

const open = () =>
  new HelperThread<number, Uint8Array>({
    program: PROGRAM,
    isAnswer: (message) => message instanceof Uint8Array,
    nothing: new Uint8Array(0),
    patienceMs: 10_000,
  });

/** MiB of buffers that something still refers to. */
function buffersMib(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().arrayBuffers / MIB;
}

describe('a helper thread', () => {
  it('answers requests in their order', async () => {
    const thread = open();
    const answers = await Promise.all([3, 1, 2].map((mib) => thread.ask(mib)));
    expect(answers.map(({ length }) => length / MIB)).toEqual([3, 1, 2]);
  });

  it('keeps no answer once it is used', async () => {
    const thread = open();
    const before = buffersMib();
    const length = await thread.ask(64).then((answer) => answer.length);
    expect(length).toBe(64 * MIB);
    await expect.poll(() => buffersMib() - before, { interval: 50, timeout: 5000 }).toBeLessThan(32);
    expect((await thread.ask(1)).length).toBe(MIB);
  });
});
