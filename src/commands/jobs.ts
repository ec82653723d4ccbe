import { defineCommand } from 'citty';
import { listGivenUp, retryGivenUp } from '#kernel/jobs';
import { orRefuse, Refusal } from './refusal.ts';
import { configOrExit, withServer } from './run-server.ts';

/** Most jobs that are listed. */
const LISTED = 100;

const list = defineCommand({
  meta: { name: 'list', description: `List jobs that were given up, the last ${LISTED}` },
  run: () =>
    orRefuse(() =>
      withServer(configOrExit(), async ({ context }) => {
        const jobs = await context.store.query((tx) => listGivenUp(tx, LISTED));
        // What is in a job is nobody's business here: mails hold links that log somebody in.
        for (const { id, kind, realm_id, attempts, failed_at } of jobs) {
          const when = new Date(failed_at * 1000).toISOString();
          process.stdout.write(`${id}  ${kind}  organization ${realm_id}  given up ${when} after ${attempts} tries\n`);
        }
        if (jobs.length === 0) process.stdout.write('no job was given up\n');
      }),
    ),
});

const retry = defineCommand({
  meta: { name: 'retry', description: 'Have jobs that were given up tried anew by the running server' },
  args: { id: { type: 'positional', required: false, description: 'Number of one job; all when absent' } },
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
  meta: { name: 'jobs', description: 'See and retry work that failed too often' },
  subCommands: { list, retry },
});
