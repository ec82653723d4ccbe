import type { Entry } from '../entry.ts';
import { firstText } from '../neutral/index.ts';

/** Most attachments of a message that are read. */
const MOST = 100;

/**
 * What programs attach to a message, or say by attachments only, in Slack's own marks. What Slack added itself, of pages that
 * a message links and of messages that it shares, is left out where there is a text.
 */
export function withAttachments(text: string, attachments: readonly Entry[]): string {
  const isEmpty = text.trim() === '';
  const said = attachments
    .slice(0, MOST)
    .filter(
      (one) => isEmpty || !['from_url', 'original_url', 'is_share', 'is_msg_unfurl'].some((name) => one.has(name)),
    )
    .map(textOf);
  return [text, ...said].filter((part) => part.trim() !== '').join('\n');
}

function textOf(attachment: Entry): string {
  const [title, link] = [attachment.text('title', ''), attachment.text('title_link', '')];
  const fields = attachment.parts('fields').map((field) => {
    const [name, value] = [plainText(field, 'title'), plainText(field, 'value')];
    return name === '' ? value : `*${name}*: ${value}`;
  });
  const parts = [
    attachment.text('pretext', ''),
    link === '' || /[<>|]/.test(title) ? title : `<${link}|${title}>`,
    attachment.text('text', ''),
    ...fields,
  ];
  return firstText(parts.filter((part) => part.trim() !== '').join('\n'), attachment.text('fallback', ''));
}

/** Fields hold numbers, too. */
function plainText(entry: Entry, name: string): string {
  const value = entry.raw(name);
  return typeof value === 'number' ? String(value) : entry.text(name, '');
}
