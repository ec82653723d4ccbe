import { type Client, useClient } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import { faceOf } from '../shown.ts';
import { told } from '../told.ts';
import { nextIndex, type PollState, type TodoState } from './widget-state.ts';
import { Poll, Todo } from './widgets.tsx';

interface MessageWidgetProps {
  readonly message: Message;
  readonly widget: PollState | TodoState;
}

/** A poll or a to-do list in place of the words that made it. */
export function MessageWidget({ message, widget }: MessageWidgetProps) {
  const client = useClient();
  const { me } = client.model;
  const add = (data: object) => void told(client, addPart(client, message, data));
  if (widget.kind === 'todo') {
    const keys = widget.tasks.map(({ key }) => key);
    return (
      <Todo
        title={widget.title}
        tasks={widget.tasks}
        onTick={({ key }) => add({ type: 'strike', key })}
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
      onVote={({ key, isOwn }) => add({ type: 'vote', key, vote: isOwn ? -1 : 1 })}
      onAdd={(option) => add({ type: 'new_option', option, idx: nextIndex(keys, me) })}
    />
  );
}

function addPart({ api }: Client, { id }: Message, data: object): Promise<unknown> {
  return api.call('POST', '/submessage', { message_id: id, msg_type: 'widget', content: JSON.stringify(data) });
}
