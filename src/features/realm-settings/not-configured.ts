import { bool, list, object, str } from '#kernel/schema';
import { registerState } from '#kernel/state';

const SOURCE = 'protocol/register#own-collections, protocol/register#organization-collections';

/** The key of a picture service; empty, because the server uses none. */
const keyOf = (service: string) =>
  registerState({
    fetchType: service,
    stale: 'a fact of the server',
    source: SOURCE,
    fields: { [`${service}_api_key`]: str() },
    read: () => Promise.resolve({ [`${service}_api_key`]: '' }),
  });

/** Fields that clients expect about services which this server does not use. */
export const unconfiguredStates = [
  keyOf('giphy'),
  keyOf('tenor'),
  keyOf('klipy'),
  registerState({
    fetchType: 'realm_billing',
    stale: 'a fact of the server',
    source: SOURCE,
    fields: { realm_billing: object({ has_pending_sponsorship_request: bool() }) },
    read: () => Promise.resolve({ realm_billing: { has_pending_sponsorship_request: false } }),
  }),
  registerState({
    fetchType: 'stop_words',
    stale: 'the search leaves out no words',
    source: SOURCE,
    fields: { stop_words: list(str()) },
    read: () => Promise.resolve({ stop_words: [] }),
  }),
];
