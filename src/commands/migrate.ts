import { defineCommand } from 'citty';
import { systemClock } from '#kernel/clock';
import { dataPaths } from '#kernel/config';
import { migrate as applyMigrations, openStore } from '#kernel/store';
import { migrations } from '../migrations/index.ts';
import { moveDatabase } from './moving/database.ts';
import { orRefuse } from './refusal.ts';
import { configOrExit } from './run-server.ts';

export const migrate = defineCommand({
  meta: {
    name: 'migrate',
    description: 'Apply the migrations of this release, as every start does, or move the database',
  },
  args: {
    to: {
      type: 'string',
      description: 'Move the whole database: to postgres://…, or to "embedded", the one in the data folder',
    },
  },
  run: ({ args: { to } }) =>
    orRefuse(async () => {
      const config = configOrExit();
      if (to !== undefined) {
        await moveDatabase(config, to);
        return;
      }
      const { databaseUrl, dataDir } = config;
      const store = await openStore({ url: databaseUrl, file: dataPaths(dataDir).database, clock: systemClock });
      try {
        const applied = await applyMigrations(store, migrations);
        for (const name of applied) process.stdout.write(`applied ${name}\n`);
        const state = applied.length === 0 ? 'was up to date' : 'is up to date now';
        process.stdout.write(`the schema ${state} (${migrations.length} migrations)\n`);
      } finally {
        await store.close();
      }
    }),
});
