import type { UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';

/** Users hidden from a viewer, and the host of the substitute addresses. */
export interface Hidden {
  has(userId: number): boolean;
  readonly host: string;
}

/** The owner of a queue, with the facts that decide which events they receive and in which form. */
export interface Viewer {
  readonly user_id: UserId;
  readonly role: number;
  /** The role before the last change, and the log position of that change: older entries obey the older role too. */
  readonly previous_role: number;
  readonly role_event_id: number;
  readonly is_active: boolean;
  /** Users this viewer may not know of; undefined for almost everybody. */
  readonly hidden: Hidden | undefined;
}

/** Reads viewers afresh; given by the slice that owns users. */
export type ViewerSource = (tx: RealmReadTx, userIds: readonly UserId[]) => Promise<readonly Viewer[]>;

/** Facts about the viewer that the wire form of an event may depend on, besides the client's view. */
export interface ViewerFacts {
  readonly role: number;
  readonly user_id: UserId;
  readonly hidden: Hidden | undefined;
}
