import { parseBounded, type Posted } from '#kernel/endpoint';
import { BodyTooLarge } from '#kernel/errors';
import type { Integration } from '#features/integrations';

/** Largest body that is read, in bytes: as JSON it takes the event loop some 30 ms. */
const MAX_POSTED_BYTES = 2 * 2 ** 20;
/** Fields of forms that hold the payload as JSON, where there is one. */
const PAYLOAD_FIELDS = ['payload', 'json'];

/** What a service posted, as values; undefined when it is none that the integration reads. */
export function payloadOf({ contentType, bytes, fields }: Posted, integration: Integration): unknown {
  if ((bytes?.length ?? 0) > MAX_POSTED_BYTES) throw BodyTooLarge();
  if (contentType === 'application/x-www-form-urlencoded' || contentType === 'multipart/form-data')
    return ofForm(fields);
  const text = bytes?.toString('utf8') ?? '';
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
