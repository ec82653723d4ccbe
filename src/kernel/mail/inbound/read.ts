import { type Parsed, parsingThread } from './parsing-thread.ts';
import { MailRefusal } from './refusal.ts';

/** Bounds of a mail beyond its size: parts within parts, bytes of all headers, lines, and lines that may begin a part. */
const LIMITS = { maxNestingDepth: 20, maxHeadersSize: 256 * 1024, maxRfc822NestingDepth: 0 };
const BOUNDS = {
  /** As many as the largest mail has whose files are written in lines of 76 characters, as is usual. */
  maxLines: 400_000,
  maxParts: 2_000,
  /** UTF-16 units of its text and of its HTML that are looked at: far more than a message holds. */
  maxText: 150_000,
};
/** UTF-16 units of its subject, and of a name or an address in it, that are looked at. */
const MAX_LINE = 1_000;
/** Bytes of a report that are looked at: what it says of a mail is a few lines. */
const MAX_REPORT_BYTES = 64 * 1024;
/** Files of a mail that are looked at. */
const MAX_FILES = 20;

/** A file that came with a mail. */
export interface MailFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A mail as it came in. */
export interface ReceivedMail {
  /** Without angle brackets; empty where there is none. */
  readonly id: string;
  readonly subject: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly text: string | undefined;
  readonly html: string | undefined;
  readonly files: readonly MailFile[];
  /** Files beyond the most that are looked at. */
  readonly filesLeft: number;
  /** What a mail server says of a mail of ours; RFC 3464. */
  readonly report: string | undefined;
  /** Servers that it came through. */
  readonly hops: number;
  /** All fields of a name in small letters that are not empty, without comments (RFC 5322 §3.2.2). */
  readonly fields: (name: string) => readonly string[];
}

/**
 * Reads a mail within bounds, in a thread that starts with the first one; what is none, or is made to hurt, is refused. The
 * bytes are gone afterwards.
 */
export async function readMail(bytes: Buffer): Promise<ReceivedMail> {
  const { mail, tooMany } = await parsingThread.ask({ bytes: whole(bytes), ...BOUNDS, limits: LIMITS });
  if (tooMany) throw new MailRefusal('refused', `the mail has too many ${tooMany}`);
  if (!mail) throw new MailRefusal('refused', 'the mail cannot be read');
  const fields = (name: string) =>
    mail.headers
      .filter(({ key }) => key === name)
      .map(({ value }) =>
        value
          .slice(0, MAX_LINE)
          .replaceAll(/\([^()]*\)/g, ' ')
          .trim(),
      )
      .filter((value) => value !== '');
  const files = mail.attachments.filter(isFile);
  return {
    id: /<([^<>\s]{1,500})>/.exec(mail.messageId ?? '')?.[1] ?? '',
    subject: oneLine(mail.subject ?? ''),
    from: { name: oneLine(mail.from?.name ?? ''), address: oneLine(mail.from?.address ?? '') },
    text: mail.text,
    html: mail.html,
    files: files.slice(0, MAX_FILES).map(toFile),
    filesLeft: Math.max(0, files.length - MAX_FILES),
    report: reportIn(mail.attachments),
    hops: mail.headers.filter(({ key }) => key === 'received').length,
    fields,
  };
}

/** Returns bytes that own their memory: small buffers share theirs. */
function whole(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize
    ? new Uint8Array(buffer, byteOffset, length)
    : new Uint8Array(bytes);
}

type Attached = Parsed['attachments'][number];

/** Reports about the mail, and signatures, are no files of it. */
function isFile({ mimeType }: Attached): boolean {
  return !/^(message\/((global-)?delivery-status|disposition-notification)|text\/rfc822-headers|application\/(pgp-signature|pkcs7-signature|x-pkcs7-signature))/.test(
    mimeType,
  );
}

function toFile({ filename, mimeType, content }: Attached, index: number): MailFile {
  const name = oneLine(filename ?? '').replaceAll(/[/\\]/g, '_');
  return { name: name === '' ? unnamed(mimeType, index) : name, type: mimeType, bytes: content };
}

function unnamed(type: string, index: number): string {
  return type === 'message/rfc822' ? `message-${index + 1}.eml` : `attachment-${index + 1}`;
}

function reportIn(attachments: Parsed['attachments']): string | undefined {
  const found = attachments.find(({ mimeType }) => /^message\/(global-)?delivery-status$/.test(mimeType));
  return found && Buffer.from(found.content.subarray(0, MAX_REPORT_BYTES)).toString();
}

/** Encoded words can hold line breaks. */
function oneLine(text: string): string {
  return text
    .slice(0, MAX_LINE)
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}
