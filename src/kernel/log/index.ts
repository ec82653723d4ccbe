import { type DestinationStream, type Logger, pino } from 'pino';
import { systemClock } from '#kernel/clock';
import { fieldsWithoutQueries } from './queries.ts';
import { kindOf, Repeats } from './repeats.ts';

/** Levels and what they promise: error (act now), warn (handled, should not stay so), info (rare), debug (off). */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'silent';

/**
 * Writes one structured line per call. Never pass message text, topics, addresses, keys or query strings; the query of an
 * address that is inside an error or a request is cut off before it is written (security#under-attack).
 */
export interface Log {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  /** The same log with `room` on every line. */
  room(name: string): Log;
  flush(): void;
}

/**
 * Opens a log that writes JSON lines to standard output, or to `destination`. A warning or error that repeats is written
 * once a minute: `repeated` on a line says how many it stands for beside itself.
 */
export function openLog(level: LogLevel, destination?: DestinationStream, clock = systemClock): Log {
  const options = {
    level,
    base: null,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: fieldsWithoutQueries,
    },
    // Errors have been serialized with the other fields.
    serializers: { err: (error: unknown) => error },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  const repeats = new Repeats(() => clock.monotonicMs());
  return wrap(destination ? pino(options, destination) : pino(options), repeats, '');
}

function wrap(logger: Logger, repeats: Repeats, room: string): Log {
  const once = (level: 'error' | 'warn') => (fields: object, message: string) => {
    if (!logger.isLevelEnabled(level)) return;
    repeats.pass(kindOf(room, message, fields), (repeated) =>
      logger[level](repeated > 0 ? { ...fields, repeated } : fields, message),
    );
  };
  return {
    error: once('error'),
    warn: once('warn'),
    info: (fields, message) => logger.info(fields, message),
    debug: (fields, message) => logger.debug(fields, message),
    room: (name) => wrap(logger.child({ room: name }), repeats, name),
    flush: () => {
      repeats.flush();
      logger.flush();
    },
  };
}
