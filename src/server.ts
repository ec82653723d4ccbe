import { auditedStore, causeOfCommand } from '#kernel/audit';
import type { Bus } from '#kernel/bus';
import { loadSecret } from '#kernel/auth';
import type { Clock } from '#kernel/clock';
import { type Config, dataPaths } from '#kernel/config';
import type { Endpoints } from '#kernel/endpoint';
import { EventLog, EventQueues, EventRegistry } from '#kernel/events';
import { makePrivate, openFiles } from '#kernel/files';
import { Listener } from '#kernel/http';
import { openImages } from '#kernel/images';
import { JobRunner } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import { openRateLimits } from '#kernel/limits';
import { apiPages } from '#kernel/openapi';
import type { Log } from '#kernel/log';
import { openMetrics } from '#kernel/metrics';
import { guardedClient, type Network } from '#kernel/outbound';
import { stopMarking } from '#kernel/scope';
import { typesChanging } from '#kernel/slice';
import { assertUsable, assertWritable, migrate, openStore, type Store } from '#kernel/store';
import { periodsOfChannel } from '#features/channels';
import { eventsEndpoint, registerEndpoint, warmUp } from '#features/event-queues';
import { missingPage } from '#features/pages';
import { type GatewayOptions, gatewayPages } from '#features/push-gateway';
import { recordVersion, ROOST_VERSION } from '#features/server-version';
import { authSource, viewerSource } from '#features/users';
import { features } from './features.ts';
import { healthPages } from './health.ts';
import { migrations } from './migrations/index.ts';
import { openBus, openCalls, openIdentity, openMailer, openMailIn, openPushGateway } from './services.ts';

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
    images: openImages(log.room('images')),
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
