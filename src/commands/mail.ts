import { defineCommand } from 'citty';
import { isMailAddress, MailFault } from '#kernel/mail';
import { orRefuse, reasonOf, Refusal } from './refusal.ts';
import { configOrExit, withServer } from './run-server.ts';

const test = defineCommand({
  meta: { name: 'test', description: 'Send a mail to an address and say what the mail server answers' },
  args: { address: { type: 'positional', required: true, description: 'Where to' } },
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

function refuse(error: unknown): never {
  throw error instanceof MailFault ? new Refusal(reasonOf(error)) : error;
}

export const mail = defineCommand({
  meta: { name: 'mail', description: 'Try out mails' },
  subCommands: { test },
});
