import { type ConversationKey, keyOf } from '../../model/index.ts';

interface Topic {
  readonly channelId: number;
  readonly topic: string;
}

interface Sources {
  /** The open topic, if it is of this channel. */
  readonly opened: Topic | undefined;
  readonly unread: readonly Topic[];
  /** All topics of the channel, the newest first; empty unless the channel is open. */
  readonly newest: readonly Topic[];
}

/** Returns at most `most` topics of a channel by newest message; the open topic is always among them. */
export function topicsShown({ opened, unread, newest }: Sources, most: number): ReadonlyMap<ConversationKey, Topic> {
  const isNewest = new Set(newest.map(keyOf));
  // Topics that the fetched list lacks are new, or about to be created.
  const fresh = [...(opened ? [opened] : []), ...unread].filter((one) => !isNewest.has(keyOf(one)));
  const all = new Map([...fresh, ...newest].map((one) => [keyOf(one), one]));
  const shown = [...all].slice(0, most);
  const key = opened && keyOf(opened);
  if (opened && key !== undefined && !shown.some(([one]) => one === key)) shown.splice(-1, 1, [key, opened]);
  return new Map(shown);
}
