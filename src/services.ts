import { type Bus, localBus, openPostgresBus, openRedisBus } from '#kernel/bus';
import type { Clock } from '#kernel/clock';
import { type Config, dataPaths } from '#kernel/config';
import type { CallServices, Context, PushGateway, Service, ZoomService } from '#kernel/context';
import { Directory } from '#kernel/directory';
import { readIdentity } from '#kernel/identity';
import type { Log } from '#kernel/log';
import { listenForMail, type Mailer, type MailListener, openMail, sendersOf } from '#kernel/mail';
import { operatorClient } from '#kernel/outbound';
import { receiverOf } from '#features/incoming-mail';
import { ROOST_VERSION } from '#features/server-version';

// What a server uses outside of its process, as the configuration names it.

interface Options {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
}

export function openIdentity(config: Config, clock: Clock): Context['identity'] {
  const file = readIdentity(config.signInFile);
  const directories = new Map(Object.entries(file.ldap).map(([label, ldap]) => [label, new Directory(ldap, clock)]));
  return { ...file, directories, outbound: operatorClient({ clock, userAgent: `Roost/${ROOST_VERSION}` }) };
}

export function openPushGateway({ pushGatewayUrl }: Config, clock: Clock): PushGateway | undefined {
  if (pushGatewayUrl === undefined) return undefined;
  const outbound = operatorClient({ clock, userAgent: `Roost/${ROOST_VERSION}` });
  return { url: pushGatewayUrl.replace(/\/+$/, ''), outbound };
}

export function openCalls(config: Config, clock: Clock): CallServices {
  return {
    outbound: operatorClient({ clock, userAgent: `Roost/${ROOST_VERSION}` }),
    zoom: zoomAt(config.zoomUrl),
    bigBlueButton: serviceAt(config.bigBlueButtonUrl),
    constructorGroups: serviceAt(config.constructorGroupsUrl),
    nextcloudTalk: serviceAt(config.nextcloudTalkUrl),
  };
}

/** The path of Zoom's address names its account. */
function zoomAt(address: string | undefined): ZoomService | undefined {
  const service = serviceAt(address);
  if (!service) return undefined;
  const { origin, pathname } = new URL(service.url);
  return { ...service, url: origin, account: decodeURIComponent(pathname.slice(1)) || undefined };
}

function serviceAt(address: string | undefined): Service | undefined {
  if (address === undefined) return undefined;
  const { origin, pathname, username, password } = new URL(address);
  const url = `${origin}${pathname}`.replace(/\/+$/, '');
  return { url, name: decodeURIComponent(username), secret: decodeURIComponent(password) };
}

/** Without a mail server mails are files, and the log says where, never what is in them. */
export function openMailer(config: Config, clock: Clock, log: Log, host: string): Mailer {
  const { dataDir, smtpUrl } = config;
  return openMail({
    ...(smtpUrl !== undefined && { smtpUrl }),
    folder: dataPaths(dataDir).mails,
    ...sendersOf(config, host),
    clock,
    announce: ({ path, subject }) => log.room('mail').info({ path, subject }, 'a mail was written'),
  });
}

/** Takes mails where the operator's mail server hands them over. */
export async function openMailIn({ config, clock, log }: Options, context: Context): Promise<MailListener | undefined> {
  const { mailInUrl: url, mailInNetworks: networks } = config;
  if (url === undefined) return undefined;
  const name = new URL(context.server.externalUrl).hostname;
  return listenForMail({ url, networks, name, clock, log, receiver: receiverOf(context) });
}

export async function openBus({ config, clock, log }: Options): Promise<Bus> {
  const carrier = config.redisUrl === undefined ? 'PostgreSQL' : 'ROOST_REDIS_URL: Redis';
  const says = `${carrier} carries no wake-ups now: what happens is noticed within a second instead`;
  const onError = (error: Error) => log.room('bus').warn({ err: error }, says);
  if (config.redisUrl !== undefined) return openRedisBus(config.redisUrl, 'roost:', clock, onError);
  if (config.databaseUrl !== undefined) return openPostgresBus(config.databaseUrl, clock, onError);
  return localBus;
}
