import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';

/** Who asks for passkeys: a passkey works at this address and nowhere else. */
export interface RelyingParty {
  /** Host name of the organization. */
  readonly id: string;
  readonly origin: string;
  readonly name: string;
}

/** The organization as passkeys know it, from the server's own address; undefined where browsers make none: at a bare IP address. */
export function relyingParty(context: Pick<Context, 'realmUrl'>, realm: RealmRef): RelyingParty | undefined {
  const { hostname, origin } = new URL(context.realmUrl(realm));
  const isNumber = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  return isNumber ? undefined : { id: hostname, origin, name: realm.name };
}
