import { isTime } from '../entry.ts';
import type { Report } from '../report.ts';
import type { ArchiveFiles } from '../source.ts';
import { letterAt, lettersOf } from './letters.ts';
import { plainText } from './plain-text.ts';

/** A mail, as far as it becomes a message. */
export interface Mail {
  readonly place: string;
  /** Without angle brackets; empty where it has none. */
  readonly id: string;
  /** IDs of the mails before it in the conversation, the oldest first. */
  readonly before: readonly string[];
  readonly subject: string;
  readonly from: { readonly name: string; readonly address: string };
  /** Seconds since 1970. */
  readonly at: number;
  readonly text: string;
  readonly list: string;
  readonly files: readonly { readonly name: string; readonly type: string; readonly path: string }[];
}

/** Parts of a mail beyond which it is refused: a bomb of parts within parts. */
const LIMITS = { maxNestingDepth: 32, maxHeadersSize: 2 * 2 ** 20 };

/** The mails of a file. What cannot be read is left out, and named where there is a report. */
export async function* mailsIn(files: ArchiveFiles, path: string, report: Report | undefined): AsyncGenerator<Mail> {
  for await (const letter of lettersOf(files, path)) {
    const leave = (why: string) => report?.remark('messages left out', `${letter.place}: ${why}`);
    if (letter.bytes === undefined) {
      leave('it is larger than 64 MiB');
      continue;
    }
    const mail = await read(path, letter).catch(() => undefined);
    if (mail === undefined) leave('it is no mail');
    else if (!(mail.at > 0)) leave('it has no time');
    else if (!isTime(mail.at)) leave('its time is too far away');
    else yield mail;
  }
}

async function read(
  path: string,
  { place, bytes, from, length }: { place: string; bytes: Buffer; from: number; length: number },
): Promise<Mail> {
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(bytes, LIMITS);
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? '';
  return {
    place,
    id: idsIn(mail.messageId ?? '')[0] ?? '',
    before: [...new Set([...idsIn(mail.references ?? ''), ...idsIn(mail.inReplyTo ?? '').slice(0, 1)])],
    subject: mail.subject ?? '',
    from: senderOf(mail.from, header('from')),
    at: Date.parse(mail.date ?? '') / 1000,
    text: plainText(mail.text, mail.html),
    list: listOf(header('list-id'), path),
    files: mail.attachments
      .filter(({ related }) => related !== true)
      .map(({ filename, mimeType }, index) => ({
        name: filename ?? `part-${index + 1}`,
        type: mimeType,
        path: `${from} ${length} ${index} ${path}`,
      })),
  };
}

/** The bytes of a file that a mail brought. */
export async function attachmentOf(files: ArchiveFiles, path: string): Promise<AsyncIterable<Uint8Array> | undefined> {
  const [, from = 0, length = 0, index = 0] = /^(\d+) (\d+) (\d+) /.exec(path)?.map(Number) ?? [];
  const { default: PostalMime } = await import('postal-mime');
  const name = path.split(' ').slice(3).join(' ');
  const { attachments } = await PostalMime.parse(await letterAt(files, name, from, length), LIMITS);
  const content = attachments.filter(({ related }) => related !== true)[index]?.content;
  return content === undefined
    ? undefined
    : once(typeof content === 'string' ? Buffer.from(content) : bytesOf(content));
}

const bytesOf = (content: ArrayBuffer | Uint8Array) => new Uint8Array(content);

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const idsIn = (text: string): readonly string[] => [...text.matchAll(/<([^<>\s]{1,500})>/g)].map(([, id = '']) => id);

/** Archives on the web write "name at host.example (Full Name)". */
function senderOf(
  from: { readonly name?: string; readonly address?: string | undefined } | undefined,
  header: string,
): Mail['from'] {
  const written = /^"?(\S+) at (\S+\.\w+)"?\s*(?:\(([^()]*)\))?/.exec(header);
  if (written) return { address: `${written[1]}@${written[2]}`, name: written[3] ?? '' };
  return { address: from?.address ?? '', name: from?.name ?? '' };
}

/** A list is called by its ID, else by its file; months of one list have no name of their own. */
function listOf(header: string, path: string): string {
  const id = /<([^<>\s.]{1,60})[^<>]*>/.exec(header)?.[1] ?? /^([^<>\s.]{1,60})/.exec(header)?.[1];
  if (id !== undefined) return id;
  const stem = path.replace(/\.[^.]+$/, '');
  return /^\d{4}-[A-Za-z]+$/.test(stem) ? 'list' : stem;
}
