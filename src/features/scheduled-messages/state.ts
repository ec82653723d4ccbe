import { list } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listScheduled } from './queries.ts';
import { toWireScheduled, wireScheduled } from './wire.ts';

/** The caller's scheduled messages that were not sent yet. See protocol/saved#scheduled-messages. */
export const scheduledState = registerState({
  fetchType: 'scheduled_messages',
  source: 'protocol/saved#scheduled-messages',
  fields: { scheduled_messages: list(wireScheduled) },
  read: async ({ tx }) => ({
    scheduled_messages: tx.actor ? (await listScheduled(tx, tx.actor.userId)).map(toWireScheduled) : [],
  }),
});
