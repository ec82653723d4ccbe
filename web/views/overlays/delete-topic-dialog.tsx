import { useEffect, useState } from 'preact/hooks';
import { type Client, showNotice, useClient } from '../../client/index.ts';
import { inConversation, toWireNarrow } from '../../messages/index.ts';
import { Dialog } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';
import { AskingFoot, Fault, useAsking } from '../feed/dialogs/asking.tsx';
import { topicName } from '../shown.ts';
import type { Topic } from '../topic/resolve.ts';
import { closeOverlay } from './open.ts';

/** Most messages that are counted. */
const COUNTED = 1000;
/** Most calls for one deletion; each deletes a thousand messages. */
const MAX_CALLS = 1000;

/** Deletes a topic after saying how many messages go with it, because nothing brings them back. */
export function DeleteTopicDialog({ topic }: { readonly topic: Topic }) {
  const client = useClient();
  const count = useCount(client, topic);
  const { fault, isBusy, run } = useAsking(closeOverlay);
  const name = topicName(topic.topic);
  const remove = () =>
    run(async () => {
      await deleteTopic(client, topic);
      showNotice(client, t('deleteTopic.done', { name }), false);
    });
  return (
    <Dialog
      title={t('deleteTopic.ask', { name })}
      onClose={closeOverlay}
      onSubmit={remove}
      foot={
        <AskingFoot
          label={count === undefined ? t('deleteTopic.do') : t('deleteTopic.doCount', { count })}
          isBad
          isBusy={isBusy}
          onClose={closeOverlay}
        />
      }
    >
      <p>{t('deleteTopic.hint')}</p>
      <Fault text={fault} />
    </Dialog>
  );
}

/** Counts the messages of a topic; undefined until they are counted, and where they are too many to count. */
function useCount(client: Client, topic: Topic): number | undefined {
  const [count, setCount] = useState<number>();
  useEffect(() => {
    const request = {
      narrow: toWireNarrow(inConversation(topic)),
      anchor: 'newest',
      num_before: COUNTED,
      num_after: 0,
      apply_markdown: false,
      client_gravatar: false,
      allow_empty_topic_name: true,
    };
    client.api.call('GET', '/messages', request).then(
      ({ messages, found_oldest }) => found_oldest && setCount(messages.length),
      () => undefined,
    );
  }, [client, topic]);
  return count;
}

async function deleteTopic({ api }: Client, { channelId, topic }: Topic): Promise<void> {
  for (let calls = 0; calls < MAX_CALLS; calls++) {
    const request = { stream_id: channelId, topic_name: topic };
    if ((await api.call('POST', '/streams/{stream_id}/delete_topic', request)).complete) return;
  }
}
