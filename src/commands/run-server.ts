import closeWithGrace from 'close-with-grace';
import { commonClock, systemClock } from '#kernel/clock';
import { type Config, ConfigError } from '#kernel/config';
import { readIdentity } from '#kernel/identity';
import { openLog } from '#kernel/log';
import { closeOtherWays } from '#kernel/outbound';
import { openServer, type Server } from '../server.ts';
import { configOf } from './configuration.ts';
import { boundGarbage, followMemory } from '../heap.ts';

/**
 * Percentage by which a command's heap may grow before it is collected; small, because the command runs beside a
 * server.
 */
export const COMMAND_GARBAGE = 30;
/** Milliseconds that open requests may take to end when the process is stopped. */
const GRACE_MS = 10_000;

/** Reads the configuration; if there are mistakes, prints all of them and exits. */
export function configOrExit(defaults: Partial<Record<string, string>> = {}): Config {
  try {
    const config = configOf(process.env, defaults);
    readIdentity(config.signInFile);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Opens a server that will listen; logs to standard output. */
export function openConfiguredServer(config: Config): Promise<Server> {
  return openServer({ config, clock: commonClock(systemClock), log: openLog(config.logLevel), isServing: true });
}

/** Opens a server that does not listen while `use` runs; logs warnings to standard error. */
export async function withServer(config: Config, use: (server: Server) => Promise<void>): Promise<void> {
  boundGarbage(COMMAND_GARBAGE);
  closeOtherWays();
  const log = openLog('warn', process.stderr);
  const server = await openServer({ config, clock: commonClock(systemClock), log, command: commandName() });
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

/** The command's name without its arguments, which may contain secrets. */
function commandName(): string {
  const words = process.argv.slice(2).filter((word) => /^[a-z][a-z-]{0,29}$/.test(word));
  return ['roost', ...words.slice(0, 2)].join(' ');
}

/** Listens until the process is told to stop, then stops in order, first what `beside` started. Returns the address. */
export async function runServer(
  server: Server,
  beside: () => () => Promise<void> = () => async () => {},
): Promise<string> {
  let stopBeside = async () => {};
  boundGarbage();
  closeOtherWays();
  const stopFollowing = followMemory(systemClock);
  closeWithGrace({ delay: GRACE_MS }, async ({ err }) => {
    if (err) server.context.log.error({ err }, 'the process ends because of an unexpected error');
    await stopFollowing();
    await stopBeside();
    await server.stop();
  });
  const port = await server.start();
  stopBeside = beside();
  server.context.log.info({ port, mode: server.context.server.mode }, 'serving');
  return server.context.server.externalUrl;
}
