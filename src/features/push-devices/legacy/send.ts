import { readRealm } from '#features/realms';
import type { RealmId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import type { Context } from '#kernel/context';
import { lenientObject, list, maybe, readAs, type SchemaOf, str } from '#kernel/schema';
import { askGateway, isTransient } from '../gateway.ts';
import { failureOf, type PhoneOutcome, recordOutcomes } from '../outcomes.ts';
import { type Parcel, type Sent, shown, type Pending } from '../send.ts';
import { handleRefusal } from '../service/index.ts';
import type { TokenRow } from '../tables.ts';
import { deleteTokenRows } from './queries.ts';
import { identityOf, toSentToken } from './token.ts';

const tokens = maybe(list(str()));
const devices = maybe(lenientObject({ android_devices: tokens, apple_devices: tokens }));
const reply = lenientObject({ deleted_devices: devices, retry_devices: devices });

/** Simultaneous requests of one call. */
const AT_ONCE = 50;

/** Result of the request for one person, with those of their devices that the service could not serve now. */
export interface OpenResult extends Sent<TokenRow> {
  readonly userId: UserId;
}

/**
 * Sends parcels to the push service, which can read them: one request for each person, whose devices it knows. Deletes
 * tokens that it reports as no longer in use. Skips users whom `pending` no longer names; with `isRest` the request is
 * limited to these devices. docs/push-gateway.md, "Older apps".
 */
export async function sendToOlder(
  context: Context,
  realmId: RealmId,
  parcels: readonly Parcel<TokenRow>[],
  { isRest = false, pending }: { readonly isRest?: boolean; readonly pending?: Pending | undefined } = {},
): Promise<readonly OpenResult[]> {
  const { uuid } = await context.store.of(realmId).query((tx) => readRealm(tx));
  const results: OpenResult[] = [];
  const outcomes: PhoneOutcome[] = [];
  const lost: TokenRow[] = [];
  const left = grouped(parcels.map((parcel) => [parcel.device.user_id, parcel])).entries();
  const work = async () => {
    for (const [userId, own] of left) {
      if (pending && !(await pending()).has(userId)) continue;
      const rows = own.map(({ device }) => device);
      const json = { ...requestFor(uuid, userId, own), ...(isRest && { only_these_devices: true }) };
      const answer = await askGateway(context, '/push/notify', { json });
      await handleRefusal(context, realmId, answer);
      const said = answer.kind === 'accepted' ? readAs(reply, answer.body) : undefined;
      const gone = rows.filter(isIn(said?.deleted_devices));
      const left = rows.filter(isIn(said?.retry_devices));
      lost.push(...gone);
      const failureFor = (row: TokenRow) => {
        if (gone.includes(row)) return 'gone';
        return left.includes(row) ? 'not now' : failureOf(answer);
      };
      outcomes.push(...shown(own).map((row) => ({ id: row.id, failure: failureFor(row) })));
      results.push({ userId, answer, left });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await context.store.of(realmId).write(async (tx) => {
    await recordOutcomes(context, tx, 'older_phone', outcomes);
    if (lost.length > 0) await deleteTokenRows(tx, lost);
  });
  return results;
}

/** `sendToOlder` with a single answer: the first that may succeed later, else any other failure. */
export async function sendOpenParcels(
  context: Context,
  realmId: RealmId,
  parcels: readonly Parcel<TokenRow>[],
): Promise<Sent<TokenRow>> {
  const results = await sendToOlder(context, realmId, parcels);
  const answers = results.map(({ answer }) => answer);
  const worst = answers.find(isTransient) ?? answers.find(({ kind }) => kind !== 'accepted');
  return { answer: worst ?? { kind: 'accepted', body: {} }, left: results.flatMap(({ left }) => left) };
}

function requestFor(uuid: string, userId: UserId, parcels: readonly Parcel<TokenRow>[]) {
  const tokensOf = (kind: TokenRow['kind']) =>
    parcels.filter(({ device }) => device.kind === kind).map(({ device }) => toSentToken(kind, device.token));
  return {
    ...identityOf(uuid, userId),
    ...parcels[0]?.payload,
    android_devices: tokensOf('fcm'),
    apple_devices: tokensOf('apns'),
  };
}

type Named = SchemaOf<typeof devices>;

function isIn(named: Named): (row: TokenRow) => boolean {
  const known = { fcm: new Set(named?.android_devices), apns: new Set(named?.apple_devices) };
  return ({ kind, token }) => known[kind].has(toSentToken(kind, token));
}
