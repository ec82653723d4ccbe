import { useState } from 'preact/hooks';
import { useClient } from '../../client/index.ts';
import { Dock, RestingComposer } from '../../compose/index.ts';
import { t } from '../../words/index.ts';
import { channelLook } from '../shown.ts';
import { ConversationComposer } from './conversation-composer.tsx';

/** A composer that starts a topic in a channel: with its name and the first message. */
export function NewTopicComposer({ channelId }: { readonly channelId: number }) {
  const look = channelLook(useClient(), channelId);
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <ConversationComposer conversation={{ channelId, topic: '' }} onClose={() => setOpen(false)} />;
  return (
    <Dock>
      <RestingComposer placeholder={t('compose.startTopic', { channel: look.name })} onOpen={() => setOpen(true)} />
    </Dock>
  );
}
