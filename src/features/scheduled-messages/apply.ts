import type { WireScheduled } from './wire.ts';

/** A client's state about scheduled messages. */
export interface ScheduledState {
  readonly scheduled_messages: readonly WireScheduled[];
}

type ScheduledEvent =
  | { readonly op: 'add'; readonly scheduled_messages: readonly WireScheduled[] }
  | { readonly op: 'update'; readonly scheduled_message: WireScheduled }
  | { readonly op: 'remove'; readonly scheduled_message_id: number };

/** The state after a `scheduled_messages` event; the next message to be sent comes first. */
export function applyScheduledEvent(state: ScheduledState, event: ScheduledEvent): ScheduledState {
  return { scheduled_messages: changed(state.scheduled_messages, event).toSorted(bySendingTime) };
}

function changed(scheduled: readonly WireScheduled[], event: ScheduledEvent): readonly WireScheduled[] {
  switch (event.op) {
    case 'add':
      return [...scheduled, ...event.scheduled_messages];
    case 'update':
      return scheduled.map((one) =>
        one.scheduled_message_id === event.scheduled_message.scheduled_message_id ? event.scheduled_message : one,
      );
    case 'remove':
      return scheduled.filter((one) => one.scheduled_message_id !== event.scheduled_message_id);
  }
}

function bySendingTime(a: WireScheduled, b: WireScheduled): number {
  return (
    a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.scheduled_message_id - b.scheduled_message_id
  );
}
