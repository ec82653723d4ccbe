import type { VNode } from 'preact';
import { type Client, useClient } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import { faceOf } from '../shown.ts';
import { noticeFailure } from '../notice-failure.ts';
import { conversationOf } from '../../model/index.ts';
import { type FormState, nextIndex, type PollState, type TodoState, widgetOf } from './widget-state.ts';
import { Choices, Poll, Todo } from './widgets.tsx';

export interface MessageWidgetProps {
  readonly message: Message;
  /** The text, which is shown where the message has no widget that is known. */
  readonly text: VNode;
}

/** A poll or a to-do list in place of the text that created it. */
export function MessageWidget({ message, text }: MessageWidgetProps) {
  const widget = widgetOf(message.submessages, message.sender_id);
  return widget ? <Widget message={message} widget={widget} /> : text;
}

interface WidgetProps {
  readonly message: Message;
  readonly widget: PollState | TodoState | FormState;
}

function Widget({ message, widget }: WidgetProps) {
  const client = useClient();
  const { me } = client.model;
  const add = (data: object) => noticeFailure(client, addPart(client, message, data));
  if (widget.kind === 'form')
    return (
      <Choices
        {...widget}
        onChoose={({ reply }) => void noticeFailure(client, client.outbox.add(conversationOf(message), reply))}
      />
    );
  if (widget.kind === 'todo') {
    const keys = widget.tasks.map(({ key }) => key);
    return (
      <Todo
        title={widget.title}
        tasks={widget.tasks}
        onTick={({ key }) => void add({ type: 'strike', key })}
        onAdd={(task) => add({ type: 'new_task', key: nextIndex(keys, me), task, desc: '', completed: false })}
      />
    );
  }
  const keys = widget.options.map(({ key }) => key);
  return (
    <Poll
      question={widget.question}
      options={widget.options.map(({ key, text, voters }) => ({
        key,
        text,
        voters: voters.map((id) => faceOf(client, id).name),
        isOwn: voters.includes(me),
      }))}
      onVote={({ key, isOwn }) => void add({ type: 'vote', key, vote: isOwn ? -1 : 1 })}
      onAdd={(option) => add({ type: 'new_option', option, idx: nextIndex(keys, me) })}
    />
  );
}

function addPart({ api }: Client, { id }: Message, data: object): Promise<unknown> {
  return api.call('POST', '/submessage', { message_id: id, msg_type: 'widget', content: JSON.stringify(data) });
}
