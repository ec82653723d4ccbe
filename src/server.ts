import { auditedStore, causeOfCommand } from '#kernel/audit';
import { type Bus, localBus, openPostgresBus, openRedisBus } from '#kernel/bus';
import { loadSecret } from '#kernel/auth';
import type { Clock } from '#kernel/clock';
import { type Config, dataPaths } from '#kernel/config';
import { Directory } from '#kernel/directory';
import type { Endpoints } from '#kernel/endpoint';
import { EventLog, EventQueues, EventRegistry } from '#kernel/events';
import { makePrivate, openFiles } from '#kernel/files';
import { Listener } from '#kernel/http';
import { readIdentity } from '#kernel/identity';
import { openImages } from '#kernel/images';
import { JobRunner } from '#kernel/jobs';
import type { CallServices, Context, PushGateway, Service, ZoomService } from '#kernel/context';
import { openRateLimits } from '#kernel/limits';
import { apiPages } from '#kernel/openapi';
import type { Log } from '#kernel/log';
import { listenForMail, type Mailer, type MailListener, openMail, sendersOf } from '#kernel/mail';
import { openMetrics } from '#kernel/metrics';
import { guardedClient, type Network, operatorClient } from '#kernel/outbound';
import { stopMarking } from '#kernel/scope';
import { typesChanging } from '#kernel/slice';
import { assertUsable, assertWritable, migrate, openStore, type Store } from '#kernel/store';
import { periodsOfChannel } from '#features/channels';
import { eventsEndpoint, registerEndpoint, warmUp } from '#features/event-queues';
import { receiverOf } from '#features/incoming-mail';
import { missingPage } from '#features/pages';
import { type GatewayOptions, gatewayPages } from '#features/push-gateway';
import { recordVersion, ROOST_VERSION } from '#features/server-version';
import { authSource, viewerSource } from '#features/users';
import { features } from './features.ts';
import { healthPages } from './health.ts';
import { migrations } from './migrations/index.ts';

/** What a server is made from. */
export interface ServerOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** The command of the operator that it works for, as the audit log names it. */
  readonly command?: string;
  /** Whether it will listen, and not only work beside a server that does. */
  readonly isServing?: boolean;
  /** Whether replies, errors and payloads are checked against their declarations; default: in development mode. */
  readonly strict?: boolean;
  /** Makes it a push gateway and nothing else. */
  readonly gateway?: GatewayOptions;
  /** The way to other servers; default: the Internet. */
  readonly network?: Network;
  /** Certificates of authorities that are believed on it besides the well-known ones, as PEM. */
  readonly authorities?: readonly string[];
}

/** A composed server. */
export interface Server {
  readonly context: Context;
  readonly listener: Listener;
  /** Begins background work and listens; returns the port. */
  start(): Promise<number>;
  /** Answers waiting polls, ends open requests and closes everything. */
  stop(): Promise<void>;
}

for (const { on } of features) for (const handler of on) handler.connect();

const appliers = features.flatMap((feature) => feature.applies);
const states = features
  .flatMap((feature) => feature.state)
  .map((state) => ({ ...state, endedBy: typesChanging(Object.keys(state.fields), appliers) }));

/** All event types, as the slices declare them. */
export const eventTypes = features.flatMap((feature) => feature.events);

export const endpoints: Endpoints = [
  ...features.flatMap((feature) => feature.endpoints),
  registerEndpoint(states, eventTypes),
  eventsEndpoint(eventTypes),
];

