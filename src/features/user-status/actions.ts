import { assertEmoji, chosenEmoji, type ChosenEmoji, UNICODE_EMOJI } from '#features/emoji';
import { changeSettings, settingsChanged } from '#features/user-settings';
import { findUsers } from '#features/users';
import type { AccountRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { everyoneInRealm, lockLog } from '#kernel/events';
import { on } from '#kernel/slice';
import type { RealmReadTx, WriteTx } from '#kernel/store';
import { codePointLength } from '#kernel/text';
import { EmojiNameMissing, NothingNew, StatusTooLong } from './errors.ts';
import { userStatusChanged } from './events.ts';
import { upsertStatus } from './queries.ts';

/** Longest status text, in code points. See protocol/status#setting. */
const MAX_STATUS_TEXT = 60;

/** A status as a client sent it; missing members are undefined. */
export interface SentStatus extends SentEmoji {
  /** Whether to turn presence off; an older way to set invisible mode. */
  readonly away?: boolean | undefined;
  readonly status_text: string | undefined;
}

/** Changes somebody's status and emits the event, even if nothing changes. See protocol/status#setting. */
export async function updateStatus(context: Context, account: AccountRef, sent: SentStatus): Promise<void> {
  const { realm, userId } = account;
  const { away } = sent;
  const text = parseText(sent);
  await context.store.in(realm).write(async (tx) => {
    if (away !== undefined) await lockLog(tx);
    const values = { ...text, ...(await resolveEmoji(tx, sent)) };
    if (Object.keys(values).length > 0) await upsertStatus(tx, userId, values);
    const said = { user_id: userId, ...(away !== undefined && { away }), ...values };
    tx.emit(userStatusChanged(said, { audience: everyoneInRealm }));
    if (away === undefined) return;
    saidAway.add(tx);
    await changeSettings(context, tx, userId, { presence_enabled: !away });
  });
}

/** Transactions of which a status says already that somebody went away, or came back. */
const saidAway = new WeakSet<WriteTx>();

/** Subscriber for people who turn their presence on or off, which `away` shows. See protocol/status#setting. */
export const presenceSwitched = on(settingsChanged, async (tx, { userIds, changed: { presence_enabled } }) => {
  if (presence_enabled === undefined || saidAway.has(tx)) return;
  for (const { id: user_id, is_active } of (await findUsers(tx, userIds)).values())
    if (is_active) tx.emit(userStatusChanged({ user_id, away: !presence_enabled }, { audience: everyoneInRealm }));
});

/** Validates the text. See protocol/status#setting, checks 1 and 2. */
function parseText(sent: SentStatus): { status_text?: string } {
  const status_text = sent.status_text?.trim();
  if (status_text !== undefined && codePointLength(status_text) > MAX_STATUS_TEXT)
    throw StatusTooLong({ limit: MAX_STATUS_TEXT });
  if (status_text === undefined && sent.emoji_name === undefined && sent.away === undefined) throw NothingNew();
  return status_text === undefined ? {} : { status_text };
}

/** An emoji as a client sent it. */
export type SentEmoji = { readonly [K in keyof ChosenEmoji]: string | undefined };

/** No emoji; deployed clients expect a reaction type even then. */
const NO_EMOJI: ChosenEmoji = { emoji_name: '', emoji_code: '', reaction_type: UNICODE_EMOJI };

/** Finds the emoji that a client sent; undefined if it sent none. See protocol/status#setting, checks 3 to 9. */
async function resolveEmoji(tx: RealmReadTx, sent: SentEmoji): Promise<ChosenEmoji | undefined> {
  const { emoji_name: name, emoji_code, reaction_type } = sent;
  if (name === '') return NO_EMOJI;
  if (name === undefined) {
    if (emoji_code || reaction_type) throw EmojiNameMissing();
    return undefined;
  }
  const emoji = await chosenEmoji(tx, name, emoji_code, reaction_type);
  await assertEmoji(tx, emoji);
  return emoji;
}
