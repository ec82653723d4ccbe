import { event } from '#kernel/events';
import { idOf, list } from '#kernel/schema';
import type { ScheduledId } from './tables.ts';
import { wireScheduled } from './wire.ts';

const source = 'protocol/saved#editing-a-scheduled-message, protocol/saved#scheduled-messages';

/** The owner scheduled a message; a list of one. */
export const scheduledAdded = event({
  type: 'scheduled_messages',
  op: 'add',
  source,
  payload: { scheduled_messages: list(wireScheduled) },
});

/** The owner changed a scheduled message, or it could not be sent. */
export const scheduledUpdated = event({
  type: 'scheduled_messages',
  op: 'update',
  source,
  payload: { scheduled_message: wireScheduled },
});

/** A scheduled message was sent, or its owner deleted it. */
export const scheduledRemoved = event({
  type: 'scheduled_messages',
  op: 'remove',
  source,
  payload: { scheduled_message_id: idOf<ScheduledId>() },
});

export const scheduledEvents = [scheduledAdded, scheduledUpdated, scheduledRemoved];
