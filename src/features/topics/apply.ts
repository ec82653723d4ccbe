interface UserTopic {
  readonly stream_id: number;
  readonly topic_name: string;
  readonly last_updated: number;
  readonly visibility_policy: number;
}

/** A client's state about topics; each field only if the client asked for it. */
interface TopicsState {
  readonly muted_topics?: readonly (readonly [channel: string, topic: string, time: number])[];
  readonly user_topics?: readonly UserTopic[];
}

type TopicsEvent =
  | { readonly type: 'muted_topics'; readonly muted_topics: NonNullable<TopicsState['muted_topics']> }
  | ({ readonly type: 'user_topic' } & UserTopic)
  | {
      readonly type: 'stream';
      readonly op: string;
      /** The name of a channel before an update. */
      readonly name?: string;
      readonly property?: string;
      readonly value?: unknown;
    };

/** The topics' state after an event. The order of rows has no meaning; here it is that of the register response. */
export function applyTopicEvent(state: TopicsState, event: TopicsEvent): TopicsState {
  if (event.type === 'muted_topics') return { ...state, muted_topics: event.muted_topics };
  if (event.type === 'stream') return event.property === 'name' ? renamed(state, event.name, event.value) : state;
  const { stream_id, topic_name, last_updated, visibility_policy } = event;
  const key = topic_name.toLowerCase();
  const isOther = (row: UserTopic) => row.stream_id !== stream_id || row.topic_name.toLowerCase() !== key;
  const others = (state.user_topics ?? []).filter(isOther);
  const rows = [
    ...others,
    ...(visibility_policy === 0 ? [] : [{ stream_id, topic_name, last_updated, visibility_policy }]),
  ];
  return { ...state, user_topics: rows.toSorted(byPlace) };
}

/** The old form has channels by name. */
function renamed(state: TopicsState, before: unknown, after: unknown): TopicsState {
  const muted_topics = state.muted_topics?.map(
    ([channel, ...rest]) => [channel === before ? String(after) : channel, ...rest] as const,
  );
  return { ...state, ...(muted_topics && { muted_topics }) };
}

function byPlace(a: UserTopic, b: UserTopic): number {
  if (a.stream_id !== b.stream_id) return a.stream_id - b.stream_id;
  const [one, other] = [a.topic_name.toLowerCase(), b.topic_name.toLowerCase()];
  return one < other ? -1 : Number(one > other);
}
