import { lookup as lookUp, Resolver } from 'node:dns/promises';
import { isIP, connect, type LookupFunction, type Socket } from 'node:net';

/** Access to other machines, which tests replace. */
export interface Network {
  /** The IP addresses of a host name; none when it has none. */
  resolve(hostname: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Opens a connection to one of these addresses and to nothing else. */
  dial(addresses: readonly string[], port: number): Socket;
}

/** Milliseconds until a name server is asked again, and how often. */
const NAME_TIMEOUT_MS = 2_000;
const NAME_TRIES = 2;
/** What a name server answers when there is no such name, or none of this kind. */
const NO_NAME = ['ENODATA', 'ENOTFOUND'];

/**
 * The network for names that people chose. It asks the name servers itself: the system's look-up would occupy a thread that
 * files need too for as long as somebody's name server is slow, and would know the names of this machine's hosts file.
 * `nameServers` (like `127.0.0.1:53`) stand in for the system's.
 */
export function publicNetwork(nameServers: readonly string[] = []): Network {
  const ask = (hostname: string, signal: AbortSignal): Promise<readonly string[]> => {
    const resolver = new Resolver({ timeout: NAME_TIMEOUT_MS, tries: NAME_TRIES });
    if (nameServers.length > 0) resolver.setServers(nameServers);
    return resolveBy(resolver, hostname, signal);
  };
  return { resolve: ask, dial };
}

/** The network for names that the operator chose, which the system resolves. */
export const operatorNetwork: Network = {
  resolve: async (hostname) => (await lookUp(hostname, { all: true })).map(({ address }) => address),
  dial,
};

async function resolveBy(resolver: Resolver, hostname: string, signal: AbortSignal): Promise<readonly string[]> {
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const answers = await Promise.all([orNone(resolver.resolve6(hostname)), orNone(resolver.resolve4(hostname))]);
    return answers.flat();
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function orNone(answer: Promise<string[]>): Promise<string[]> {
  try {
    return await answer;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (NO_NAME.includes(code)) return [];
    throw error;
  }
}

function dial(addresses: readonly string[], port: number): Socket {
  const [only = ''] = addresses;
  if (addresses.length === 1) return connect({ host: only, port });
  // Several addresses are tried one after the other; the name is not asked for again.
  return connect({ host: 'pinned.invalid', port, lookup: pinned(addresses), autoSelectFamily: true });
}

function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, _options, done) => done(null, all);
}
