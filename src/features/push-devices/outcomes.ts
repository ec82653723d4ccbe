import { noteUndelivered, type UndeliveredRoad } from '#features/undelivered';
import type { Context } from '#kernel/context';
import { grouped } from '#kernel/lists';
import { lockInOrder, type RealmWriteTx } from '#kernel/store';
import type { GatewayAnswer } from './gateway.ts';
import { setNotTaken, setTaken } from './queries.ts';

/** The result of one phone's notification: accepted, or why not. */
export interface PhoneOutcome {
  readonly id: number;
  readonly failure: string | undefined;
}

/** Tables of phones with a key, and of older ones. */
const ROADS = {
  phone: 'push_device',
  older_phone: 'push_token',
} as const satisfies Partial<Record<UndeliveredRoad, string>>;
/** Codes of the push service; other texts are replaced by the status. */
const CODE = /^[A-Z_]{1,60}$/;

/** Why an answer of the push service is no success; undefined if it is one. */
export function failureOf(answer: GatewayAnswer): string | undefined {
  if (answer.kind === 'accepted') return undefined;
  if (answer.kind === 'unreachable') return 'unreachable';
  return CODE.test(answer.code) ? answer.code : `status ${answer.status}`;
}

/** Records the results of notifications, for the owners of the phones and for the operator. */
export async function recordOutcomes(
  context: Pick<Context, 'metrics'>,
  tx: RealmWriteTx,
  road: keyof typeof ROADS,
  outcomes: readonly PhoneOutcome[],
): Promise<void> {
  const failed = outcomes.flatMap(({ id, failure }) => (failure === undefined ? [] : [[failure, id] as const]));
  const taken = outcomes.filter(({ failure }) => failure === undefined).map(({ id }) => id);
  await lockInOrder(
    tx,
    ROADS[road],
    outcomes.map(({ id }) => id),
  );
  await setTaken(tx, ROADS[road], taken);
  // A query for each reason is fine, because one answer has few reasons.
  for (const [failure, ids] of grouped(failed)) await setNotTaken(tx, ROADS[road], ids, failure);
  const all = failed.map(([reason]) => ({ road, reason }));
  await noteUndelivered(context, tx, all);
}
