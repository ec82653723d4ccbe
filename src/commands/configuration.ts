import { type Checks, type Config, readConfig } from '#kernel/config';
import { s3AddressFault } from '#kernel/files';

/** Checks that need the module that uses the value. */
const CHECKS: Checks = { ROOST_UPLOADS_URL: s3AddressFault };

/** Reads the configuration; throws with all mistakes that can be found without network or database. */
export function configOf(
  environment: Readonly<Record<string, string | undefined>>,
  defaults: Partial<Record<string, string>> = {},
): Config {
  return readConfig(environment, defaults, CHECKS);
}
