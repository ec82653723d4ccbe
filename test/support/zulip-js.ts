import { createRequire } from 'node:module';
import type { Body } from './client.ts';

/** The published client library, unmodified; it has no types. */
export type ZulipClient = Body;

/** Creates a client from a server and an account. */
export const zulip = loaded();

/** Restores the platform's FormData, which loading the library replaces and other tests in this process use. */
function loaded(): (config: object) => Promise<ZulipClient> {
  const { FormData } = globalThis;
  try {
    return createRequire(import.meta.url)('zulip-js') as ReturnType<typeof loaded>;
  } finally {
    globalThis.FormData = FormData;
  }
}
