import { defineCommand } from 'citty';
import { forgetFailures, isOver, listFailures } from '#features/mails';
import { isMailAddress, MailFault } from '#kernel/mail';
import { timeOf, writeRows } from './operator/output.ts';
import { inOrganization, jsonArg, personBy, subdomainArg } from './operator/owner.ts';
import { orRefuse, reasonOf, Refusal } from './refusal.ts';
import { configOrExit, withServer } from './run-server.ts';

const test = defineCommand({
  meta: { name: 'test', description: 'Send a test mail and show the answer of the mail server' },
  args: { address: { type: 'positional', required: true, description: 'The new place' } },
  run: ({ args: { address } }) =>
    orRefuse(async () => {
      const config = configOrExit();
      await withServer(config, async ({ context }) => {
        if (!isMailAddress(address)) throw new Refusal(`"${address}" is no mail address`);
        const text = `This is a test of the mails of ${context.server.externalUrl}. It arrived, so all is well.`;
        await context.mail.sendMail({ to: { address }, subject: 'A test of the mails of Roost', text }).catch(refuse);
        const taken =
          config.smtpUrl === undefined
            ? 'ROOST_SMTP_URL is unset: the mail was written to the data folder'
            : `the mail server took the mail for ${address}`;
        process.stdout.write(`${taken}\n`);
      });
    }),
});

const bounces = defineCommand({
  meta: { name: 'bounces', description: 'List the people whose mails bounced, the last first' },
  args: { ...subdomainArg, ...jsonArg },
  run: ({ args }) =>
    inOrganization(args.subdomain, async ({ context, realm, users }) => {
      const failures = await context.store.in(realm).query((tx) => listFailures(tx));
      const rows = failures.map((row) => ({
        email: row.email,
        name: users.find(({ id }) => id === row.user_id)?.full_name ?? null,
        failures: row.failures,
        since: timeOf(row.first_at),
        last: timeOf(row.last_at),
        'given up': isOver(row),
        reason: row.reason,
      }));
      writeRows(rows, args, 'no mail came back');
    }),
});

const retry = defineCommand({
  meta: { name: 'retry', description: 'Resume sending to an address whose mails bounced' },
  args: { ...subdomainArg, email: { type: 'positional', required: true, description: 'Address of the person' } },
  run: ({ args }) =>
    inOrganization(args.subdomain, async (organization) => {
      const { context, realm } = organization;
      const { id } = personBy(organization, args.email);
      if (!(await context.store.in(realm).write((tx) => forgetFailures(tx, id))))
        throw new Refusal(`no mail to ${args.email} came back`);
      process.stdout.write(`mails go to ${args.email} again\n`);
    }),
});

function refuse(error: unknown): never {
  throw error instanceof MailFault ? new Refusal(reasonOf(error)) : error;
}

export const mail = defineCommand({
  meta: { name: 'mail', description: 'Test sending mail, and list addresses whose mails bounced' },
  subCommands: { test, bounces, retry },
});
