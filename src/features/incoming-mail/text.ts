import type { ReceivedMail } from '#kernel/mail';
import { textOfHtml, withoutFooter, withoutQuotes } from './content/index.ts';

/** Which parts of a mail go into the message. See protocol/mail#receiving. */
export interface TextWishes {
  readonly keepsQuotes: boolean;
  readonly keepsFooter: boolean;
  readonly prefersHtml: boolean;
}

/** Longest text that is processed, in UTF-16 units; far longer than a message may be. */
const MAX_TEXT = 200_000;

/** Returns the text of a mail: its plain text, or its HTML as Markdown. */
export async function textIn({ text = '', html = '' }: ReceivedMail, wishes: TextWishes): Promise<string> {
  const isHtml = html.trim() !== '' && (wishes.prefersHtml || text.trim() === '');
  const whole = isHtml ? await textOfHtml(html, wishes) : plain(text);
  const short = whole.slice(0, MAX_TEXT);
  const cut = (said: string) => (wishes.keepsFooter ? said : withoutFooter(said));
  // A signature can be below the quotation, or above it.
  const own = cut(short);
  return (wishes.keepsQuotes ? own : cut(withoutQuotes(own))).trim();
}

function plain(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll('\u0000', '');
}

/** Removes prefixes of replies and forwarded mails from a subject. */
export function topicOf(subject: string): string {
  const topic = subject.replace(
    /^(?:\s*(?:re|aw|sv|fw|fwd|wg|tr|rv|enc|vs|antw|odp|回复|答复|转发)\s*(?:\[\d+\]\s*)?[:：])+/i,
    '',
  );
  return topic.replaceAll(/[\p{Cc}\p{Cs}\p{Cn}\u2028\u2029]/gu, '').trim();
}

/** Whether a mail was forwarded, so that its quotation is its content. */
export function isForwarded(subject: string): boolean {
  return /^\s*(?:fw|fwd|wg|tr|rv|enc|转发)\s*[:：]/i.test(subject);
}
