import { useEffect } from 'preact/hooks';
import { type TopicOfChannel, useClient } from '../../client/index.ts';

/** Milliseconds after a new message until the list is fetched again. */
const REST_MS = 3000;

/**
 * Returns the topics of a channel, the newest first, updated while they are shown; undefined until they are fetched.
 */
export function useTopics(channelId: number, isWanted = true): readonly TopicOfChannel[] | undefined {
  const { topics, model, clock } = useClient();
  const newest = isWanted ? model.facts.get('max_message_id') : 0;
  useEffect(() => {
    if (isWanted) void topics.refresh(channelId);
  }, [topics, channelId, isWanted]);
  useEffect(() => {
    if (!isWanted) return;
    const stop = new AbortController();
    void clock.sleep(REST_MS, stop.signal).then(() => {
      if (!stop.signal.aborted) void topics.refresh(channelId, true);
    });
    return () => stop.abort();
  }, [topics, channelId, newest, isWanted]);
  return topics.watch(channelId).value;
}
