import { type Client, showNotice, useClient } from '../../client/index.ts';
import { inConversation, type Message } from '../../messages/index.ts';
import { conversationOf } from '../../model/index.ts';
import { Menu, type MenuItem } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { ask, type MessageDialog } from '../overlays/open.ts';
import { noticeFailure } from '../notice-failure.ts';
import { writeTo } from '../write-to.ts';
import { copyText } from './copy.ts';
import type { MessageActing } from './message-actions.tsx';
import { mayDelete, mayMove } from './message-rights.ts';
import { MessageSheet } from './message-sheet.tsx';
import { addressOf, quoted, sourceOf } from './quoting.ts';

interface MessageMenuProps extends Pick<MessageActing, 'onStar' | 'onEdit'> {
  readonly message: Message;
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
}

/** The menu of a message; actions that the reader may not take are absent. */
export function MessageMenu({ message, anchor, onClose, ...acting }: MessageMenuProps) {
  const groups = groupsOf(useClient(), message);
  if (matchMedia('(pointer: coarse)').matches)
    return (
      <MessageSheet
        message={message}
        anchor={anchor}
        first={edgeItems(message, acting)}
        groups={groups}
        onClose={onClose}
      />
    );
  return <Menu label={t('message.actions')} anchor={anchor} align="end" groups={groups} onClose={onClose} />;
}

/** The actions of the toolbar, which touch screens do not have. */
function edgeItems(
  { flags }: Message,
  { onStar, onEdit }: Pick<MessageActing, 'onStar' | 'onEdit'>,
): readonly MenuItem[] {
  const star = t(flags.includes('starred') ? 'message.unstar' : 'message.star');
  return [
    ...(onStar ? [{ label: star, icon: 'star' as const, onChoose: onStar }] : []),
    ...(onEdit ? [{ label: t('message.edit'), icon: 'pencil' as const, onChoose: onEdit }] : []),
  ];
}

/** Whether the viewer may open a dialog about a message, for its menu and for keys. */
export function mayAsk(client: Client, message: Message, dialog: MessageDialog): boolean {
  const { model } = client;
  if (model.me === 0 && dialog !== 'history') return false;
  switch (dialog) {
    case 'history': {
      const wasChanged = message.last_edit_timestamp !== undefined || message.last_moved_timestamp !== undefined;
      return wasChanged && model.facts.get('realm_allow_edit_history') === true;
    }
    case 'move': {
      const { topic, channel } = mayMove(client, message);
      return topic || channel;
    }
    case 'receipts':
      return model.facts.get('realm_enable_read_receipts') === true;
    case 'report':
      return (model.facts.get('realm_moderation_request_channel_id') ?? -1) !== -1 && message.sender_id !== model.me;
    case 'why':
      return message.sender_id !== model.me;
    default:
      return true;
  }
}

function groupsOf(client: Client, message: Message): readonly (readonly MenuItem[])[] {
  const isMember = client.model.me !== 0;
  const item = (isThere: boolean, one: MenuItem) => (isThere ? [one] : []);
  const asks = (dialog: MessageDialog, one: Omit<MenuItem, 'onChoose'>) =>
    item(mayAsk(client, message, dialog), { ...one, onChoose: () => ask(dialog, message) });
  const does = (run: (client: Client, message: Message) => Promise<unknown>) => () =>
    void noticeFailure(client, run(client, message));
  const isCollapsed = message.flags.includes('collapsed');
  return [
    [
      ...item(isMember, { label: t('message.quote'), icon: 'reply', keys: '>', onChoose: does(quote) }),
      ...asks('forward', { label: t('menu.forward'), icon: 'forward', keys: 'f' }),
      ...asks('remind', { label: t('menu.remind'), icon: 'bellclock' }),
      ...item(isMember, { label: t('menu.unreadFrom'), icon: 'eye', keys: 'Shift U', onChoose: does(unreadFrom) }),
    ],
    [
      { label: t('menu.copyLink'), icon: 'link', keys: 'Shift L', onChoose: does(copyLink) },
      { label: t('menu.copyText'), icon: 'copy', onChoose: does(copySource) },
      ...asks('history', { label: t('menu.history'), icon: 'clock', keys: 'Shift H' }),
      ...asks('receipts', { label: t('menu.receipts'), icon: 'read', keys: 'Shift V' }),
      ...asks('why', { label: t('menu.why'), icon: 'bell' }),
    ],
    [
      ...item(isMember, {
        label: t(isCollapsed ? 'menu.uncollapse' : 'menu.collapse'),
        icon: 'expand',
        keys: '-',
        onChoose: does(collapse),
      }),
      ...asks('move', { label: t('menu.move'), icon: 'move', keys: 'm' }),
      ...asks('report', { label: t('menu.report'), icon: 'flag' }),
      ...item(mayDelete(client, message), {
        label: t('menu.delete'),
        icon: 'trash',
        keys: 'Delete',
        isBad: true,
        onChoose: () => client.deleting.start(message.id),
      }),
    ],
  ];
}

/** Quotes a message in the composer of its conversation, and goes there, unless one has gone elsewhere meanwhile. */
export async function quote(client: Client, message: Message): Promise<void> {
  const conversation = conversationOf(message);
  const { hash } = location;
  const isOpen = client.drafts.insert(conversation, await quoted(client, message));
  if (!isOpen && location.hash === hash) writeTo(client, conversation);
}

export async function copyLink(client: Client, message: Message): Promise<void> {
  if (await copyText(addressOf(client, message))) showNotice(client, t('message.linkCopied'), false);
}

async function copySource(client: Client, message: Message): Promise<void> {
  if (await copyText(await sourceOf(client, message))) showNotice(client, t('message.copied'), false);
}

export function unreadFrom(client: Client, message: Message): Promise<void> {
  return client.reading.unreadFrom(inConversation(conversationOf(message)), message.id);
}

/** Folds a message to one line, or unfolds it, in every browser of the person. */
export async function collapse({ api }: Client, message: Message): Promise<void> {
  const op = message.flags.includes('collapsed') ? 'remove' : 'add';
  await api.call('POST', '/messages/flags', { messages: [message.id], op, flag: 'collapsed' });
}
