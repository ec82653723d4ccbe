import {
  type DeviceRow,
  type Parcel,
  sendOpenParcels,
  sendParcels,
  type Sent,
  type Pending,
  type TokenRow,
} from '#features/push-devices';
import { type SubscriptionRow, subscriptionsOf } from '#features/push-subscriptions';
import { backOff, type Clock } from '#kernel/clock';
import type { Context } from '#kernel/context';
import type { RealmId, UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { type DevicePage, devicesOf, tokensOf } from './queries.ts';

/** Attempts to deliver a notification to a push service before giving up: about a day. */
export const MAX_TRIES = 12;

/** Seconds until the next attempt. */
export function pauseAfter(clock: Pick<Clock, 'random'>, tries: number): number {
  return backOff(clock, tries, { first: 4, last: 3_600 });
}

/** What a repeated attempt adds to its job. */
export interface Again {
  /** The devices that are left; all of the people's if absent. */
  readonly only?: readonly number[];
  readonly tries?: number;
}

/** A device and its owner. */
export interface Owned {
  readonly id: number;
  readonly user_id: UserId;
}

/** A way to reach phones: apps with a key, or older apps, whose notifications the push service can read. */
export interface Road<D extends Owned = DeviceRow | TokenRow> {
  readonly isOpen: boolean;
  /** Devices of active users, by ID. */
  readonly devices: (tx: RealmReadTx, ids: readonly UserId[], page?: DevicePage) => Promise<readonly D[]>;
  readonly send: (
    context: Context,
    realmId: RealmId,
    parcels: readonly Parcel<D>[],
    pending?: Pending,
  ) => Promise<Sent<D>>;
}

export const sealedRoad: Road<DeviceRow> = { isOpen: false, devices: devicesOf, send: sendParcels };
export const openRoad: Road<TokenRow> = { isOpen: true, devices: tokensOf, send: sendOpenParcels };
/** Browsers and UnifiedPush apps, each with a push service of its own choice, which cannot read the content. */
export const webRoad: Pick<Road<SubscriptionRow>, 'isOpen' | 'devices'> = { isOpen: false, devices: subscriptionsOf };
