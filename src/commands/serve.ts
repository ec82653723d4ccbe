import { defineCommand } from 'citty';
import { firstOrganizationLink } from '#features/organizations';
import { backUpRegularly } from './backups/schedule.ts';
import { warnOfClock } from './newest-message.ts';
import { orRefuse } from './refusal.ts';
import { configOrExit, openConfiguredServer, runServer } from './run-server.ts';

export const serve = defineCommand({
  meta: { name: 'serve', description: 'Serve on the configured database' },
  run: () =>
    orRefuse(async () => {
      const config = configOrExit();
      const server = await openConfiguredServer(config);
      if (config.databaseUrl === undefined) await warnOfClock(server.context);
      const url = await runServer(server, () => backUpRegularly(config, server.context));
      // Made after the server listens, because the port is unknown before if any free one may be used.
      const link = await firstOrganizationLink(server.context);
      if (link !== undefined)
        process.stdout.write(`There is no organization yet. Create one in a browser, within a week:\n  ${link}\n`);
      process.stdout.write(`ready ${url}\n`);
    }),
});
