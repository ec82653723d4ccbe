import { useComputed } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { conversationHash } from '../../addresses/index.ts';
import { useClient } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import { conversationOf } from '../../model/index.ts';
import { fullDate, t, timeOfDay } from '../../words/index.ts';
import { leadToField } from '../keys/early.ts';
import { ask, overlay } from '../overlays/open.ts';
import { faceOf, timeStyle } from '../shown.ts';
import { noticeFailure } from '../notice-failure.ts';
import { toggle } from '../toggle.ts';
import { EditMessage } from './edit-message.tsx';
import { type MessageActing, MessageActions } from './message-actions.tsx';
import { MessageBody } from './message-body.tsx';
import { mayAsk, MessageMenu, quote } from './message-menu.tsx';
import { MessageReactions, pickReaction } from './message-reactions.tsx';
import { editableUntil } from './message-rights.ts';
import { MessageRow } from './message-row.tsx';
import { BegunNote, DeletedMessage, MutedMessage } from './message-states.tsx';
import { useRowFocus, useFocusOnNextRow } from './row-focus.ts';
import { useHold } from './use-hold.ts';

interface MessageItemProps {
  readonly id: number;
  readonly isFirst: boolean;
  readonly isTarget: boolean;
  /** The message with the searched words highlighted. */
  readonly match: string | undefined;
  /** Whether a message is no longer in this feed. */
  readonly isGone: (id: number) => boolean;
}

/** A message with its actions. Only a change of this message redraws it. */
export function MessageItem({ id, isFirst, isGone, ...shown }: MessageItemProps) {
  const client = useClient();
  const message = client.messages.table.get(id);
  const [isShown, setShown] = useState(false);
  const deletedAt = useComputed(() => client.deleting.at(id)).value;
  useRowFocus(id, deletedAt === undefined ? 'shown' : 'deleted');
  useFocusOnNextRow(id, isGone);
  if (!message) return null;
  if (deletedAt !== undefined)
    return (
      <DeletedMessage id={String(id)} at={deletedAt} clock={client.clock} onUndo={() => client.deleting.undo(id)} />
    );
  const isMuted = client.model.facts.get('muted_users')?.some((one) => Number(one.id) === message.sender_id) === true;
  if (isMuted && !isShown)
    return (
      <MutedMessage
        id={String(id)}
        time={timeOfDay(message.timestamp, timeStyle(client))}
        onShow={() => setShown(true)}
      />
    );
  return <ShownMessage message={message} isFirst={isFirst || isMuted} {...shown} />;
}

interface ShownMessageProps extends Omit<MessageItemProps, 'id' | 'isGone'> {
  readonly message: Message;
}

/** Texts of the messages whose forms are open, by ID: a row that is drawn again, as after a move, has its form again. */
const edited = new Map<number, string>();

