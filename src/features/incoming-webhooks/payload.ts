import { parseBounded, type Posted, slimJson } from '#kernel/endpoint';
import { BodyTooLarge } from '#kernel/errors';
import type { Integration } from '#features/integrations';

/** Largest body that is read as it is, in bytes: as JSON it takes the event loop some 30 ms. */
const MAX_POSTED_BYTES = 2 * 2 ** 20;
/** Largest JSON, which is made as small as that first. */
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
  const text = bytes.length > MAX_POSTED_BYTES ? await slimJson(bytes) : bytes.toString('utf8');
  // What nobody could make smaller is no text that a message could show.
  if (text.length > MAX_POSTED_BYTES) throw BodyTooLarge();
  // Some services send JSON and call it text.
  const parsed = parseBounded(text);
  if (parsed) return parsed.value;
  return integration.takesText && !contentType.endsWith('json') ? { text } : undefined;
}

function ofForm(fields: Posted['fields']): unknown {
  for (const name of PAYLOAD_FIELDS) {
    const text = fields.get(name);
    const parsed = text === undefined ? undefined : parseBounded(text);
    if (parsed) return parsed.value;
  }
  return fields.size === 0 ? undefined : Object.fromEntries(fields);
}
