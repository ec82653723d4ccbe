import { type DeviceRow, type Parcel, sendOpenParcels, sendParcels, type TokenRow } from '#features/push-devices';
import type { RealmId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { ReadTx } from '#kernel/store';
import { type DevicePage, devicesOf, tokensOf } from './queries.ts';

/** A way to phones: to apps that have a key, or to older ones, whose notifications the push service can read. */
export interface Road<D extends DeviceRow | TokenRow = DeviceRow | TokenRow> {
  readonly isOpen: boolean;
  /** Devices of active users, by ID. */
  readonly devices: (tx: ReadTx, realmId: RealmId, ids: readonly UserId[], page?: DevicePage) => Promise<readonly D[]>;
  readonly send: (context: Context, realmId: RealmId, parcels: readonly Parcel<D>[]) => ReturnType<typeof sendParcels>;
}

export const sealedRoad: Road<DeviceRow> = { isOpen: false, devices: devicesOf, send: sendParcels };
export const openRoad: Road<TokenRow> = { isOpen: true, devices: tokensOf, send: sendOpenParcels };
