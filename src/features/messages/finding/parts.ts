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
}

/** Answers with messages: light ones are read and shown at once, others in parts by their weight. */
export async function listMessages<F extends object, S extends object>(
  tx: RealmReadTx,
  { ids, fields, isHighlighted, show }: Listing<F, S>,
  request: Asked,
): Promise<RawBody | (F & { messages: S })> {
  const most = isHighlighted ? PART.bytes / HIGHLIGHTED : PART.bytes;
  const light = ids.length > PART.messages ? [] : await findLight(tx, ids, most);
  if (light.length > 0 || ids.length === 0) return { ...fields, messages: await show(light) };
  const parts = divided(await weighMessages(tx, ids), most);
  return replyWith(parts, { fields, show: async (some) => show(await findListed(tx, some)) }, request);
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
