import { type MessageRow, readBy } from '#features/messages';
import { MAX_PARCELS, type Parcel } from '#features/push-devices';
import { loadRealm } from '#features/realms';
import type { Context } from '#kernel/context';
import type { MessageId, UserId } from '#kernel/ids';
import type { Trigger } from '../rules.ts';
import type { Owned, Road } from './again.ts';
import { readPushContent } from './payload.ts';
import { pushedAmong, subscribedAmong } from './queries.ts';

/** A user to notify, and the reason. */
export type Recipient = readonly [userId: UserId, trigger: Trigger];

/** A message to show to some people. */
export interface Showing {
  readonly message_id: MessageId;
  readonly people: readonly Recipient[];
  /** Devices up to this ID have been handled. */
  readonly after: number;
}

/** Messages to remove from somebody's devices. */
export interface Removal {
  readonly user_id: UserId;
  readonly message_ids: readonly MessageId[];
}

/** The contents of one request to the push service. */
interface Load<D> {
  readonly parcels: readonly Parcel<D>[];
  /** The last device of a full request; undefined if it contains all. */
  readonly next: number | undefined;
}

/**
 * Builds a request about a message for people's devices after the device `after`. Permissions are checked again: since
 * the decision, people may have read the message, left the channel or been deactivated, and the message may have been
 * edited or deleted.
 */
export async function loadFor<D extends Owned>(
  context: Context,
  road: Pick<Road<D>, 'devices' | 'isOpen'>,
  message: MessageRow,
  { people, after }: Pick<Showing, 'people' | 'after'>,
): Promise<Load<D>> {
  const realm = await loadRealm(context, message.realm_id);
  if (realm.isDeactivated) return { parcels: [], next: undefined };
  const ids = people.map(([userId]) => userId);
  const triggers = new Map(people);
  return context.store.in(realm).read(async (tx) => {
    const [pushed, subscribed] = [await pushedAmong(tx, message, ids), await subscribedAmong(tx, message, ids)];
    const read = await readBy(tx, ids, [message]);
    const wanted = ids.filter((id) => pushed.has(id) && subscribed.has(id) && !read.get(id)?.has(message.id));
    // A request for older apps reaches all devices of a person, so devices are not paged.
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
