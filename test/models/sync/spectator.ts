import type { Body } from '../../support/client.ts';
import type { World } from '../../support/world.ts';
import { assertSame } from './comparable.ts';

/** What differs from one registration to the next, or from one mode to the other. */
const PASSING = new Set(['server_timestamp', 'development_environment', 'realm_authentication_methods']);

/** Spectators get no events, so what is kept of their state must be what is read afresh, as it is in development mode. */
export async function assertFresh(world: World, what: string): Promise<void> {
  const kept = await registered(world);
  const facts: { mode: string } = world.server.context.server;
  facts.mode = 'development';
  const fresh = await registered(world).finally(() => {
    facts.mode = 'production';
  });
  assertSame(kept, fresh, `spectators after ${what}`);
}

async function registered({ spectator }: World): Promise<Body> {
  const { status, body } = await spectator.request('POST', '/register');
  return { status, ...Object.fromEntries(Object.entries(body).filter(([name]) => !PASSING.has(name))) };
}
