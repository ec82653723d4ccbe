import { type Mail, type Mailbox, MailFault } from './mail.ts';

/** Longest address. RFC 5321 §4.5.3.1.3, without the brackets. */
const MAX_ADDRESS_LENGTH = 254;
/**
 * The addresses that Roost sends to: no white space, no control characters, nothing that separates, quotes or comments in a
 * header or in SMTP. What RFC 5322 §3.2 allows beyond (quoted local parts, comments) is used by nobody but attackers.
 */
const ADDRESS = /^[^\s\p{C}<>()[\]:;,\\"@]+@[^\s\p{C}<>()[\]:;,\\"@]+$/u;
/** Names of fields; RFC 5322 §2.2 allows more. */
const FIELD_NAME = /^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/;
/** Fields that are made from the rest of a mail. */
const MADE = /^(from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|content-.*)$/i;

/** A mail in the form the mail library takes. No address is left for it to parse, and it opens no file or URL. */
export interface Message {
  readonly from: NamedAddress;
  readonly to: NamedAddress;
  readonly replyTo?: NamedAddress;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly headers: Record<string, string>;
  readonly envelope: { readonly from: string; readonly to: string[] };
  readonly date: Date;
  readonly disableFileAccess: true;
  readonly disableUrlAccess: true;
}

interface NamedAddress {
  readonly name: string;
  readonly address: string;
}

/** Makes a message of a mail; what is text for people becomes one line, what is an address must be one. */
export function toMessage(mail: Mail, from: Mailbox, date: Date): Message {
  const sender = { ...from, name: mail.fromName ?? from.name ?? '' };
  return {
    from: toAddress(sender),
    to: toAddress(mail.to),
    ...(mail.replyTo ? { replyTo: toAddress(mail.replyTo) } : {}),
    subject: asWritten(oneLine(mail.subject)),
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    headers: toFields(mail.headers ?? {}),
    envelope: { from: returnPathOf(mail, from), to: [mail.to.address] },
    date,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function returnPathOf({ bounceTo }: Mail, from: Mailbox): string {
  return bounceTo === undefined ? from.address : toAddress({ address: bounceTo }).address;
}

/** Whether mail may be sent to an address. */
export function isMailAddress(address: string): boolean {
  return address.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(address);
}

function toAddress({ name = '', address }: Mailbox): NamedAddress {
  if (!isMailAddress(address)) throw new MailFault('not an address that mail may be sent to', true);
  return { name: oneLine(name), address };
}

function toFields(headers: Readonly<Record<string, string>>): Record<string, string> {
  const fields = Object.entries(headers).map(([name, value]): [string, string] => {
    if (!FIELD_NAME.test(name) || MADE.test(name)) throw new MailFault(`not a field of a mail: ${name}`, true);
    return [name, oneLine(value)];
  });
  return Object.fromEntries(fields);
}

/**
 * Line breaks and other control characters become a space: a value never becomes a second field. Security 2, item 1.3.11.
 * Characters that change the order of others are left out: a name would turn what follows it around.
 */
function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
}

/**
 * Encodes a subject that could be taken for encoded words (RFC 2047 §2): readers would decode them, and show line breaks
 * and other characters that the text does not have. Ten characters of four bytes each fit into one word.
 */
function asWritten(subject: string): string {
  if (!subject.includes('=?')) return subject;
  const words = subject.match(/.{1,10}/gu) ?? [];
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}
