import { parseShortened, type Posted } from '#kernel/endpoint';
import { BodyTooLarge } from '#kernel/errors';
import type { Integration } from '#features/integrations';

/** Largest form or text, in bytes. */
const MAX_POSTED_BYTES = 2 * 2 ** 20;
/** Largest JSON, in bytes. */
const MAX_JSON_BYTES = 10 * 2 ** 20;
/** Form fields that may have the payload as JSON. */
const PAYLOAD_FIELDS = ['payload', 'json'];

/** Parses what a service posted; undefined if it is not in a format that the integration accepts. */
export async function payloadOf(
  { contentType, bytes = Buffer.alloc(0), fields }: Posted,
  integration: Integration,
): Promise<unknown> {
  const isForm = contentType === 'application/x-www-form-urlencoded' || contentType === 'multipart/form-data';
  if (bytes.length > (isForm ? MAX_POSTED_BYTES : MAX_JSON_BYTES)) throw BodyTooLarge();
  if (isForm) return ofForm(fields);
  // The content type is not checked first: some services send JSON as text/plain.
  const parsed = await parse(bytes);
  if (parsed) return parsed.value;
  if (!integration.takesText || contentType.endsWith('json')) return undefined;
  if (bytes.length > MAX_POSTED_BYTES) throw BodyTooLarge();
  return { text: bytes.toString('utf8') };
}

async function ofForm(fields: Posted['fields']): Promise<unknown> {
  // At most two fields.
  for (const name of PAYLOAD_FIELDS) {
    const text = fields.get(name);
    const parsed = text === undefined ? undefined : await parse(Buffer.from(text));
    if (parsed) return parsed.value;
  }
  return fields.size === 0 ? undefined : Object.fromEntries(fields);
}

async function parse(bytes: Buffer): Promise<{ readonly value: unknown } | undefined> {
  const parsed = await parseShortened(bytes);
  if (parsed === 'too large') throw BodyTooLarge();
  return parsed;
}
