import type { RawBody } from '#kernel/endpoint';
import type { MessageId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { findLight, findListed, type MessageRow, weighMessages } from '../core/index.ts';
import { type Asked, replyWith } from './reply.ts';

/** Most messages of a part of an answer, and most bytes if it has several: a few milliseconds of work. */
const PART = { messages: 250, bytes: 128 * 1024 };
/** To highlight words takes as long as to read and write a text of so many times the length. */
const HIGHLIGHTED = 4;

/** Which messages an answer has beside its fields, and how they are shown. */
interface Listing<F, S> {
  readonly ids: readonly MessageId[];
  readonly fields: F;
  readonly isHighlighted: boolean;
  readonly show: (rows: readonly MessageRow[]) => Promise<S>;
  /** The JSON in parts of a message that is too heavy for one; without it each message is shown at once. */
  readonly laden?: (row: MessageRow) => AsyncIterable<string>;
}

/** Answers with messages: light ones are read and shown at once, others in parts by their weight. */
export async function listMessages<F extends object, S extends object>(
  tx: RealmReadTx,
  { ids, fields, isHighlighted, show, laden }: Listing<F, S>,
  request: Asked,
): Promise<RawBody | (F & { messages: S })> {
  const most = isHighlighted ? PART.bytes / HIGHLIGHTED : PART.bytes;
  const light = ids.length > PART.messages ? [] : await findLight(tx, ids, most);
  if (light.length > 0 || ids.length === 0) return { ...fields, messages: await show(light) };
  const weights = await weighMessages(tx, ids);
  const heavy = new Set(weights.flatMap(({ id, bytes }) => (laden && bytes > most ? [id] : [])));
  const textsOf = async function* (id: MessageId) {
    for (const row of await findListed(tx, [id])) if (laden) yield* laden(row);
  };
  const shown = async (some: readonly MessageId[]) => show(await findListed(tx, some));
  return replyWith(divided(weights, most), { fields, show: shown, heavy, textsOf }, request);
}

/** Whether a message has so much that it is not shown at once. */
export async function isLaden(tx: RealmReadTx, id: MessageId): Promise<boolean> {
  const [weight] = await weighMessages(tx, [id]);
  return (weight?.bytes ?? 0) > PART.bytes;
}

/** Divides messages so that those of a part weigh at most `most` bytes together, or are one. */
export function divided(
  weights: readonly { readonly id: MessageId; readonly bytes: number }[],
  most: number,
): readonly (readonly MessageId[])[] {
  const parts: MessageId[][] = [];
  let last: MessageId[] = [];
  let left = 0;
  for (const { id, bytes } of weights) {
    if (parts.length === 0 || last.length === PART.messages || bytes > left) {
      last = [];
      parts.push(last);
      left = most;
    }
    last.push(id);
    left -= bytes;
  }
  return parts;
}
