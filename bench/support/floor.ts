import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, freePort, startChild } from './child.ts';

const SCRIPT = fileURLToPath(new URL('./floor-server.ts', import.meta.url));

/** Starts the floor server; stopping it removes its folder. */
export async function startFloor(): Promise<Child> {
  const folder = mkdtempSync(join(tmpdir(), 'roost-floor-'));
  const port = await freePort();
  const child = await startChild(['--conditions=source', '--import', 'tsx', SCRIPT], port, {
    FLOOR_DIR: folder,
    FLOOR_PORT: String(port),
  });
  return {
    ...child,
    stop: async () => {
      await child.stop('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
}
