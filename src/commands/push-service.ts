import { defineCommand } from 'citty';
import type { Context } from '#kernel/context';
import {
  deactivateServer,
  makeAccount,
  registerServer,
  reportToService,
  type Said,
  transferServer,
} from '#features/push-devices';
import { orRefuse, Refusal } from './refusal.ts';
import { configOrExit, withServer } from './run-server.ts';

const contact = {
  contact: {
    type: 'string',
    required: true,
    description: 'Mail address at which the operator of the service can reach you',
  },
} as const;

/** Splits the service's address into its origin and the account. */
function partsOf(url: string | undefined) {
  if (url === undefined) throw new Refusal('ROOST_PUSH_GATEWAY_URL is unset: it names the push notification service');
  const { origin, username, password } = new URL(url);
  const account = username === '' ? undefined : { id: decodeURIComponent(username), key: decodeURIComponent(password) };
  return { origin, account };
}

function withAccount(origin: string, { id, key }: { readonly id: string; readonly key: string }): string {
  const url = new URL(origin);
  Object.assign(url, { username: id, password: key });
  return url.href.replace(/\/$/, '');
}

/** Returns the service's result, or throws its refusal. */
function valueOf<T>(said: Said<T>): T {
  if ('value' in said) return said.value;
  const { refusal } = said;
  if (refusal.kind === 'unreachable') throw new Refusal('the push service cannot be reached');
  throw new Refusal(`the push service says: ${refusal.msg || `status ${refusal.status}`}`);
}

const hostOf = ({ server }: Context): string => new URL(server.externalUrl).host;

const register = defineCommand({
  meta: { name: 'register', description: 'Open an account at the push service, or change its contact' },
  args: contact,
  run: ({ args }) =>
    orRefuse(async () => {
      const config = configOrExit();
      const { origin, account } = partsOf(config.pushGatewayUrl);
      await withServer(config, async ({ context }) => {
        const own = account ?? makeAccount(context.clock);
        const { created } = valueOf(
          await registerServer(context, own, { hostname: hostOf(context), email: args.contact }),
        );
        process.stdout.write(
          `${created ? 'an account was opened' : 'the account was changed'}; the configuration is\n`,
        );
        process.stdout.write(`ROOST_PUSH_GATEWAY_URL=${withAccount(origin, own)}\n`);
        if (account) await report(context);
      });
    }),
});

const rotate = defineCommand({
  meta: { name: 'rotate-key', description: 'Replace the key of the account at the push service' },
  args: contact,
  run: ({ args }) =>
    orRefuse(async () => {
      const config = configOrExit();
      const { origin, account } = partsOf(config.pushGatewayUrl);
      if (!account) throw new Refusal('ROOST_PUSH_GATEWAY_URL has no account');
      await withServer(config, async ({ context }) => {
        const next = { id: account.id, key: makeAccount(context.clock).key };
        valueOf(await registerServer(context, account, { hostname: hostOf(context), email: args.contact }, next.key));
        process.stdout.write(`the old key ends; the configuration is now\n`);
        process.stdout.write(`ROOST_PUSH_GATEWAY_URL=${withAccount(origin, next)}\n`);
      });
    }),
});

const transfer = defineCommand({
  meta: { name: 'transfer', description: "Take over the push service's account for this host name" },
  run: () =>
    orRefuse(async () => {
      const config = configOrExit();
      const { origin } = partsOf(config.pushGatewayUrl);
      await withServer(config, async ({ context }) => {
        const account = valueOf(await transferServer(context, hostOf(context)));
        process.stdout.write(`the account is this server's; the configuration is now\n`);
        process.stdout.write(`ROOST_PUSH_GATEWAY_URL=${withAccount(origin, account)}\n`);
      });
    }),
});

const deactivate = defineCommand({
  meta: { name: 'deactivate', description: 'Deactivate the account at the push service' },
  run: () =>
    orRefuse(async () => {
      const config = configOrExit();
      partsOf(config.pushGatewayUrl);
      await withServer(config, async ({ context }) => {
        valueOf(await deactivateServer(context));
        process.stdout.write('the account has ended; no phone is told any more\n');
      });
    }),
});

const reportNow = defineCommand({
  meta: {
    name: 'report',
    description: 'Report the organizations to the push service, as the server does hourly',
  },
  run: () =>
    orRefuse(async () => {
      const config = configOrExit();
      partsOf(config.pushGatewayUrl);
      await withServer(config, ({ context }) => report(context));
    }),
});

async function report(context: Context): Promise<void> {
  const answer = await reportToService(context);
  if (answer.kind !== 'accepted') valueOf({ refusal: answer });
  process.stdout.write('the push service knows the organizations\n');
}

export const pushService = defineCommand({
  meta: { name: 'push-service', description: "Manage this server's account at the push notification service" },
  subCommands: { register, 'rotate-key': rotate, transfer, deactivate, report: reportNow },
});
