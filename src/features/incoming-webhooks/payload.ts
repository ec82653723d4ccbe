import { parseBounded, type Posted, slimJson } from '#kernel/endpoint';
import { BodyTooLarge } from '#kernel/errors';
import type { Integration } from '#features/integrations';

/** Largest JSON that is read as it is, in bytes: at worst, an object of nothing but members, it takes 15 ms. */
const READ_AT_ONCE_BYTES = 2 ** 18;
/** Largest form or text, and what is left of larger JSON. */
const MAX_POSTED_BYTES = 2 * 2 ** 20;
/** Largest JSON, which is made smaller first. */
const MAX_JSON_BYTES = 10 * 2 ** 20;
/** Fields of forms that hold the payload as JSON, where there is one. */
const PAYLOAD_FIELDS = ['payload', 'json'];

/** What a service posted, as values; undefined when it is none that the integration reads. */
export async function payloadOf(
  { contentType, bytes = Buffer.alloc(0), fields }: Posted,
  integration: Integration,
): Promise<unknown> {
  const isForm = contentType === 'application/x-www-form-urlencoded' || contentType === 'multipart/form-data';
  if (bytes.length > (isForm ? MAX_POSTED_BYTES : MAX_JSON_BYTES)) throw BodyTooLarge();
  if (isForm) return ofForm(fields);
  // Some services send JSON and call it text.
  const parsed = await parse(bytes);
  if (parsed) return parsed.value;
  if (!integration.takesText || contentType.endsWith('json')) return undefined;
  if (bytes.length > MAX_POSTED_BYTES) throw BodyTooLarge();
  return { text: bytes.toString('utf8') };
}

async function ofForm(fields: Posted['fields']): Promise<unknown> {
  // Two names at most.
  for (const name of PAYLOAD_FIELDS) {
    const text = fields.get(name);
    const parsed = text === undefined ? undefined : await parse(Buffer.from(text));
    if (parsed) return parsed.value;
  }
  return fields.size === 0 ? undefined : Object.fromEntries(fields);
}

/** JSON as values, without keeping others waiting for long; undefined when it is none. */
async function parse(bytes: Buffer): Promise<{ readonly value: unknown } | undefined> {
  if (bytes.length <= READ_AT_ONCE_BYTES) return parseBounded(bytes.toString('utf8'));
  const text = await slimJson(bytes);
  // What nobody could make smaller is no text that a message could show.
  if (text.length > MAX_POSTED_BYTES) throw BodyTooLarge();
  return parseBounded(text);
}
