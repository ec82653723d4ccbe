import type { RealmRef } from '#kernel/auth';
import { everyoneInRealm } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { codePointLength } from '#kernel/text';
import { updateSettings } from '#features/user-settings';
import { resolveEmoji, type SentEmoji } from './emoji.ts';
import { NothingNew, StatusTooLong } from './errors.ts';
import { userStatusChanged } from './events.ts';
import { upsertStatus } from './queries.ts';

/** Longest status text, in code points. See protocol/status#setting. */
const MAX_STATUS_TEXT = 60;

/** What a client said of a status; undefined for what it left out. */
export interface SentStatus extends SentEmoji {
  /** Whether presence is off; the older way to say it. */
  readonly away?: boolean | undefined;
  readonly status_text: string | undefined;
}

/** Changes somebody's status and tells everybody, also when it stays the same. See protocol/status#setting. */
export async function updateStatus(context: Context, realm: RealmRef, userId: UserId, sent: SentStatus): Promise<void> {
  const text = parseText(sent);
  await context.store.in(realm).write(async (tx) => {
    const values = { ...text, ...(await resolveEmoji(tx, sent)) };
    if (Object.keys(values).length > 0) await upsertStatus(tx, userId, values);
    const { away } = sent;
    const said = { user_id: userId, ...(away !== undefined && { away }), ...values };
    tx.emit(userStatusChanged(realm.id, said, { audience: everyoneInRealm }));
  });
  if (sent.away !== undefined) await updateSettings(context, realm, userId, { presence_enabled: !sent.away });
}

/** See protocol/status#setting, checks 1 and 2. */
function parseText(sent: SentStatus): { status_text?: string } {
  const status_text = sent.status_text?.trim();
  if (status_text !== undefined && codePointLength(status_text) > MAX_STATUS_TEXT)
    throw StatusTooLong({ limit: MAX_STATUS_TEXT });
  if (status_text === undefined && sent.emoji_name === undefined && sent.away === undefined) throw NothingNew();
  return status_text === undefined ? {} : { status_text };
}
