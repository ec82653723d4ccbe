import { addressGivenUp, noteFailure } from '#features/mails';
import { queueDirectNotices } from '#features/notices';
import { quoted } from '#features/messages';
import type { Context } from '#kernel/context';
import type { RealmId, UserId } from '#kernel/ids';
import { type ReceivedMail, UNKNOWN_ADDRESS } from '#kernel/mail';
import { on } from '#kernel/slice';

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
export const tellOfFailure = on(addressGivenUp, (tx, { userId, reason }) => {
  const why = 'Mails to your address come back, so no more about missed messages are sent to it. It was said:';
  const content = `${why}\n${quoted(reason)}\nChange the address in your settings, or ask an administrator to try it again.`;
  return queueDirectNotices(tx, [{ userId, content }]);
});
