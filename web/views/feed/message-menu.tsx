import { useRef, useState } from 'preact/hooks';
import { conversationHash } from '../../addresses/index.ts';
import { type Client, tellNotice, useClient } from '../../client/index.ts';
import { inConversation, type Message } from '../../messages/index.ts';
import { conversationOf } from '../../model/index.ts';
import { Menu, type MenuItem } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { faceOf } from '../shown.ts';
import { copyText } from './copy.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { HistoryDialog } from './history-dialog.tsx';
import { mayDelete } from './message-rights.ts';
import { quoteOf } from './quote.ts';
import { told } from '../told.ts';

interface MessageMenuProps {
  readonly message: Message;
  readonly anchor: HTMLElement;
  /** The menu and what it opened are gone. */
  readonly onClose: () => void;
}

/** Everything that can be done with a message; what the reader may not do is absent. */
export function MessageMenu({ message, anchor, onClose }: MessageMenuProps) {
  const client = useClient();
  const [dialog, setDialog] = useState<'delete' | 'history'>();
  // A menu closes before it says what was chosen.
  const chosen = useRef<'delete' | 'history'>();
  const closed = () => queueMicrotask(() => (chosen.current ? setDialog(chosen.current) : onClose()));
  if (dialog === 'delete') return <DeleteDialog message={message} onClose={onClose} />;
  if (dialog === 'history') return <HistoryDialog message={message} onClose={onClose} />;
  return (
    <Menu
      label={t('message.actions')}
      anchor={anchor}
      align="end"
      groups={groupsOf(client, message, onClose, (dialog) => (chosen.current = dialog))}
      onClose={closed}
    />
  );
}

function groupsOf(
  client: Client,
  message: Message,
  onClose: () => void,
  open: (dialog: 'delete' | 'history') => void,
): readonly (readonly MenuItem[])[] {
  const wasChanged = message.last_edit_timestamp !== undefined || message.last_moved_timestamp !== undefined;
  const hasHistory = wasChanged && client.model.facts.get('realm_allow_edit_history') === true;
  const done = (run: () => Promise<unknown>) => () => {
    onClose();
    void run();
  };
  const onAccount = client.model.me !== 0;
  const item = (isThere: boolean, one: MenuItem) => (isThere ? [one] : []);
  return [
    [
      ...item(onAccount, {
        label: t('message.quote'),
        icon: 'reply',
        onChoose: done(() => told(client, quote(client, message))),
      }),
      { label: t('menu.copyLink'), icon: 'link', onChoose: done(() => copyLink(client, message)) },
      { label: t('menu.copyText'), icon: 'copy', onChoose: done(() => told(client, copySource(client, message))) },
    ],
    [
      ...item(onAccount, {
        label: t('menu.unreadFrom'),
        icon: 'mail',
        onChoose: done(() => told(client, unreadFrom(client, message))),
      }),
      ...item(hasHistory, { label: t('menu.history'), icon: 'clock', onChoose: () => open('history') }),
    ],
    item(mayDelete(client, message), {
      label: t('menu.delete'),
      icon: 'trash',
      isBad: true,
      onChoose: () => open('delete'),
    }),
  ];
}

function addressOf(client: Client, message: Message): string {
  const hash = conversationHash(conversationOf(message), client.names, message.id);
  return new URL(hash, location.origin + location.pathname).href;
}

async function sourceOf({ api }: Client, message: Message): Promise<string> {
  return (await api.call('GET', '/messages/{message_id}', { message_id: message.id })).raw_content ?? '';
}

/** Quotes a message in the conversation that it belongs to, and goes there. */
export async function quote(client: Client, message: Message): Promise<void> {
  const content = await sourceOf(client, message);
  const { name } = faceOf(client, message.sender_id);
  const conversation = conversationOf(message);
  const link = addressOf(client, message);
  client.drafts.insert(conversation, quoteOf({ name, id: message.sender_id, link, content }));
  const there = client.route.peek();
  const isThere = there.view === 'narrow' && document.querySelector('.dock textarea') !== null;
  if (!isThere) location.hash = conversationHash(conversation, client.names);
}

async function copyLink(client: Client, message: Message): Promise<void> {
  if (await copyText(addressOf(client, message))) tellNotice(client, t('message.linkCopied'), false);
}

async function copySource(client: Client, message: Message): Promise<void> {
  if (await copyText(await sourceOf(client, message))) tellNotice(client, t('message.copied'), false);
}

function unreadFrom(client: Client, message: Message): Promise<void> {
  return client.reading.unreadFrom(inConversation(conversationOf(message)), message.id);
}
