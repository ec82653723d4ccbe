import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

/** Makes garbage, of which some lives a while, and tells how large the young generation has become, in MiB. */
const PROGRAM = `
  let kept = [];
  for (let made = 0; made < 2_000_000; made++) {
    kept.push({ made, name: 'x' + made });
    if (kept.length > 200_000) kept = [];
  }
  const spaces = require('node:v8').getHeapSpaceStatistics();
  require('node:worker_threads').parentPort.postMessage(
    spaces.find((space) => space.space_name === 'new_space').space_size / 2 ** 20,
  );
`;

it('threads of test processes keep the limits of their memory', async () => {
  const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };
  const thread = new Worker(PROGRAM, { eval: true, resourceLimits });
  const [mebibytes] = await once(thread, 'message');
  expect(mebibytes).toBeLessThanOrEqual(16);
});
