declare const brand: unique symbol;

/** A number that names one kind of thing only; made by decoding a request or by reading a row. */
export type Id<Name extends string> = number & { readonly [brand]: Name };

export type RealmId = Id<'Realm'>;
export type UserId = Id<'User'>;
export type GroupId = Id<'Group'>;
export type ChannelId = Id<'Channel'>;
/** A conversation: a channel, or a set of people. */
export type RecipientId = Id<'Recipient'>;
export type MessageId = Id<'Message'>;
/** Messages that were moved together, for those who received them by that. */
export type DeliveryId = Id<'Delivery'>;

/** Largest ID a client may send; anything above names an unknown thing (protocol/wire#routes). */
export const MAX_ID = 2_147_483_647;

/** An object with a value for each of the keys. */
export function recordOf<const K extends string, V>(keys: readonly K[], valueOf: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<K, V>;
}

type Having<T, M extends string> = {
  readonly [K in keyof T as T[K] extends Readonly<Record<M, unknown>> ? K : never]: T[K];
};

/** Returns the members of a record whose values have a member of this name. */
export function having<T extends object, const M extends string>(record: T, member: M): Having<T, M> {
  const members = Object.entries<object>(record as Record<string, object>).filter(([, value]) =>
    Object.hasOwn(value, member),
  );
  return Object.fromEntries(members) as Having<T, M>;
}

/** Brands a number that came from a row, a request or a test as an ID. */
export function asId<T extends Id<string>>(value: number): T {
  return value as T;
}
