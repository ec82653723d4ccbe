import type { ReceivedMail } from '#kernel/mail';
import { textOfHtml, withoutFooter, withoutQuotes } from './content/index.ts';

/** What of a mail becomes a message. See protocol/mail#receiving. */
export interface TextWishes {
  readonly keepsQuotes: boolean;
  readonly keepsFooter: boolean;
  readonly prefersHtml: boolean;
}

/** Longest text that is looked at, in UTF-16 units: far more than a message holds. */
const MAX_TEXT = 200_000;

/** What somebody wrote in a mail: its plain text, or that of its HTML. */
export async function textIn({ text = '', html = '' }: ReceivedMail, wishes: TextWishes): Promise<string> {
  const isHtml = html.trim() !== '' && (wishes.prefersHtml || text.trim() === '');
  const whole = isHtml ? await textOfHtml(html, wishes) : plain(text);
  const short = whole.slice(0, MAX_TEXT);
  const cut = (said: string) => (wishes.keepsFooter ? said : withoutFooter(said));
  // A signature stands below what is quoted, or above it with what telephones write.
  const own = cut(short);
  return (wishes.keepsQuotes ? own : cut(withoutQuotes(own))).trim();
}

function plain(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll('\u0000', '');
}

/** A subject without what programs put before it when a mail is answered or passed on. */
export function topicOf(subject: string): string {
  const topic = subject.replace(
    /^(?:\s*(?:re|aw|sv|fw|fwd|wg|tr|rv|enc|vs|antw|odp|回复|答复|转发)\s*(?:\[\d+\]\s*)?[:：])+/i,
    '',
  );
  return topic.replaceAll(/[\p{Cc}\p{Cs}\p{Cn}\u2028\u2029]/gu, '').trim();
}

/** Whether a mail was passed on: then what it quotes is what it says. */
export function isForwarded(subject: string): boolean {
  return /^\s*(?:fw|fwd|wg|tr|rv|enc|转发)\s*[:：]/i.test(subject);
}
