import { type ConversationKey, keyOf } from '../../model/index.ts';

interface Topic {
  readonly channelId: number;
  readonly topic: string;
}

interface Sources {
  /** The one that is open, if it is of this channel. */
  readonly opened: Topic | undefined;
  readonly unread: readonly Topic[];
  /** All of the channel, the newest first; empty unless the channel is open. */
  readonly newest: readonly Topic[];
}

/** The topics under a channel, in the order of their newest messages, at most so many; the one that is open is among them. */
export function topicsShown({ opened, unread, newest }: Sources, most: number): ReadonlyMap<ConversationKey, Topic> {
  const isNewest = new Set(newest.map(keyOf));
  // What the list does not have yet was written just now, or is about to be.
  const fresh = [...(opened ? [opened] : []), ...unread].filter((one) => !isNewest.has(keyOf(one)));
  const all = new Map([...fresh, ...newest].map((one) => [keyOf(one), one]));
  const shown = [...all].slice(0, most);
  const key = opened && keyOf(opened);
  if (opened && key !== undefined && !shown.some(([one]) => one === key)) shown.splice(-1, 1, [key, opened]);
  return new Map(shown);
}
