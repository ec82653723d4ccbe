import { event, everyoneInRealm } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { dict, float, idOf, int, maybe, nullable, object, str } from '#kernel/schema';
import { toLegacyDevice, toModern } from './to-wire.ts';
import { legacyDevice, modernPresence } from './wire.ts';

/**
 * Somebody was active after so long a time that partial lists of subscribers had left them out. It goes to no client,
 * but ends cached lists. See protocol/register#parameters.
 */
export const cameBack = event({
  type: 'came_back',
  source: 'protocol/register#parameters',
  payload: {},
  forms: [],
  audience: () => everyoneInRealm,
  wire: () => [],
  stale: 'carries nothing',
});

/**
 * Somebody came online, or turned invisible mode on or off. The event has three forms. See
 * protocol/presence#presence-event.
 */
export const presenceChanged = event({
  type: 'presence',
  source: 'protocol/presence#invisible, protocol/presence#presence-event',
  payload: {
    user_id: idOf<UserId>(),
    email: str(),
    date_joined: int(),
    last_active_at: nullable(int()),
    last_connected_at: int(),
    server_timestamp: float(),
  },
  forms: [
    { presences: dict(modernPresence) },
    {
      user_id: idOf<UserId>(),
      email: maybe(str()),
      server_timestamp: float(),
      presence: object({ website: legacyDevice }),
    },
  ],
  variesBy: ['simplified_presence_events', 'slim_presence'],
  variesByViewer: ['hidden'],
  stale: 'who is online changes without events, too, and is polled',
  wire: (payload, view) => {
    if (view.hidden?.has(payload.user_id)) return [];
    const { user_id, email, server_timestamp } = payload;
    if (view.simplified_presence_events) return [{ presences: { [user_id]: toModern(payload, payload.date_joined) } }];
    const person = { user_id, server_timestamp, presence: { website: toLegacyDevice(payload) } };
    return [view.slim_presence ? person : { ...person, email }];
  },
});
