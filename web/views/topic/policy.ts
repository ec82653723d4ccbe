import type { Client } from '../../client/index.ts';
import { keyOf, Policy } from '../../model/index.ts';
import { t } from '../../words/index.ts';
import { topicName } from '../shown.ts';
import { undoable } from '../undoing.ts';
import type { Topic } from './resolve.ts';

export type PolicyNumber = (typeof Policy)[keyof typeof Policy];

const DONE = {
  [Policy.none]: 'topicMenu.isPlain',
  [Policy.muted]: 'topicMenu.isMuted',
  [Policy.unmuted]: 'topicMenu.isUnmuted',
  [Policy.followed]: 'topicMenu.isFollowed',
} as const;

/** Sets the viewer's policy for a topic, and offers to restore the previous one. */
export function setPolicy(client: Client, { channelId: stream_id, topic }: Topic, policy: PolicyNumber) {
  const about = keyOf({ channelId: stream_id, topic });
  const known = client.model.policies.peek(about);
  const before = Object.values(Policy).find((one) => one === known) ?? Policy.none;
  const set = (visibility_policy: PolicyNumber) => () =>
    client.api.call('POST', '/user_topics', { stream_id, topic, visibility_policy });
  const text = t(DONE[policy], { name: topicName(topic) });
  return undoable(client, { text, about, run: set(policy), undo: set(before) });
}
