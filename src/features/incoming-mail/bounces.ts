import { addressGivenUp, noteFailure } from '#features/mails';
import { tellLater } from '#features/notices';
import { quoted } from '#features/messages';
import type { Context } from '#kernel/context';
import type { RealmId, UserId } from '#kernel/ids';
import { type ReceivedMail, UNKNOWN_ADDRESS } from '#kernel/mail';
import { on } from '#kernel/slice';

/** Takes note of a mail of ours that came back. What says nothing final, or is no report, is nothing. RFC 3464 §2.3. */
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

/** Who gets no mail any more is told where they look: in a message. */
export const tellOfFailure = on(addressGivenUp, (context, tx, { userId, reason }) => {
  const why = 'Mails to your address come back, so no more about missed messages are sent to it. It was said:';
  const content = `${why}\n${quoted(reason)}\nChange the address in your settings, or ask an administrator to try it again.`;
  return tellLater(context, tx, [{ userId, content }]);
});
