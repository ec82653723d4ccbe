import { addressGivenUp, noteFailure } from '#features/mails';
import { queueDirectNotices } from '#features/notices';
import { quoted } from '#features/messages';
import { withRealm } from '#features/realms';
import type { Context } from '#kernel/context';
import type { RealmId, UserId } from '#kernel/ids';
import { type ReceivedMail, UNKNOWN_ADDRESS } from '#kernel/mail';
import { on } from '#kernel/slice';
import { wordsOf } from './words.ts';

/**
 * Processes a bounce of a mail that this server sent. Anything but a report of a permanent failure is ignored. RFC 3464
 * §2.3.
 */
export async function takeBounce(
  context: Context,
  { realmId, userId }: { readonly realmId: RealmId; readonly userId: UserId },
  { report = '' }: ReceivedMail,
): Promise<'failed' | 'nothing'> {
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(report)?.[1] ?? '';
  const status = field('Status').trim();
  if (field('Action').trim().toLowerCase() !== 'failed' || !UNKNOWN_ADDRESS.test(status)) return 'nothing';
  const says = field('Diagnostic-Code').trim() || status;
  await context.store.of(realmId).write((tx) => noteFailure(context, tx, userId, says));
  return 'failed';
}

/** Users whose address gets no more mail are told in a message. */
export const tellOfFailure = on(addressGivenUp, async (tx, { userId, reason }, context) => {
  const { realm } = await withRealm(context, tx);
  await queueDirectNotices(tx, [{ userId, content: wordsOf(realm).givenUp(quoted(reason)) }]);
});
