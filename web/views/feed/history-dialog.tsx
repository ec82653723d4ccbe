import { useEffect, useState } from 'preact/hooks';
import { CallFailure } from '../../api/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import { Dialog, ListSkeleton } from '../../ui/index.ts';
import { fullDate, t } from '../../words/index.ts';
import { RenderedBody } from '../rendered-body.tsx';
import { channelLook, faceOf, timeStyle, topicName } from '../shown.ts';

type Form = Awaited<ReturnType<typeof fetchForms>>[number];

async function fetchForms({ api }: Client, message_id: Message['id']) {
  const parameters = { message_id, allow_empty_topic_name: true };
  return (await api.call('GET', '/messages/{message_id}/history', parameters)).message_history;
}

interface HistoryDialogProps {
  readonly message: Message;
  readonly onClose: () => void;
}

/** The forms that a message has had, the present one first. */
export function HistoryDialog({ message, onClose }: HistoryDialogProps) {
  const client = useClient();
  const [forms, setForms] = useState<readonly Form[]>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    fetchForms(client, message.id).then(
      (found) => setForms(found.toReversed()),
      (error: unknown) => setFault(error instanceof CallFailure ? error.message : String(error)),
    );
  }, [client, message.id]);
  return (
    <Dialog title={t('menu.history')} onClose={onClose}>
      {fault !== undefined && (
        <p class="err" role="alert">
          {fault}
        </p>
      )}
      {!forms && fault === undefined && <ListSkeleton count={2} />}
      {forms?.map((form, index) => (
        <section key={index}>
          <p class="quiet">{titleOf(client, message, form)}</p>
          {movedFrom(client, form).map((line) => (
            <p key={line}>{line}</p>
          ))}
          <RenderedBody html={form.rendered_content} />
        </section>
      ))}
    </Dialog>
  );
}

function titleOf(client: Client, message: Message, { user_id, timestamp }: Form): string {
  const { name } = faceOf(client, user_id ?? message.sender_id);
  return t('message.by', { name, time: fullDate(timestamp, timeStyle(client)) });
}

/** What was said of a form besides its words: from where it came. */
function movedFrom(client: Client, { prev_topic, prev_stream, topic }: Form): readonly string[] {
  return [
    ...(prev_stream === undefined ? [] : [t('history.channel', { from: channelLook(client, prev_stream).name })]),
    ...(prev_topic === undefined
      ? []
      : [t('history.topic', { from: topicName(client, prev_topic), to: topicName(client, topic) })]),
  ];
}
