interface UserTopic {
  readonly stream_id: number;
  readonly topic_name: string;
  readonly last_updated: number;
  readonly visibility_policy: number;
}

type MutedTopics = readonly (readonly [channel: string, topic: string, time: number])[];

/** Policies after a change of one. The order of rows has no meaning; here it is that of the register response. */
export function applyPolicyEvent(
  { user_topics = [] }: { readonly user_topics?: readonly UserTopic[] },
  { stream_id, topic_name, last_updated, visibility_policy }: UserTopic,
): { readonly user_topics: readonly UserTopic[] } {
  const key = topic_name.toLowerCase();
  const rows = user_topics.filter((row) => row.stream_id !== stream_id || row.topic_name.toLowerCase() !== key);
  if (visibility_policy !== 0) rows.push({ stream_id, topic_name, last_updated, visibility_policy });
  return { user_topics: rows.toSorted(byPlace) };
}

/** Muted topics in the old form after an event, which has all of them. */
export function applyMutedTopics(_state: object, { muted_topics }: { readonly muted_topics: MutedTopics }) {
  return { muted_topics };
}

interface ChannelEvent {
  /** The name of the channel before an update. */
  readonly name?: string;
  readonly property?: string;
  readonly value?: unknown;
}

/** Muted topics in the old form after a channel was renamed, which they have by its name. */
export function applyChannelName(
  { muted_topics }: { readonly muted_topics?: MutedTopics },
  { property, name, value }: ChannelEvent,
): { readonly muted_topics?: MutedTopics } {
  if (property !== 'name' || !muted_topics) return {};
  const renamed = (channel: string) => (channel === name ? String(value) : channel);
  return { muted_topics: muted_topics.map(([channel, topic, time]) => [renamed(channel), topic, time]) };
}

function byPlace(a: UserTopic, b: UserTopic): number {
  if (a.stream_id !== b.stream_id) return a.stream_id - b.stream_id;
  const [one, other] = [a.topic_name.toLowerCase(), b.topic_name.toLowerCase()];
  return one < other ? -1 : Number(one > other);
}
