import { useClient } from '../../client/index.ts';
import { keyOf, Policy } from '../../model/index.ts';
import { IconButton } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { openTopicMenu } from '../overlays/open.ts';
import { setPolicy } from './policy.ts';
import { mayResolve, resolveTopic, type Topic } from './resolve.ts';
import { isResolved } from './resolving.ts';

/** Tools in the header of a topic: follow, resolve, and the menu. */
export function TopicTools({ topic }: { readonly topic: Topic }) {
  const client = useClient();
  const isFollowed = client.model.policies.get(keyOf(topic)) === Policy.followed;
  return (
    <>
      <span class="wide-only">
        <IconButton
          icon="follow"
          label={t(isFollowed ? 'head.following' : 'head.follow')}
          pressed={isFollowed}
          onPress={() => void setPolicy(client, topic, isFollowed ? Policy.none : Policy.followed)}
        />
      </span>
      {mayResolve(client, topic) && (
        <span class="wide-only">
          <IconButton
            icon="resolve"
            label={t(isResolved(topic.topic) ? 'head.unresolve' : 'head.resolve')}
            pressed={isResolved(topic.topic)}
            onPress={() => void resolveTopic(client, topic)}
          />
        </span>
      )}
      <IconButton
        icon="more"
        label={t('head.topicMenu')}
        popup="menu"
        onPress={({ currentTarget }) => currentTarget instanceof HTMLElement && openTopicMenu(topic, currentTarget)}
      />
    </>
  );
}
