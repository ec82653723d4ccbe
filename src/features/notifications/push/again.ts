import {
  type DeviceRow,
  type Parcel,
  sendOpenParcels,
  sendParcels,
  type Sent,
  type Standing,
  type TokenRow,
} from '#features/push-devices';
import { type SubscriptionRow, subscriptionsOf } from '#features/push-subscriptions';
import { backOff, type Clock } from '#kernel/clock';
import type { Context } from '#kernel/context';
import type { RealmId, UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { type DevicePage, devicesOf, tokensOf } from './queries.ts';

/** Times that a notification is brought to a push service before it is given up: about a day. */
export const MAX_TRIES = 12;

/** Seconds until the next try. */
export function pauseAfter(clock: Pick<Clock, 'random'>, tries: number): number {
  return backOff(clock, tries, { first: 4, last: 3_600 });
}

/** A device, and whose it is. */
export interface Owned {
  readonly id: number;
  readonly user_id: UserId;
}

/** A way to phones: to apps that have a key, or to older ones, whose notifications the push service can read. */
export interface Road<D extends Owned = DeviceRow | TokenRow> {
  readonly isOpen: boolean;
  /** Devices of active users, by ID. */
  readonly devices: (tx: RealmReadTx, ids: readonly UserId[], page?: DevicePage) => Promise<readonly D[]>;
  readonly send: (
    context: Context,
    realmId: RealmId,
    parcels: readonly Parcel<D>[],
    standing?: Standing,
  ) => Promise<Sent<D>>;
}

export const sealedRoad: Road<DeviceRow> = { isOpen: false, devices: devicesOf, send: sendParcels };
export const openRoad: Road<TokenRow> = { isOpen: true, devices: tokensOf, send: sendOpenParcels };
/** To browsers and UnifiedPush apps, each through a push service of its own choice, which reads nothing. */
export const webRoad: Pick<Road<SubscriptionRow>, 'isOpen' | 'devices'> = { isOpen: false, devices: subscriptionsOf };
