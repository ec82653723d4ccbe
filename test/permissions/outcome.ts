import type { Reply } from '../support/client.ts';

/** What an answer means, as one letter of a grid. */
const MEANINGS: readonly (readonly [string, RegExp])[] = [
  // What the caller may not know of answers like what does not exist.
  ['?', /^Invalid channel (ID|name '.*')$|^Unable to access channel|^Channel\(s\) .* do not exist$/],
  ['?', /^Channel (with ID )?'.*' does not exist$|^Invalid message\(s\)$/],
  ['g', /^Not allowed for guest users$/],
  ['p', /^Insufficient permission$/],
  ['a', /^You do not have permission to administer this channel\.$/],
  ['c', /^Channel content access is required\.$/],
  ['n', /^Not authorized to send to channel '.*'$/],
  ['d', /^You do not have permission to change default channels\.$/],
  ['v', /^Private channels cannot be made default\.$/],
  ['s', /^Subscriber data is not available for this channel$/],
  ['u', /^Not subscribed to channel ID \d+$/],
  ['o', /^Must be an organization owner$/],
  ['=', /^Channel is (already|not currently) deactivated$/],
];

/** `+` done, `l` not logged in, else what stood in the way; the text itself where no letter says it. */
export function meaningOf({ status, body }: Reply): string {
  if (status === 200) return '+';
  if (status === 401) return 'l';
  const msg = String(body['msg']);
  return MEANINGS.find(([, text]) => text.test(msg))?.[0] ?? `[${status} ${msg}]`;
}
