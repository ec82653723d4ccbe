import { type MessageRow, readBy } from '#features/messages';
import { MAX_PARCELS, type Parcel } from '#features/push-devices';
import type { Context } from '#kernel/context';
import type { Trigger } from '../rules.ts';
import type { MessageId, UserId } from '#kernel/ids';
import { readPushContent, realmOf } from './payload.ts';
import { pushedAmong, subscribedAmong } from './queries.ts';
import type { Owned, Road } from './again.ts';

/** Somebody who is to be shown a message, and why. */
export type Recipient = readonly [userId: UserId, trigger: Trigger];

/** A message that is to be shown to some people. */
export interface Showing {
  readonly message_id: MessageId;
  readonly people: readonly Recipient[];
  /** Devices up to this ID are done. */
  readonly after: number;
}

/** Messages that are to vanish from somebody's devices. */
export interface Removal {
  readonly user_id: UserId;
  readonly message_ids: readonly MessageId[];
}

/** What one request to the push service carries. */
interface Load<D> {
  readonly parcels: readonly Parcel<D>[];
  /** The last device of a full request; undefined when all are in. */
  readonly next: number | undefined;
}

/**
 * A message for the devices of some people after the device `after`. What they may see is looked up anew: since it was
 * decided, they may have read it, left the channel or gone, and the message may have another content or none.
 */
export async function loadFor<D extends Owned>(
  context: Context,
  road: Pick<Road<D>, 'devices' | 'isOpen'>,
  message: MessageRow,
  people: readonly Recipient[],
  after: number,
): Promise<Load<D>> {
  const realm = await realmOf(context, message.realm_id);
  if (realm.isDeactivated) return { parcels: [], next: undefined };
  const ids = people.map(([userId]) => userId);
  const triggers = new Map(people);
  return context.store.in(realm).read(async (tx) => {
    const [pushed, subscribed] = [await pushedAmong(tx, message, ids), await subscribedAmong(tx, message, ids)];
    const read = await readBy(tx, ids, [message]);
    const wanted = ids.filter((id) => pushed.has(id) && subscribed.has(id) && !read.get(id)?.has(message.id));
    // A request for older apps reaches all devices of a person, so they are not divided.
    const page = road.isOpen ? undefined : { after, limit: MAX_PARCELS };
    const devices = await road.devices(tx, wanted, page);
    if (devices.length === 0) return { parcels: [], next: undefined };
    const owners = [...new Set(devices.map((device) => device.user_id))];
    const tell = await readPushContent(context, tx, message, { owners, isOpen: road.isOpen });
    const parcels = devices.map((device): Parcel<D> => {
      return { device, payload: tell(device.user_id, triggers.get(device.user_id)), priority: 'high' };
    });
    return { parcels, next: page && devices.length === MAX_PARCELS ? devices.at(-1)?.id : undefined };
  });
}
