import { useRef, useState } from 'preact/hooks';
import { conversationHash } from '../../addresses/index.ts';
import { useClient } from '../../client/index.ts';
import { ChannelRecipient, Dock, RestingComposer } from '../../compose/index.ts';
import { t } from '../../words/index.ts';
import { overlay } from '../overlays/open.ts';
import { channelLook, topicName } from '../shown.ts';
import { ConversationComposer } from './conversation-composer.tsx';

/** Begins a topic of a channel: its name, and the first message. */
export function NewTopicComposer({ channelId }: { readonly channelId: number }) {
  const client = useClient();
  const look = channelLook(client, channelId);
  const [isOpen, setOpen] = useState(false);
  const [topic, setTopic] = useState('');
  const input = useRef<HTMLInputElement>(null);
  if (!isOpen)
    return (
      <Dock>
        <RestingComposer placeholder={t('compose.startTopic', { channel: look.name })} onOpen={() => setOpen(true)} />
      </Dock>
    );
  const conversation = { channelId, topic: topic.trim() };
  return (
    <ConversationComposer
      conversation={conversation}
      name={topicName(client, topic)}
      onSent={() => (location.hash = conversationHash(conversation, client.names))}
      to={
        <ChannelRecipient
          channel={look}
          onChannel={() => (overlay.value = 'palette')}
          topic={topic}
          onTopic={setTopic}
          topicRef={input}
          onTopicKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            input.current?.closest('form')?.querySelector('textarea')?.focus();
          }}
          onClose={() => setOpen(false)}
        />
      }
    />
  );
}
