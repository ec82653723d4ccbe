import type { IncomingMessage } from 'node:http';
import type { Clock } from '#kernel/clock';
import { assertOutsideTransaction } from '#kernel/scope';
import { networks } from './addresses.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { exchange } from './exchange.ts';
import { type Network, operatorNetwork, publicNetwork } from './network.ts';
import { type Outbound, OutboundFault, type OutboundReply, type OutboundRequest } from './outbound.ts';
import { Pool } from './pool.ts';
import { type Reading, readReply, readWhole } from './reply.ts';
import { firstStep, redirectOf, type Step } from './steps.ts';
import { assertTarget, type Policy, portOf, resolveTarget } from './targets.ts';

const DEFAULT_MAX_BYTES = 1_048_576;
const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_REDIRECTS = 5;

/** Options of both clients. */
export interface OutboundOptions {
  readonly clock: Clock;
  /** Value of the User-Agent header. */
  readonly userAgent: string;
  readonly network?: Network;
  /** Certificates of authorities that are trusted besides the well-known ones, as PEM. */
  readonly authorities?: readonly string[];
}

/** Further options of the guarded client. */
export interface GuardedOptions extends OutboundOptions {
  /** Private networks that it may reach, like `10.1.0.0/16`. */
  readonly allowedNetworks?: readonly string[];
  /** Whether a host name is this server's own. */
  readonly isOwnHost?: (hostname: string) => boolean;
}

/** Opens the client for addresses that people chose: it reaches only the public Internet. */
export function guardedClient(options: GuardedOptions): Outbound {
  const { network = publicNetwork(), allowedNetworks = [], isOwnHost = () => false } = options;
  const policy = { isGuarded: true, allowed: networks(allowedNetworks), isOwnHost };
  return openClient({ ...options, network, policy, redirects: DEFAULT_REDIRECTS, pool: new Pool() });
}

/**
 * Opens the client for addresses that the operator chose: it reaches every network, with the same bounds, and follows
 * no redirects.
 */
export function operatorClient(options: OutboundOptions): Outbound {
  const { network = operatorNetwork } = options;
  const policy = { isGuarded: false, allowed: networks([]), isOwnHost: () => false };
  return openClient({ ...options, network, policy, redirects: 0, pool: new Pool() });
}

interface Setting extends OutboundOptions {
  readonly network: Network;
  readonly policy: Policy;
  readonly redirects: number;
  readonly pool: Pool;
}

function openClient(setting: Setting): Outbound {
  const answered = async <Body>(request: OutboundRequest, read: Read<Body>, isAll: boolean) => {
    assertOutsideTransaction('an outgoing request');
    const deadline = startDeadline(setting.clock, request.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    try {
      const reply = await deadline.wait(send(setting, request, deadline, read));
      // A connection that is kept open no longer belongs to the request; that of a request which was not sent whole is
      // closed.
      if (isAll) deadline.end();
      return reply;
    } catch (error) {
      const fault = deadline.faultOf(error);
      deadline.end();
      throw fault;
    }
  };
  return {
    open: (request) => answered(request, readReply, false),
    fetch: (request) => answered(request, readWhole, true),
  };
}

/** Makes a reply of a received message. */
type Read<Body> = (message: IncomingMessage, reading: Reading) => OutboundReply<Body> | Promise<OutboundReply<Body>>;

async function send<Body>(
  setting: Setting,
  request: OutboundRequest,
  deadline: Deadline,
  read: Read<Body>,
): Promise<OutboundReply<Body>> {
  let step = firstStep(setting.userAgent, request);
  for (let left = request.maxRedirects ?? setting.redirects; ; left--) {
    const message = await sendStep(setting, step, deadline.signal, request.isReusing === true);
    const next = redirectOf(step, message.statusCode ?? 0, message.headers.location);
    const { maxBytes = DEFAULT_MAX_BYTES } = request;
    if (!next) return read(message, { isBodyless: step.method === 'HEAD', url: step.url, maxBytes, deadline });
    message.destroy();
    if (left <= 0) throw new OutboundFault('redirects');
    step = next;
  }
}

async function sendStep(
  setting: Setting,
  step: Step,
  signal: AbortSignal,
  isReusing: boolean,
): Promise<IncomingMessage> {
  const { network, policy, pool, authorities = [] } = setting;
  const dial = async () => {
    const addresses = await resolveTarget(step.url, policy, (hostname) => network.resolve(hostname, signal));
    signal.throwIfAborted();
    return network.dial(addresses, portOf(step.url));
  };
  assertTarget(step.url, policy);
  return exchange({ ...step, signal, authorities, pool: isReusing ? pool : undefined, dial });
}
