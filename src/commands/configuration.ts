import { type Checks, type Config, readConfig } from '#kernel/config';
import { s3AddressFault } from '#kernel/files';

/** What only the part that uses a value can tell of it. */
const CHECKS: Checks = { ROOST_UPLOADS_URL: s3AddressFault };

/** Reads the configuration, with every mistake that can be found without asking anybody. */
export function configOf(
  environment: Readonly<Record<string, string | undefined>>,
  defaults: Partial<Record<string, string>> = {},
): Config {
  return readConfig(environment, defaults, CHECKS);
}
