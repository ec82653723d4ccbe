import type { WireStatus } from './wire.ts';

/** A client's state about statuses, by user ID. */
interface StatusState {
  readonly user_status: Readonly<Record<string, WireStatus>>;
}

/** Contains only what changed; "" for cleared. */
interface StatusEvent {
  readonly user_id: number;
  readonly away?: boolean;
  readonly status_text?: string;
  readonly emoji_name?: string;
  readonly emoji_code?: string;
  readonly reaction_type?: string;
}

/** The statuses after an event. People without a status are left out, as in the register response. */
export function applyStatusEvent({ user_status }: StatusState, event: StatusEvent): StatusState {
  const { [String(event.user_id)]: before, ...others } = user_status;
  const status = statusAfter(before ?? {}, event);
  return { user_status: Object.keys(status).length === 0 ? others : { ...others, [String(event.user_id)]: status } };
}

function statusAfter(before: WireStatus, { away, ...event }: StatusEvent): WireStatus {
  const { status_text = '', emoji_name = '', emoji_code = '', reaction_type = '' } = { ...before, ...event };
  return {
    ...((away ?? before.away) && { away: true as const }),
    ...(status_text !== '' && { status_text }),
    // The three members always occur together.
    ...(emoji_name !== '' && { emoji_name, emoji_code, reaction_type }),
  };
}
