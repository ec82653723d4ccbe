import { defineCommand } from 'citty';
import { isRefused, listGivenUp, retryGivenUp } from '#kernel/jobs';
import { timeOf, writeRows } from './operator/output.ts';
import { jsonArg } from './operator/owner.ts';
import { orRefuse, Refusal } from './refusal.ts';
import { configOrExit, withServer } from './run-server.ts';

/** Most jobs that are listed. */
const LISTED = 100;

const list = defineCommand({
  meta: { name: 'list', description: `List failed jobs, the last ${LISTED}` },
  args: jsonArg,
  run: ({ args }) =>
    orRefuse(() =>
      withServer(configOrExit(), async ({ context }) => {
        const jobs = await context.store.query((tx) => listGivenUp(tx, LISTED));
        // Payloads are not shown: mails contain links that log somebody in.
        const rows = jobs.map(({ id, kind, realm_id, attempts, failed_at }) => ({
          id,
          kind,
          organization: realm_id,
          'given up': timeOf(failed_at),
          tries: attempts,
          refused: isRefused(attempts),
        }));
        writeRows(rows, args, 'no job was given up');
      }),
    ),
});

const retry = defineCommand({
  meta: { name: 'retry', description: 'Make the running server retry failed jobs' },
  args: { id: { type: 'positional', required: false, description: 'Number of one job; all if absent' } },
  run: ({ args }) =>
    orRefuse(() =>
      withServer(configOrExit(), async ({ context }) => {
        if (args.id !== undefined && !/^[1-9]\d{0,14}$/.test(args.id))
          throw new Refusal(`"${args.id}" is no number of a job`);
        const id = args.id === undefined ? undefined : Number(args.id);
        const count = await context.store.write((tx) => retryGivenUp(tx, id));
        if (count === 0) throw new Refusal(id === undefined ? 'no job was given up' : `no job ${id} was given up`);
        process.stdout.write(`${count} ${count === 1 ? 'job' : 'jobs'} will be tried anew\n`);
      }),
    ),
});

export const jobs = defineCommand({
  meta: { name: 'jobs', description: 'List and retry failed jobs' },
  subCommands: { list, retry },
});
