import { expect, it } from 'vitest';
import { seedDemo } from '#features/demo';
import { writeExport } from '#features/exports';
import { callApi } from '../src/commands/operator/api-call.ts';
import { openFiles } from '#kernel/files';
import { readConfig } from '#kernel/config';
import { openLog } from '#kernel/log';
import { TestClock } from '#kernel/clock';
import { makeDatabase } from './support/databases.ts';
import { openServer } from '../src/server.ts';
it('x', async () => {
  const d = await makeDatabase('sqlite');
  const clock = new TestClock();
  const server = await openServer({
    config: readConfig({
      ROOST_DATA_DIR: d.dataDir,
      ROOST_MODE: 'development',
      ROOST_EXTERNAL_URL: 'http://localhost:9991',
    }),
    clock,
    log: openLog('error', process.stderr),
    strict: true,
  });
  await server.listener.ready();
  await server.context.events.start();
  await seedDemo(server.context, (a, m, p, f) => callApi(server, a, 'localhost:9991', m, p, f));
  const files = await openFiles('/tmp/xexport', { clock });
  console.log(
    await writeExport(server.context, { write: (p, s) => files.put(p, s) }, 2 as never, 'full').catch((e) => e),
  );
  console.log(await writeExport(server.context, { write: (p, s) => files.put(p, s) }, 1 as never, 'full'));
  await server.stop();
});
