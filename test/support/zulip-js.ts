import { createRequire } from 'node:module';
import type { Body } from './client.ts';

/** The published client library, unmodified; it has no types of its own. */
export type ZulipClient = Body;

/** Makes a client of a server and an account. */
export const zulip = loaded();

/** Loading the library puts a form of its own in place of the platform's, which other tests in this process use. */
function loaded(): (config: object) => Promise<ZulipClient> {
  const { FormData } = globalThis;
  try {
    return createRequire(import.meta.url)('zulip-js') as ReturnType<typeof loaded>;
  } finally {
    globalThis.FormData = FormData;
  }
}
