import { type DestinationStream, type Logger, pino } from 'pino';

/** Levels and what they promise: error (act now), warn (handled, should not stay so), info (rare), debug (off). */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'silent';

/** Writes one structured line per call. Never pass message text, topics, addresses, keys or query strings. */
export interface Log {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  /** The same log with `room` on every line. */
  room(name: string): Log;
  flush(): void;
}

/** Opens a log that writes JSON lines to standard output, or to `destination`. */
export function openLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  return wrap(destination ? pino(options, destination) : pino(options));
}

function wrap(logger: Logger): Log {
  return {
    error: (fields, message) => logger.error(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    info: (fields, message) => logger.info(fields, message),
    debug: (fields, message) => logger.debug(fields, message),
    room: (name) => wrap(logger.child({ room: name })),
    flush: () => logger.flush(),
  };
}
