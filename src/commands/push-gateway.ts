import { readFileSync } from 'node:fs';
import { defineCommand } from 'citty';
import { type Clock, systemClock } from '#kernel/clock';
import type { Config } from '#kernel/config';
import { openLog } from '#kernel/log';
import { Http2Client } from '#kernel/outbound';
import { bool, firstFault, matching, maybe, object, text } from '#kernel/schema';
import { parseTokenKey } from '#kernel/secretbox';
import {
  apnsSender,
  fcmSender,
  gatewayKeys,
  type GatewayOptions,
  listServers,
  parseServiceAccount,
  type Senders,
} from '#features/push-gateway';
import { openServer } from '../server.ts';
import { timeOf, writeRows } from './operator/output.ts';
import { jsonArg } from './operator/owner.ts';
import { orRefuse, Refusal } from './refusal.ts';
import { configOrExit, runServer, withServer } from './run-server.ts';

const path = () => text({ min: 1, max: 1000 });
const address = () => matching(/^https?:\/\/[^\s/]+$/, { max: 300 });

/** The file that ROOST_PUSH_SENDERS_FILE names. See docs/push-gateway.md, "A gateway of one's own". */
const shapeOfFile = object({
  open: maybe(bool()),
  apns: maybe(
    object({
      key_file: path(),
      key_id: matching(/^[A-Z0-9]{10}$/, { max: 10 }),
      team_id: matching(/^[A-Z0-9]{10}$/, { max: 10 }),
      url: maybe(address()),
    }),
  ),
  fcm: maybe(object({ service_account_file: path(), url: maybe(address()) })),
});

/** Reads the gateway's senders; throws a refusal that names the mistake, never a key. */
function readGateway(file: string | undefined, http: Http2Client, clock: Clock): GatewayOptions {
  if (file === undefined) throw new Refusal('ROOST_PUSH_SENDERS_FILE is unset: it names the keys for APNs and FCM');
  const read = firstFault(shapeOfFile, file, parse(file));
  if ('fault' in read) throw new Refusal(read.fault);
  const { apns, fcm, open = false } = read.value;
  const senders: { -readonly [K in keyof Senders]: Senders[K] } = {};
  if (apns) {
    const key = parseTokenKey(contentOf(apns.key_file));
    if (key?.algorithm !== 'ES256') throw new Refusal(`${apns.key_file} is no key of Apple's (a .p8 file)`);
    const { key_id: keyId, team_id: teamId, url = 'https://api.push.apple.com' } = apns;
    senders.apns = apnsSender({ http, clock }, { key, keyId, teamId, url });
  }
  if (fcm) {
    const account = parseServiceAccount(contentOf(fcm.service_account_file));
    if (!account) throw new Refusal(`${fcm.service_account_file} is no service account of Google's`);
    senders.fcm = fcmSender({ http, clock }, account, fcm.url ?? 'https://fcm.googleapis.com');
  }
  if (!apns && !fcm) throw new Refusal(`${file} names neither apns nor fcm`);
  return { senders, isOpen: open };
}

function parse(file: string): unknown {
  try {
    const value: unknown = JSON.parse(contentOf(file));
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refusal(`${file} is not JSON`);
    throw error;
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Refusal(`${file} cannot be read`);
  }
}

async function runGateway(config: Config): Promise<void> {
  const gateway = readGateway(config.pushSendersFile, new Http2Client(systemClock), systemClock);
  const server = await openServer({
    config,
    clock: systemClock,
    log: openLog(config.logLevel),
    isServing: true,
    gateway,
  });
  const url = await runServer(server);
  process.stdout.write(`reaches ${Object.keys(gateway.senders).join(' and ')}\n`);
  process.stdout.write(`apps encrypt for ${await publicKeyOf(server.context)}\nready ${url}\n`);
}

async function publicKeyOf(context: Parameters<typeof gatewayKeys>[0]): Promise<string> {
  return Buffer.from((await gatewayKeys(context)).publicKey).toString('base64');
}

const serve = defineCommand({
  meta: { name: 'serve', description: 'Run a push gateway, which notifies phones by APNs and FCM for other servers' },
  run: () => orRefuse(() => runGateway(configOrExit())),
});

const servers = defineCommand({
  meta: { name: 'servers', description: 'List the servers that have an account at this push gateway' },
  args: jsonArg,
  run: ({ args }) =>
    orRefuse(() =>
      withServer(configOrExit(), async ({ context }) => {
        const rows = (await context.store.query((tx) => listServers(tx))).map((row) => ({
          uuid: row.uuid,
          hostname: row.hostname,
          contact: row.contact_email,
          active: !row.is_deactivated,
          seen: timeOf(row.seen_at),
        }));
        writeRows(rows, args, 'no server has an account');
      }),
    ),
});

const key = defineCommand({
  meta: { name: 'key', description: 'Print the public key that apps of this push gateway are built with' },
  run: () =>
    orRefuse(() =>
      withServer(configOrExit(), async ({ context }) => {
        process.stdout.write(`${await publicKeyOf(context)}\n`);
      }),
    ),
});

export const pushGateway = defineCommand({
  meta: { name: 'push-gateway', description: 'Run a push gateway for apps that you publish yourself' },
  subCommands: { serve, servers, key },
});
