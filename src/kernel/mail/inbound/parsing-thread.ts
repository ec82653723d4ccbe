import type { PostalMimeOptions } from 'postal-mime';
import { HelperThread } from '#kernel/threads';

/** A mail to be read. */
export interface ParseRequest {
  /** Owns all of its memory, which is transferred to the thread. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly limits: PostalMimeOptions;
  /** Most lines, and most of them that may begin a part. */
  readonly maxLines: number;
  readonly maxParts: number;
  /** Most UTF-16 units of its text, and of its HTML, that are answered. */
  readonly maxText: number;
}

/** A mail as the library reads it. */
export interface Parsed {
  readonly headers: readonly { readonly key: string; readonly value: string }[];
  readonly messageId: string | undefined;
  readonly subject: string | undefined;
  readonly from: { readonly name: string; readonly address?: string | undefined } | undefined;
  readonly text: string | undefined;
  readonly html: string | undefined;
  readonly attachments: readonly {
    readonly filename: string | null;
    readonly mimeType: string;
    readonly content: Uint8Array;
  }[];
}

interface Answer {
  /** Undefined where it cannot be read. */
  readonly mail: Parsed | undefined;
  /** The limit that it exceeds. */
  readonly tooMany?: 'lines' | 'parts';
}

/** Next to this file in the sources, and next to the bundle in a build. */
const program = new URL('./parse-mail.js', import.meta.url);

/** Milliseconds by the clock, and MiB, for one mail: many times what an honest one of the largest size takes. */
const PATIENCE_MS = 30_000;
const MEMORY_MB = 64;
/** Bytes of a mail from which on the thread would keep too much of it. */
const LARGE_BYTES = 2 ** 20;

/**
 * The process's one thread for reading mails: anybody may write them, and each line of a text costs the library a
 * thousand bytes and many microseconds.
 */
export const parsingThread = new HelperThread<ParseRequest, Answer>({
  program,
  isAnswer: (message): message is Answer => typeof message === 'object' && message !== null && 'mail' in message,
  nothing: { mail: undefined },
  patienceMs: PATIENCE_MS,
  memoryMb: MEMORY_MB,
  handsOver: ({ bytes }) => bytes.buffer,
  endsAfter: ({ bytes }) => bytes.length > LARGE_BYTES,
});
