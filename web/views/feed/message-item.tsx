import { useState } from 'preact/hooks';
import { conversationHash } from '../../addresses/index.ts';
import { CallFailure } from '../../api/index.ts';
import { useClient } from '../../client/index.ts';
import { EditForm } from '../../compose/edit-form.tsx';
import type { Message } from '../../messages/index.ts';
import { conversationOf } from '../../model/index.ts';
import { emojiCharacter } from '../../rendered/index.ts';
import { fullDate, timeOfDay } from '../../words/index.ts';
import { RenderedBody } from '../rendered-body.tsx';
import { faceOf, timeStyle } from '../shown.ts';
import { MessageActions } from './message-actions.tsx';
import { MessageMenu, quote } from './message-menu.tsx';
import { MessageRow } from './message-row.tsx';
import { Reactions, type ShownReaction } from './reactions.tsx';
import { told } from '../told.ts';

interface MessageItemProps {
  readonly id: number;
  readonly isFirst: boolean;
  readonly isTarget: boolean;
}

/** A message with what can be done about it. It is drawn again when this message changes, and by nothing else. */
export function MessageItem({ id, isFirst, isTarget }: MessageItemProps) {
  const client = useClient();
  const [isHovered, setHovered] = useState(false);
  const [draft, setDraft] = useState<string>();
  const [menu, setMenu] = useState<HTMLElement>();
  const message = client.messages.table.get(id);
  if (!message) return null;
  const style = timeStyle(client);
  const act = actionsOf(client, message);
  const edit = async () =>
    setDraft((await client.api.call('GET', '/messages/{message_id}', { message_id: id })).raw_content);
  const isMember = client.model.me !== 0;
  const mayEdit =
    message.sender_id === client.model.me && client.model.facts.get('realm_allow_message_editing') === true;
  return (
    <MessageRow
      id={String(id)}
      sender={faceOf(client, message.sender_id)}
      time={{
        text: timeOfDay(message.timestamp, style),
        iso: new Date(message.timestamp * 1000).toISOString(),
        full: fullDate(message.timestamp, style),
      }}
      href={conversationHash(conversationOf(message), client.names, id)}
      isFirst={isFirst}
      isTarget={isTarget}
      isStarred={message.flags.includes('starred')}
      isForYou={message.flags.some((flag) => flag === 'mentioned' || flag.endsWith('wildcard_mentioned'))}
      isAction={message.is_me_message}
      edit={
        message.last_edit_timestamp === undefined
          ? undefined
          : { kind: 'edited', when: fullDate(message.last_edit_timestamp, style) }
      }
      onHover={setHovered}
      onFocus={() => setHovered(true)}
      onBlur={() => setHovered(false)}
      foot={<MessageReactions message={message} onToggle={act.react} />}
      actions={
        (isHovered || menu) &&
        draft === undefined && (
          <>
            <MessageActions
              isStarred={message.flags.includes('starred')}
              onReact={isMember ? () => act.react(THUMBS_UP) : undefined}
              onQuote={isMember ? () => void told(client, quote(client, message)) : undefined}
              onStar={isMember ? act.star : undefined}
              onEdit={mayEdit ? () => void told(client, edit()) : undefined}
              onMenu={setMenu}
            />
            {menu && <MessageMenu message={message} anchor={menu} onClose={() => setMenu(undefined)} />}
          </>
        )
      }
    >
      {draft === undefined ? (
        <RenderedBody html={message.content} />
      ) : (
        <EditMessage message={message} text={draft} onDone={() => setDraft(undefined)} />
      )}
    </MessageRow>
  );
}

const THUMBS_UP = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' } as const;

interface Emoji {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
}

function actionsOf(client: ReturnType<typeof useClient>, message: Message) {
  const { api, model } = client;
  const message_id = Number(message.id);
  return {
    react: ({ emoji_name, emoji_code, reaction_type }: Emoji) => {
      const isOwn = message.reactions.some((one) => one.user_id === model.me && one.emoji_code === emoji_code);
      const parameters = { message_id, emoji_name, emoji_code, reaction_type };
      const path = '/messages/{message_id}/reactions';
      void told(client, isOwn ? api.call('DELETE', path, parameters) : api.call('POST', path, parameters));
    },
    star: () => {
      const op = message.flags.includes('starred') ? 'remove' : 'add';
      void told(client, api.call('POST', '/messages/flags', { messages: [message_id], op, flag: 'starred' }));
    },
  };
}

function MessageReactions({
  message,
  onToggle,
}: {
  readonly message: Message;
  readonly onToggle: (emoji: Emoji) => void;
}) {
  const client = useClient();
  const byEmoji = new Map<string, Message['reactions']>();
  for (const one of message.reactions) {
    const key = `${one.reaction_type} ${one.emoji_code}`;
    byEmoji.set(key, [...(byEmoji.get(key) ?? []), one]);
  }
  const showsNames = client.model.facts.get('user_settings')?.display_emoji_reaction_users === true;
  const shown = [...byEmoji].flatMap(([key, all]): (ShownReaction & { readonly emoji: Emoji })[] => {
    const [first] = all;
    if (!first) return [];
    const names = all.map((one) => faceOf(client, one.user_id).name);
    return [
      {
        key,
        emoji: first,
        emojiName: first.emoji_name.replaceAll('_', ' '),
        picture: emojiCharacter(first.emoji_code) ?? `:${first.emoji_name}:`,
        count: all.length,
        isOwn: all.some((one) => one.user_id === client.model.me),
        ...(showsNames && all.length <= 3 && { names }),
      },
    ];
  });
  return (
    <Reactions
      reactions={shown}
      onToggle={({ key }) => {
        const chosen = shown.find((one) => one.key === key);
        if (chosen) onToggle(chosen.emoji);
      }}
    />
  );
}

function EditMessage(props: { readonly message: Message; readonly text: string; readonly onDone: () => void }) {
  const { api } = useClient();
  const [text, setText] = useState(props.text);
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    if (text === props.text) return props.onDone();
    setBusy(true);
    try {
      await api.call('PATCH', '/messages/{message_id}', { message_id: props.message.id, content: text });
      props.onDone();
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      setFault(error.message);
      setBusy(false);
    }
  };
  return (
    <EditForm
      text={text}
      onText={setText}
      onSave={() => void save()}
      onCancel={props.onDone}
      onTool={() => undefined}
      isPreview={false}
      onPreview={() => undefined}
      busy={isBusy}
      fault={fault}
    />
  );
}
