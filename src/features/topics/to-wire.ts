import type { UserTopicRow } from './tables.ts';

type Named = Pick<UserTopicRow, 'topic' | 'last_updated' | 'visibility_policy'> & { readonly channel_name: string };

const MUTED = 1;

/** Muted topics in the old form: name of the channel, topic, time. */
export function mutedTopicsOf(rows: readonly Named[]): [string, string, number][] {
  return rows
    .filter((row) => row.visibility_policy === MUTED)
    .map(({ channel_name, topic, last_updated }) => [channel_name, topic, last_updated]);
}
