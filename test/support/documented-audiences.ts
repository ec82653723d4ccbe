import { describedEvents } from '#kernel/openapi';
import { eventTypes, type Server } from '../../src/server.ts';

/**
 * Parts of which an audience may consist in entries of the log, by its name in docs/events.md. `users` alone are people
 * whom the action chose.
 */
export const MEANT: Readonly<Record<string, readonly string[]>> = {
  'the account whose data it is': ['users'],
  'everyone in the organization': ['everyone'],
  'everyone in the organization, or guests whom one leaves': ['everyone', 'users'],
  'everyone except guests, or one who is no guest any more': ['members', 'users'],
  'everyone who may see the person': ['everyone', 'users'],
  'guests who saw the person until now': ['users'],
  'everyone who may know of the channel': ['everyone', 'members+channel', 'admins+channel+users', 'users'],
  'everyone who sees them from now on': ['everyone', 'members+channel', 'admins+channel+users', 'users'],
  'everyone who saw them until now': ['everyone', 'members+channel', 'admins+channel+users', 'users'],
  'others who may see the subscribers of the channel': [
    'everyone',
    'members',
    'members+channel',
    'admins+channel+users',
    'users',
  ],
  'the recipients of the message': [
    'channel',
    'channel+listeners',
    'channel+listeners+users',
    'channel+users',
    'users',
  ],
  'everyone who has the message, and subscribers where history is shared': ['channel', 'channel+users', 'users'],
  'the subscribers of the channel': ['users'],
  'the new subscriber': ['users'],
  'the former subscriber': ['users'],
  'the people of the conversation; subscribers of the channel': ['users'],
  administrators: ['admins'],
  'administrators and the inviter': ['admins+users'],
  'its owner and administrators': ['admins+users', 'users'],
  'its former owner': ['users'],
  // The server itself addresses queues one by one.
  'one queue': [''],
};

const PARTS = ['everyone', 'members', 'admins', 'channel', 'listeners', 'users'] as const;
const words = new Map(describedEvents(eventTypes).map(({ kind, to }) => [kind, to]));

/** Throws for an event of the log whose audience differs from the reference. Called whenever a world closes. */
export async function assertAudiences({ context }: Pick<Server, 'context'>): Promise<void> {
  const entries = await context.store
    .read((tx) => tx.db.selectFrom('event').select(['kind', 'details']).execute())
    // The test may have closed the server.
    .catch(() => []);
  for (const { kind, details } of entries) assertAudience(kind, JSON.parse(details).audience);
}

export function assertAudience(kind: string, audience: Readonly<Record<string, unknown>>): void {
  const to = words.get(kind);
  if (to === undefined) return;
  const parts = PARTS.filter((part) => audience[part] !== undefined).join('+');
  if (!MEANT[to]?.includes(parts)) throw new Error(`${kind} went to ${parts}, but is received by ${to}`);
}