/** Puts the kernel's rooms and all slices together: the only place that knows everything. */
export async function openServer(options: ServerOptions): Promise<Server> {
  const { config, clock, log } = options;
  const strict = options.strict ?? config.mode === 'development';
  if (!strict) stopMarking();
  await makePrivate(config.dataDir, 'directly').catch((error: unknown) => warnOfOthers(log, error));
  const secret = loadSecret(config.secret, dataPaths(config.dataDir).secret, (length) => clock.token(length));
  const store = auditedStore(
    await openStore({
      url: config.databaseUrl,
      file: dataPaths(config.dataDir).database,
      clock,
      log: log.room('store'),
      strict,
    }),
    secret,
    options.command === undefined ? undefined : causeOfCommand(options.command),
  );
  await assertUsable(store);
  if (options.isServing) await store.claim();
  const bus = await openBus(options);
  const place = placeOf(config, clock);
  const context = await composeContext(options, store, bus, { strict, place, secret });
  const source = authSource({ secret: context.server.secret, server: place, now: () => clock.now() });
  const listener = new Listener({
    context,
    source,
    limits: context.limits,
    checkReplies: strict,
    ...served(options.gateway),
    missing: missingPage,
    trustedProxies: config.trustedProxies,
    bounds: config,
  });
  const stops: (() => Promise<void>)[] = [];
  return {
    context,
    listener,
    start: async () => {
      await assertWritable(store);
      if (!options.gateway) place.generation = await recordVersion(context);
      await assertFilesKept(config, context);
      await context.events.start();
      await context.jobs.listen();
      await context.queues.start();
      if (!options.gateway) {
        context.jobs.start(context);
        for (const { background } of features) if (background) stops.push(background(context));
        await warmUp(context, states);
        const mailIn = await openMailIn(options, context);
        if (mailIn) stops.unshift(() => mailIn.close());
      }
      place.port = await listener.listen(config.port, config.host);
      // Nobody else gets as far since the folder was closed; with many files this takes seconds.
      void makePrivate(config.dataDir, 'wholly').catch((error: unknown) => warnOfOthers(log, error));
      return place.port;
    },
    stop: async () => {
      // Together: who waits is answered, and cannot come again. What the last polls acknowledge is written down after them.
      await Promise.all([listener.close(), context.queues.release()]);
      await context.queues.stop();
      for (const stop of stops) await stop();
      await context.jobs.stop();
      await context.mail.close();
      await context.limits.close();
      await context.events.stop();
      await bus.close();
      await store.close();
      log.flush();
    },
  };
}

/** What is answered: all that the slices declare, or a push gateway's operations. */
function served(gateway: GatewayOptions | undefined) {
  if (gateway) return { endpoints: [], pages: [...gatewayPages(gateway), ...healthPages] };
  const reference = apiPages(() => ({ endpoints, events: eventTypes }), ROOST_VERSION);
  return { endpoints, pages: [...features.flatMap((feature) => feature.pages), ...reference, ...healthPages] };
}

function warnOfOthers(log: Log, err: unknown): void {
  // A disk that takes no writes ends the start, which says so.
  if (err instanceof Error && 'code' in err && err.code === 'EROFS') return;
  log.room('files').warn({ err }, 'others may read the data folder: its rights could not be changed');
}

async function composeContext(
  { config, clock, log, network, authorities = [] }: ServerOptions,
  store: Store,
  bus: Bus,
  { strict, place, secret }: { readonly strict: boolean; readonly place: PublicAddress; readonly secret: string },
): Promise<Context> {
  await migrate(store, migrations);
  const paths = dataPaths(config.dataDir);
  const metrics = openMetrics();
  const registry = new EventRegistry(eventTypes);
  const events = new EventLog({ store, bus, registry, log: log.room('events'), clock, checkPayloads: strict });
  const queues = new EventQueues({
    store,
    bus,
    log: events,
    clock,
    logger: log.room('events'),
    viewers: viewerSource(place),
    memberships: periodsOfChannel,
  });
  const jobs = new JobRunner<Context>({
    bus,
    store,
    clock,
    log: log.room('jobs'),
    metrics,
    kinds: features.flatMap((feature) => feature.jobs),
  });
  const limits = await openRateLimits({ redisUrl: config.redisUrl, enabled: config.rateLimits, clock });
  const host = new URL(place.externalUrl).hostname;
  metrics.gauge('roost_parked_polls', 'Polls that wait for events', () => queues.parked);
  metrics.gauge('roost_known_queues', 'Event queues in memory', () => queues.known);
  return {
    store,
    clock,
    log,
    metrics,
    files: await openFiles(config.uploadsUrl ?? paths.files, { clock }),
    mail: openMailer(config, clock, log, host),
    images: openImages(),
    outbound: guardedClient({
      clock,
      userAgent: `Roost/${ROOST_VERSION}`,
      isOwnHost: isWithin(host),
      allowedNetworks: config.outboundNetworks,
      authorities,
      ...(network && { network }),
    }),
    pushGateway: openPushGateway(config, clock),
    identity: openIdentity(config, clock),
    calls: openCalls(config, clock),
    events,
    queues,
    jobs,
    limits,
    server: {
      mode: config.mode,
      get externalUrl() {
        return place.externalUrl;
      },
      secret,
      get generation() {
        return place.generation;
      },
      supportAddress: config.supportAddress,
      webPublicChannels: true,
      maxUploadMib: config.maxUploadMib,
      maxInvitationsPerDay: config.maxInvitationsPerDay,
      sendsMail: config.smtpUrl !== undefined,
      mailInAddress: config.mailInAddress,
      spoolDir: paths.spool,
      isShared: bus.isShared,
    },
    degraded: () => [...(bus.isConnected ? [] : ['wake-ups']), ...(limits.isShared ? [] : ['limits'])],
  };
}

