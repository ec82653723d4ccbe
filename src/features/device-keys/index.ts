import { takeKeyUses, writeKeyUses } from '#kernel/auth';
import { repeat } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { slice } from '#kernel/slice';
import { deviceKeyEndpoints } from './endpoints.ts';

/** Milliseconds between two writes of the uses of keys, which are in memory until then. */
const WRITE_EVERY_MS = 60_000;

export const deviceKeysSlice = slice({
  name: 'device-keys',
  endpoints: deviceKeyEndpoints,
  background: (context) => {
    const failed = (err: unknown) => context.log.error({ err }, 'the last uses of API keys could not be written');
    const stop = repeat(context.clock, () => writeUses(context), { everyMs: WRITE_EVERY_MS, failed });
    return async () => {
      await stop();
      await writeUses(context).catch(failed);
    };
  },
});

export { deviceKeyEnded } from './actions.ts';

/** Stores when and from where keys were used, in one transaction. */
async function writeUses({ server, store }: Context): Promise<void> {
  const uses = takeKeyUses(server);
  if (uses.length > 0) await store.write((tx) => writeKeyUses(tx, uses));
}
