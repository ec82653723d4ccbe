import type { Viewer } from '#kernel/events';
import type { GroupId, RealmId, UserId } from '#kernel/ids';
import type { SystemGroupName } from '#kernel/permissions';
import type { ReadTx } from '#kernel/store';
import type { KeyScope } from './device-keys.ts';
import type { RealmRefReadTx } from './transactions.ts';

/** The organization a request is for. */
export interface RealmRef {
  readonly id: RealmId;
  /** Empty for the organization on the root domain. */
  readonly subdomain: string;
  /** Its address, without a trailing slash. */
  readonly url: string;
  /** Its host name, as in made-up addresses. */
  readonly host: string;
  readonly name: string;
  readonly isDeactivated: boolean;
  /** Code of the language that its people usually speak. */
  readonly language: string;
  /** Days until a member counts as a full member. */
  readonly waitingPeriodDays: number;
  /** Whether guests know only people they share a channel or conversation with. */
  readonly restrictsGuests: boolean;
  /** IDs of the system groups. */
  readonly groups: Readonly<Record<SystemGroupName, GroupId>>;
}

/** How a caller authenticated, where it was not by the account's API key. */
export type ShownBy =
  /** A browser's session, and when its owner last showed who they are (seconds since 1970). */
  | { readonly kind: 'session'; readonly id: number; readonly confirmedAt: number }
  /** A key of a device, or of an app password. */
  | { readonly kind: 'device key'; readonly id: number; readonly scope: KeyScope };

/** Who makes a request. */
export interface Actor {
  /** The organization of the account, with its ID once more because most queries need only that. */
  readonly realm: RealmRef;
  readonly realmId: RealmId;
  readonly userId: UserId;
  readonly role: number;
  readonly isBot: boolean;
  /** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded; null for people. */
  readonly botType: number | null;
  readonly botOwnerId: UserId | null;
  /** The real (delivery) address. */
  readonly email: string;
  readonly fullName: string;
  readonly dateJoined: number;
  /** Code of the language of their settings. */
  readonly language: string;
  /** Past the waiting period, or of a role above member. */
  readonly isFullMember: boolean;
  readonly viewer: Viewer;
  readonly shownBy?: ShownBy;
  /** Name of the program that sent the request, at most 30 characters. */
  readonly client: string;
}

/** The device key with which the caller came; null for any other way. */
export function deviceKeyOf({ shownBy }: Pick<Actor, 'shownBy'>): number | null {
  return shownBy?.kind === 'device key' ? shownBy.id : null;
}

/** Which account of which organization. */
export type AccountRef = Pick<Actor, 'realm' | 'userId'>;

/** An account as authentication needs it. */
export interface Login {
  readonly actor: Omit<Actor, 'client'>;
  readonly isActive: boolean;
}

/** Finds organizations and accounts; given by the slices that own them. */
export interface AuthSource {
  realm(tx: ReadTx, subdomain: string): Promise<RealmRef | undefined>;
  /** The organization that had this subdomain before it moved. */
  movedRealm(tx: ReadTx, subdomain: string): Promise<RealmRef | undefined>;
  /**
   * Finds an account by its Authorization header; throws the errors of protocol/authentication#credentials, rows 2 to
   * 6.
   */
  byHeader(tx: RealmRefReadTx, header: string): Promise<Login>;
  /** Finds an account by an API key alone; throws the errors of protocol/authentication#credentials, rows 5 and 6. */
  byKey(tx: RealmRefReadTx, key: string): Promise<Login>;
  byId(tx: RealmRefReadTx, userId: UserId): Promise<Login | undefined>;
}
