/** A part of what a directory sends: its tag, and where its content begins and ends. */
interface Part {
  readonly tag: number;
  readonly from: number;
  readonly to: number;
}

/** Most bytes of a length. */
const MAX_LENGTH_BYTES = 4;
const INTEGER = 0x02;
const OCTETS = 0x04;
const SEQUENCE = 0x30;
const SET = 0x31;
const CONTROLS = 0xa0;
const REFERRAL = 0xa3;
const ENTRY = 0x64;
const REFERENCE = 0x73;
/** Responses that have a result: of binding, searching, and of extended operations such as StartTLS. */
const RESULTS = [0x61, 0x65, 0x78];
/** What may follow a result: SASL credentials, the name and the value of an extended response. */
const MORE = [REFERRAL, 0x87, 0x8a, 0x8b];

/** The part that begins at an offset; undefined while its length has not arrived whole. Throws where it has none. */
export function partAt(bytes: Buffer, at: number): Part | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined) return undefined;
  if (first < 0x80) return { tag, from: at + 2, to: at + 2 + first };
  const count = first - 0x80;
  if (count === 0 || count > MAX_LENGTH_BYTES) throw new Error('no definite length');
  const from = at + 2 + count;
  return bytes.length < from ? undefined : { tag, from, to: from + bytes.readUIntBE(at + 2, count) };
}

/** The parts within a part; undefined if they do not fill it exactly. */
function partsIn(bytes: Buffer, { from, to }: Part): readonly Part[] | undefined {
  const parts: Part[] = [];
  for (let at = from; at < to; ) {
    const part = partAt(bytes, at);
    if (!part || part.to > to) return undefined;
    parts.push(part);
    at = part.to;
  }
  return parts;
}

/**
 * Whether a whole message is a response that a directory sends to a search, a bind or StartTLS: RFC 4511, sections 4.1
 * to 4.5, in its encoding (section 5.1). The library believes the lengths in it, and what they do not fit never ends.
 */
export function isResponse(bytes: Buffer): boolean {
  try {
    const [id, operation, controls, ...rest] = within(bytes, partAt(bytes, 0), SEQUENCE);
    if (id?.tag !== INTEGER || id.to === id.from || id.to - id.from > MAX_LENGTH_BYTES || rest.length > 0) return false;
    if (controls) for (const control of within(bytes, controls, CONTROLS)) within(bytes, control, SEQUENCE);
    return operation !== undefined && isOperation(bytes, operation);
  } catch {
    return false;
  }
}

/** The control of a page of results (RFC 2696). */
const PAGE = Buffer.from('1.2.840.113556.1.4.319');

/** Whether a response ends a page after which there is another one, because its cookie is not empty. */
export function hasNextPage(bytes: Buffer): boolean {
  const [, , controls] = within(bytes, partAt(bytes, 0), SEQUENCE);
  if (!controls) return false;
  for (const control of within(bytes, controls, CONTROLS)) {
    const parts = within(bytes, control, SEQUENCE);
    const [type, value] = [parts[0], parts.at(-1)];
    if (!type || !value || !PAGE.equals(bytes.subarray(type.from, type.to))) continue;
    const [, cookie] = within(bytes, partAt(bytes, value.from), SEQUENCE);
    return cookie !== undefined && cookie.to > cookie.from;
  }
  return false;
}

/** The parts within a part that has this tag; throws if it has another, or they do not fill it. */
function within(bytes: Buffer, part: Part | undefined, tag: number): readonly Part[] {
  const parts = part?.tag === tag ? partsIn(bytes, part) : undefined;
  if (!parts) throw new Error('not well formed');
  return parts;
}

const areOctets = (parts: readonly Part[]) => parts.every(({ tag }) => tag === OCTETS);

function isOperation(bytes: Buffer, operation: Part): boolean {
  const parts = within(bytes, operation, operation.tag);
  if (operation.tag === ENTRY) return isEntry(bytes, parts);
  if (operation.tag === REFERENCE) return areOctets(parts);
  const [result, ...texts] = parts;
  const [name, message, ...more] = texts;
  return (
    RESULTS.includes(operation.tag) &&
    result?.tag === 0x0a &&
    result.to - result.from === 1 &&
    name?.tag === OCTETS &&
    message?.tag === OCTETS &&
    more.every((part) => MORE.includes(part.tag) && (part.tag !== REFERRAL || areOctets(within(bytes, part, REFERRAL))))
  );
}

/** An entry has a name, and attributes with a name and a set of values each. */
function isEntry(bytes: Buffer, [name, attributes, ...rest]: readonly Part[]): boolean {
  if (name?.tag !== OCTETS || rest.length > 0) return false;
  return within(bytes, attributes, SEQUENCE).every((attribute) => {
    const [type, values, ...more] = within(bytes, attribute, SEQUENCE);
    return type?.tag === OCTETS && more.length === 0 && areOctets(within(bytes, values, SET));
  });
}