function ShownMessage({ message, isFirst, isTarget, match }: ShownMessageProps) {
  const client = useClient();
  const { id } = message;
  const [isHovered, setHovered] = useState(false);
  const [draft, setDraft] = useState(edited.get(id));
  useRowFocus(Number(id), draft === undefined ? 'shown' : 'edited');
  const [menu, setMenu] = useState<HTMLElement>();
  const row = useRef<HTMLDivElement>(null);
  // The actions stay while a popover anchored to one of them is open.
  const isAnchor = useComputed(() => {
    const open = overlay.value;
    return typeof open === 'object' && 'anchor' in open && row.current?.contains(open.anchor) === true;
  }).value;
  const held = useHold(() => setMenu(row.current?.querySelector('article') ?? undefined));
  const style = timeStyle(client);
  const isMember = client.model.me !== 0;
  const isBegun = useComputed(() => client.edits.has(id)).value && draft === undefined;
  const edit = async () => {
    const was =
      client.edits.find(id)?.was ??
      (await client.api.call('GET', '/messages/{message_id}', { message_id: id })).raw_content;
    edited.set(id, was);
    setDraft(was);
  };
  const close = () => {
    edited.delete(id);
    setDraft(undefined);
  };
  const open = menu !== undefined || isAnchor;
  const acting: MessageActing = {
    ...(isMember && {
      onReact: (anchor) => pickReaction(client, message, anchor),
      onQuote: () => void leadToField(noticeFailure(client, quote(client, message))),
      onStar: () => star(client, message),
    }),
    onEdit:
      editableUntil(client, message) === undefined ? undefined : () => void leadToField(noticeFailure(client, edit())),
  };
  return (
    <div ref={row}>
      <MessageRow
        id={String(id)}
        sender={faceOf(client, message.sender_id)}
        role={roleOf(client, message)}
        time={{
          text: timeOfDay(message.timestamp, style),
          iso: new Date(message.timestamp * 1000).toISOString(),
          full: fullDate(message.timestamp, style),
        }}
        href={conversationHash(conversationOf(message), client.names, id)}
        isFirst={isFirst}
        isOwn={message.sender_id === client.model.me}
        isTarget={isTarget}
        isSelected={open}
        state={draft === undefined ? 'sent' : 'editing'}
        isStarred={message.flags.includes('starred')}
        isForYou={message.flags.some((flag) => flag === 'mentioned' || flag.endsWith('wildcard_mentioned'))}
        isAction={message.is_me_message}
        edit={editMark(client, message)}
        onSender={(anchor) => (overlay.value = { what: 'person', anchor, id: message.sender_id })}
        // The keys of the focused row act through its buttons, so they stay wherever the pointer is.
        onHover={(is) => setHovered(is || row.current?.contains(document.activeElement) === true)}
        onFocus={() => setHovered(true)}
        onBlur={() => setHovered(false)}
        held={held}
        foot={
          <>
            <MessageReactions message={message} />
            {isBegun && <BegunNote onResume={() => void edit()} onDiscard={() => client.edits.forget(id)} />}
          </>
        }
        actions={
          (isHovered || open) &&
          draft === undefined && (
            <>
              <MessageActions isStarred={message.flags.includes('starred')} {...acting} onMenu={setMenu} />
              {menu && <MessageMenu {...acting} message={message} anchor={menu} onClose={() => setMenu(undefined)} />}
            </>
          )
        }
      >
        {draft === undefined ? (
          <MessageBody message={message} html={match ?? message.content} />
        ) : (
          <EditMessage message={message} text={draft} onDone={close} />
        )}
      </MessageRow>
    </div>
  );
}

type Client = ReturnType<typeof useClient>;

function star(client: Client, { id, flags }: Message): void {
  const change = (isOn: boolean) => ({
    messages: [id],
    op: isOn ? ('add' as const) : ('remove' as const),
    flag: 'starred',
  });
  void toggle(client, {
    about: `${id} star`,
    isOn: flags.includes('starred'),
    show: (isOn) => client.messages.apply({ id: 0, type: 'update_message_flags', ...change(isOn) }),
    call: (isOn) => client.api.call('POST', '/messages/flags', change(isOn)),
  });
}

/** "Bot" or "guest"; guests are marked only if the organization wants that. */
function roleOf({ model }: Client, message: Message): string | undefined {
  const user = model.people.table.get(message.sender_id)?.user;
  if (user?.is_bot === true) return t('person.bot');
  const isShown = model.facts.get('realm_enable_guest_user_indicator') === true;
  return user?.is_guest === true && isShown ? t('person.guest') : undefined;
}

function editMark(client: Client, message: Message) {
  const { last_edit_timestamp: edited, last_moved_timestamp: moved } = message;
  const at = edited ?? moved;
  if (at === undefined) return undefined;
  return {
    kind: edited === undefined ? ('moved' as const) : ('edited' as const),
    when: fullDate(at, timeStyle(client)),
    onOpen: mayAsk(client, message, 'history') ? () => ask('history', message) : undefined,
  };
}