/** Throws where the folder of files cannot be written; an object store may be away for a while. */
async function assertFilesKept({ uploadsUrl }: Config, { files, log }: Context): Promise<void> {
  const checked = files.checkHealth();
  if (uploadsUrl === undefined) await checked;
  else checked.catch((error: unknown) => log.room('files').warn({ err: error }, 'the object store does not answer'));
}

/** Where people reach the server, and since when its version serves them. */
interface PublicAddress {
  /** The one configured; once it listens, the one it got. */
  port: number;
  /** In Unix seconds; once it starts, as its database has it. */
  generation: number;
  readonly externalUrl: string;
}

function placeOf({ port, externalUrl }: Config, clock: Clock): PublicAddress {
  return {
    port,
    generation: clock.now(),
    get externalUrl() {
      return externalUrl ?? `http://localhost:${this.port}`;
    },
  };
}

/** Whether a host name is this one or below it: organizations have hosts of their own. */
function isWithin(host: string): (hostname: string) => boolean {
  return (hostname) => hostname === host || hostname.endsWith(`.${host}`);
}

function openIdentity(config: Config, clock: Clock): Context['identity'] {
  const file = readIdentity(config.signInFile);
  const directories = new Map(Object.entries(file.ldap).map(([label, ldap]) => [label, new Directory(ldap, clock)]));
  return { ...file, directories, outbound: operatorClient({ clock, userAgent: `Roost/${ROOST_VERSION}` }) };
}

function openPushGateway({ pushGatewayUrl }: Config, clock: Clock): PushGateway | undefined {
  if (pushGatewayUrl === undefined) return undefined;
  const outbound = operatorClient({ clock, userAgent: `Roost/${ROOST_VERSION}` });
  return { url: pushGatewayUrl.replace(/\/+$/, ''), outbound };
}

function openCalls(config: Config, clock: Clock): CallServices {
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
function openMailer(config: Config, clock: Clock, log: Log, host: string): Mailer {
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
async function openMailIn({ config, clock, log }: ServerOptions, context: Context): Promise<MailListener | undefined> {
  const { mailInUrl: url, mailInNetworks: networks } = config;
  if (url === undefined) return undefined;
  const name = new URL(context.server.externalUrl).hostname;
  return listenForMail({ url, networks, name, clock, log, receiver: receiverOf(context) });
}

async function openBus({ config, clock, log }: ServerOptions): Promise<Bus> {
  const carrier = config.redisUrl === undefined ? 'PostgreSQL' : 'ROOST_REDIS_URL: Redis';
  const says = `${carrier} carries no wake-ups now: what happens is noticed within a second instead`;
  const onError = (error: Error) => log.room('bus').warn({ err: error }, says);
  if (config.redisUrl !== undefined) return openRedisBus(config.redisUrl, 'roost:', clock, onError);
  if (config.databaseUrl !== undefined) return openPostgresBus(config.databaseUrl, clock, onError);
  return localBus;
}
