import { readRealm } from '#features/realms';
import type { RealmId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { lenientObject, list, str } from '#kernel/schema';
import { askGateway, type GatewayAnswer, readAs } from '../gateway.ts';
import type { Parcel } from '../send.ts';
import type { TokenRow } from '../tables.ts';
import { deleteTokenRows } from './queries.ts';
import { userUuid } from './token.ts';

/** Something for the phone of one token, which the push service can read. */
export type OpenParcel = Parcel<TokenRow>;

const reply = lenientObject({ unregistered: list(lenientObject({ kind: str(), token: str() })) });

/**
 * Hands parcels to the push service as they are; at most `MAX_PARCELS`. Tokens that the service says are no longer in use
 * are forgotten. docs/push-gateway.md, "Older apps".
 */
export async function sendOpenParcels(
  context: Context,
  realmId: RealmId,
  parcels: readonly OpenParcel[],
): Promise<GatewayAnswer> {
  const { uuid } = await context.store.query((tx) => readRealm(tx, realmId));
  const notifications = parcels.map(({ device: { user_id, kind, token, app_id }, payload, priority }) => ({
    user_uuid: userUuid(uuid, user_id),
    kind,
    token,
    ...(app_id !== null && { ios_app_id: app_id }),
    priority,
    data: payload,
  }));
  const answer = await askGateway(context, '/notify', { json: { realm_uuid: uuid, notifications } });
  const lost = parcels.map(({ device }) => device).filter(isIn(goneIn(answer)));
  if (lost.length > 0) await context.store.write((tx) => deleteTokenRows(tx, realmId, lost));
  return answer;
}

type Gone = readonly Readonly<Record<'kind' | 'token', string>>[];

function goneIn(answer: GatewayAnswer): Gone {
  return answer.kind === 'accepted' ? (readAs(reply, answer.body)?.unregistered ?? []) : [];
}

function isIn(gone: Gone): (row: TokenRow) => boolean {
  const known = new Set(gone.map(({ kind, token }) => `${kind} ${token}`));
  return ({ kind, token }) => known.has(`${kind} ${token}`);
}
