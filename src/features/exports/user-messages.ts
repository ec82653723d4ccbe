import type { WholeRow } from '#kernel/store';
import { FLAGS, type Message } from './messages.ts';
import type { Reading, Span } from './reading.ts';
import { groupedBy, type Scope } from './scope.ts';

/** Bytes that are buffered before they are yielded. */
const PIECE = 524_288;
/** The text of a row before the message's ID. */
const START = ',\n{"message":';

type Flag = WholeRow<'message_flag'>;
/** The columns of a message that decide who has it. */
type MessageKeys = Pick<Message, 'id' | 'recipient_id' | 'channel_id' | 'mentions_channel'>;

/** Rows that are written but for the message's ID; `places` are the offsets of its digits in each. */
interface Form {
  readonly bytes: Uint8Array;
  readonly places: readonly number[];
}

/**
 * Who has some messages, and what they are to each: a hundred rows for each message of a channel with a hundred people. So
 * they are written as bytes, each row after a comma. They have no `id`, which no importer reads. What is given is good until
 * the next is asked for.
 */
export function* userMessages(
  { hasPrivate }: Pick<Scope, 'hasPrivate'>,
  reading: Reading,
  flags: ReadonlyMap<number, readonly Flag[]>,
  page: readonly MessageKeys[],
): Generator<readonly Uint8Array[]> {
  const sheet = new Sheet();
  for (const message of page)
    for (const form of formsOf(message, reading, flags.get(message.id) ?? [], hasPrivate)) {
      if (!sheet.hasRoomFor(form)) yield [sheet.take()];
      sheet.fill(form, message.id);
    }
  yield [sheet.take()];
}

/** Copies the needed columns only: the whole message would stay in memory until its file is written. */
export function heldOf({ id, recipient_id, channel_id, mentions_channel }: Message): MessageKeys {
  return { id, recipient_id, channel_id, mentions_channel };
}

/** The rows of a message. */
function formsOf(
  message: MessageKeys,
  reading: Reading,
  flags: readonly Flag[],
  hasPrivate: Scope['hasPrivate'],
): readonly Form[] {
  const span = reading.spanOf(message, message.id);
  const digits = String(message.id).length;
  // What most have of it is the same but for who they are.
  const [unread, read] = [maskOf(message, [], false), maskOf(message, [], true)];
  if (flags.length === 0) return [knownForm(span, 'unread', unread, digits), knownForm(span, 'read', read, digits)];
  const marked = groupedBy(flags, (row) => row.user_id);
  const isPlain = (user: number) => !marked.has(user);
  const has = new Set([...span.unread, ...span.read]);
  const own = [...marked].filter(([user, rows]) => has.has(user) || (isHeld(rows) && hasPrivate(user)));
  return [
    formOf(span.unread.filter(isPlain), unread, digits),
    formOf(span.read.filter(isPlain), read, digits),
    ...own.map(([user, rows]) => {
      const isRead = reading.isRead(message.recipient_id, user, message.id);
      return formOf([user], maskOf(message, rows, isRead), digits);
    }),
  ];
}

const forms = new WeakMap<Span, Map<string, Form>>();

/**
 * Returns the cached form of the rows of those who have read the messages of a span, or who have not; most messages use
 * the form of the previous one.
 */
function knownForm(span: Span, who: 'read' | 'unread', mask: number, digits: number): Form {
  const known = forms.get(span) ?? new Map<string, Form>();
  forms.set(span, known);
  const key = `${who} ${mask} ${digits}`;
  const form = known.get(key) ?? formOf(span[who], mask, digits);
  known.set(key, form);
  return form;
}

function formOf(users: readonly number[], mask: number, digits: number): Form {
  const room = `${START}${'0'.repeat(digits)},"flags_mask":${mask},"user_profile":`;
  const places: number[] = [];
  let text = '';
  for (const user of users) {
    places.push(text.length + START.length);
    text += `${room}${user}}`;
  }
  return { bytes: Buffer.from(text, 'latin1'), places };
}

/** A buffer that is reused. */
class Sheet {
  #bytes = Buffer.allocUnsafeSlow(PIECE);
  #used = 0;

  hasRoomFor({ bytes }: Form): boolean {
    return this.#used === 0 || this.#used + bytes.length <= this.#bytes.length;
  }

  /** Appends the rows of a form with the ID of a message. */
  fill({ bytes, places }: Form, id: number): void {
    if (bytes.length > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(bytes.length);
    const [sheet, from] = [this.#bytes, this.#used];
    sheet.set(bytes, from);
    const digits = String(id);
    for (let digit = 0; digit < digits.length; digit++) {
      const code = digits.charCodeAt(digit);
      for (const place of places) sheet[from + place + digit] = code;
    }
    this.#used += bytes.length;
  }

  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#used);
    this.#used = 0;
    return taken;
  }
}

/** Whether flags show that a user has a message although they never received it. */
function isHeld(own: readonly Flag[]): boolean {
  return own.some(({ flag }) => flag === 'historical' || flag === 'delivered');
}

const BITS: ReadonlyMap<string, number> = new Map(Object.entries(FLAGS));

function maskOf(message: MessageKeys, own: readonly Flag[], isRead: boolean): number {
  let mask = own.reduce((sum, { flag }) => sum | (BITS.get(flag) ?? 0), 0);
  if (isRead) mask |= FLAGS.read;
  if (message.mentions_channel) mask |= FLAGS.stream_wildcard_mentioned;
  if (message.channel_id === null) mask |= FLAGS.is_private;
  return mask;
}
