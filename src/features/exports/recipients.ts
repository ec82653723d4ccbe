import type { Scope } from './scope.ts';

/** Kinds of recipients in the format. */
const Kind = { personal: 1, channel: 2, group: 3 } as const;

/** A recipient in the format: somebody, a channel, or a group of three and more. */
interface Recipient {
  readonly id: number;
  readonly type: number;
  readonly type_id: number;
}

/** Recipients of messages in the format, in which a direct message to one person has that person as its recipient. */
export interface Recipients {
  readonly list: readonly Recipient[];
  /** The groups of three people and more. */
  readonly groups: readonly (readonly [id: number, people: readonly number[]])[];
  readonly personal: (userId: number) => number;
  /** The recipient of a message that somebody sent. */
  readonly of: (recipientId: number, senderId: number) => number;
}

/** Gives each user a recipient ID above all existing ones, and keeps the IDs of channels and groups. */
export function recipientsOf({
  users,
  channels,
  conversations,
}: Pick<Scope, 'users' | 'channels' | 'conversations'>): Recipients {
  const groups = [...conversations].filter(([, people]) => people.length > 2);
  const newest = Math.max(0, ...channels.map((row) => row.recipient_id), ...conversations.keys());
  const personal = (userId: number) => newest + userId;
  return {
    groups,
    personal,
    list: [
      ...channels.map((row) => ({ id: row.recipient_id, type: Kind.channel, type_id: row.id })),
      ...groups.map(([id]) => ({ id, type: Kind.group, type_id: id })),
      ...users.map(({ id }) => ({ id: personal(id), type: Kind.personal, type_id: id })),
    ],
    of: (recipientId, senderId) => {
      const people = conversations.get(recipientId);
      if (people === undefined || people.length > 2) return recipientId;
      return personal(people.find((userId) => userId !== senderId) ?? senderId);
    },
  };
}
