import {
  amount,
  idOf,
  int,
  list,
  maybe,
  nullable,
  object,
  oneOf,
  type SchemaOf,
  str,
  strictObject,
  MAX_MARKDOWN,
  text,
} from '#kernel/schema';
import type { DraftId, DraftRow } from './tables.ts';

const type = oneOf('', 'stream', 'private');

/** A draft as clients see it. See protocol/saved#drafts. */
export const wireDraft = object({
  id: idOf<DraftId>(),
  type,
  to: list(int()),
  topic: str(),
  content: str(),
  timestamp: int(),
}).meta({ id: 'Draft' });
export type WireDraft = SchemaOf<typeof wireDraft>;

export function toWireDraft({ id, draft_type, draft_to, topic, content, edited_at }: DraftRow): WireDraft {
  return { id, type: draft_type, to: [...draft_to], topic, content, timestamp: edited_at };
}

/** Most people that one draft is addressed to. */
const MAX_PEOPLE = 1000;

/** A draft as clients send it. See protocol/saved#drafts. */
export const sentDraft = strictObject({
  type,
  to: list(int(), { max: MAX_PEOPLE }),
  topic: text({ nul: 'allowed' }),
  content: text({ max: MAX_MARKDOWN }),
  /** Seconds since 1970 without the fraction; the current time if absent. */
  timestamp: maybe(nullable(amount())),
}).meta({ id: 'NewDraft' });
export type SentDraft = SchemaOf<typeof sentDraft>;
