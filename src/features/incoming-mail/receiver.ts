import type { Context } from '#kernel/context';
import { bouncedIn } from '#features/mails';
import { ApiError, RateLimited } from '#kernel/errors';
import { type Letter, localPartIn, MailRefusal, type Receiver } from '#kernel/mail';
import { foldCase } from '#kernel/text';
import { takeBounce } from './bounces.ts';
import { channelAddressIn, channelPosting, placeOf } from './channels.ts';
import { assertNoLoop } from './loops.ts';
import { post } from './post.ts';
import { replierFor, replyIn } from './replies.ts';

/** Handles incoming mails. */
export function receiverOf(context: Context): Receiver {
  return {
    accept: (to, from) => accept(context, to, from),
    take: async (letter) => {
      try {
        countOf(context).inc({ outcome: await take(context, letter) });
      } catch (error) {
        const refusal = refusalOf(error);
        countOf(context).inc({ outcome: refusal?.isFinal === true ? 'refused' : 'later' });
        if (refusal) context.log.room('mail').info({ why: refusal.message }, 'a mail was refused');
        throw refusal ?? error;
      }
    },
  };
}

function countOf({ metrics }: Context) {
  const about =
    'Mails that came in, by outcome: stored, known (handed over twice), failed (one of ours came back), nothing, refused, later';
  return metrics.counter('roost_mails_in_total', about, ['outcome']);
}

/** Refuses unknown addresses before the mail's content is sent. */
async function accept(context: Context, to: string, from: string): Promise<void> {
  const local = localOf(context, to);
  if (bouncedIn(context, local)) return;
  if (from === '') throw new MailRefusal('refused', 'reports and automatic answers are not taken here');
  const channel = channelAddressIn(context, local);
  const isKnown = await context.store.read(async (tx) =>
    channel ? placeOf(context, tx, channel.mail) : replierFor(context, tx, local),
  );
  if (!isKnown) throw new MailRefusal('unknown', 'there is no such address, or it is over');
}

async function take(context: Context, letter: Letter): Promise<'stored' | 'known' | 'failed' | 'nothing'> {
  const local = localOf(context, letter.to);
  const bounced = bouncedIn(context, local);
  await context.limits.take('mail-in-address', local);
  if (!bounced) await context.limits.take('mail-in-sender', foldCase(letter.from));
  const mail = await letter.read();
  if (bounced) return takeBounce(context, bounced, mail);
  if (letter.from === '') throw new MailRefusal('refused', 'reports and automatic answers are not taken here');
  assertNoLoop(mail);
  const channel = channelAddressIn(context, local);
  const posting = channel ? await channelPosting(context, channel, mail) : await replyIn(context, local, mail);
  return post(context, letter, mail, posting);
}

function localOf({ server: { mailInAddress = '' } }: Context, address: string): string {
  const local = localPartIn(mailInAddress, address);
  if (local === undefined) throw new MailRefusal('unknown', 'there is no such address');
  return local;
}

/**
 * Returns the refusal for an error of the rules, final except for rate limits; undefined for other errors, which may
 * not recur.
 */
function refusalOf(error: unknown): MailRefusal | undefined {
  if (error instanceof MailRefusal) return error;
  if (!(error instanceof ApiError)) return undefined;
  if (error.row === RateLimited.row) return new MailRefusal('later', 'too many mails; try again later');
  return new MailRefusal('refused', error.message);
}
