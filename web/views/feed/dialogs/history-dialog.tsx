import { useState } from 'preact/hooks';
import { type Client, useClient } from '../../../client/index.ts';
import type { Message } from '../../../messages/index.ts';
import { Avatar, Dialog, Icon, ListSkeleton } from '../../../ui/index.ts';
import { Segments } from '../../../ui/tabs.tsx';
import { fullDate, shortDay } from '../../../words/index.ts';
import { t } from '../../../words/deferred.ts';
import { useAnswer } from '../../answer.ts';
import { RenderedBody } from '../../rendered-body.tsx';
import { channelLook, faceOf, timeStyle, topicName } from '../../shown.ts';
import { type AskingProps, Fault } from './asking.tsx';

type Form = Awaited<ReturnType<typeof fetchForms>>[number];

async function fetchForms({ api }: Client, message_id: Message['id']) {
  const parameters = { message_id, allow_empty_topic_name: true };
  return (await api.call('GET', '/messages/{message_id}/history', parameters)).message_history;
}

/** The versions of a message, the current one first: as differences, or each as a whole. */
export function HistoryDialog({ message, onClose }: AskingProps) {
  const client = useClient();
  const [shows, setShows] = useState<'changes' | 'whole'>('changes');
  const { found: forms, failure: fault } = useAnswer(
    async () => (await fetchForms(client, message.id)).toReversed(),
    [client, message.id],
  );
  const views = (['changes', 'whole'] as const).map((value) => ({ value, label: t(`history.${value}`) }));
  return (
    <Dialog
      title={t('menu.history')}
      onClose={onClose}
      tools={<Segments label={t('history.show')} options={views} value={shows} onChange={setShows} />}
    >
      <Fault text={fault} />
      {!forms && fault === undefined && <ListSkeleton count={2} />}
      <ol class="vers" role="list">
        {forms?.map((form, index) => (
          <Version key={index} message={message} form={form} isWhole={shows === 'whole'} />
        ))}
      </ol>
    </Dialog>
  );
}

interface VersionProps {
  readonly message: Message;
  readonly form: Form;
  readonly isWhole: boolean;
}

function Version({ message, form, isWhole }: VersionProps) {
  const client = useClient();
  const style = timeStyle(client);
  const { prev_content, prev_topic, prev_stream, content_html_diff, rendered_content, user_id, timestamp } = form;
  const face = faceOf(client, user_id ?? message.sender_id);
  const isMove = prev_topic !== undefined || prev_stream !== undefined;
  const isEdit = prev_content !== undefined;
  return (
    <li class="ver">
      <Avatar face={face} size={28} />
      <div class="grow">
        <p class="by">
          <b dir="auto">{face.name}</b>
          <span class="quiet">{t(isEdit ? 'history.edited' : isMove ? 'history.moved' : 'history.wrote')}</span>
          <time class="quiet" dateTime={new Date(timestamp * 1000).toISOString()} title={fullDate(timestamp, style)}>
            {shortDay(timestamp, client.clock.now() / 1000, style)}
          </time>
        </p>
        {isMove && <Move form={form} message={message} />}
        {(isEdit || !isMove || isWhole) && (
          <div class="body diff">
            <RenderedBody html={isWhole ? rendered_content : (content_html_diff ?? rendered_content)} />
          </div>
        )}
      </div>
    </li>
  );
}

function Move({ form, message }: { readonly form: Form; readonly message: Message }) {
  const client = useClient();
  const { prev_topic, prev_stream, stream, topic } = form;
  const now = stream ?? message.stream_id;
  const place = (id: number | undefined, name: string) => {
    const shown = topicName(name);
    return (
      <>
        {prev_stream !== undefined && id !== undefined && `${channelLook(client, id).name} › `}
        {name === '' ? <em>{shown}</em> : shown}
      </>
    );
  };
  return (
    <p class="moved">
      <span class="del" dir="auto">
        {place(prev_stream, prev_topic ?? topic)}
      </span>
      <Icon name="right" small />
      <span class="sr"> {t('history.to')} </span>
      <span class="ins" dir="auto">
        {place(now, topic)}
      </span>
    </p>
  );
}
