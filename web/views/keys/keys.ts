import { useEffect } from 'preact/hooks';
import { conversationHash, hashOf } from '../../addresses/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import { type Command, commandOf } from '../../keyboard/index.ts';
import { type Conversation, conversationOf, keyOf, Policy } from '../../model/index.ts';
import { jumpToEnd } from '../feed/end.ts';
import { react } from '../feed/message-reactions.tsx';
import { collapse, copyLink, mayAsk, unreadFrom } from '../feed/message-menu.tsx';
import { ask, type MessageDialog, type Overlay, overlay } from '../overlays/open.ts';
import { noticeFailure } from '../notice-failure.ts';
import { setPolicy } from '../topic/policy.ts';
import { mayDelete } from '../feed/message-rights.ts';
import { isTyping } from '../../ui/roving.ts';
import { expectField, isCovered, keepEarlyKeys, WAIT_MS } from './early.ts';
import { nextUnread } from './next.ts';

/** Binds the keys of the table, wherever the focus is. */
export function useKeys(): void {
  const client = useClient();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isCovered()) return;
      if (isGivenUp(event)) waiting = undefined;
      // Not its target: the view that the key before opened may be there by now, and that of the target gone.
      const command = commandOf(event, isTyping(document.activeElement));
      if (command && run(client, command)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    addEventListener('hashchange', leaveSidebar);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('hashchange', leaveSidebar);
    };
  }, [client]);
  useEffect(keepEarlyKeys, []);
}

/**
 * Takes the focus from the sidebar after going to another view, so that keys act on that view, unless the link of that
 * view has the focus.
 */
function leaveSidebar(): void {
  const at = document.activeElement;
  const isElsewhere = at?.closest('.left') !== null && at?.getAttribute('href') !== location.hash;
  if (isElsewhere && at instanceof HTMLElement) at.blur();
}

const HASHES: Partial<Record<Command, string>> = {
  inbox: '#inbox',
  recent: '#recent',
  feed: '#feed',
  drafts: '#drafts',
};
const OVERLAYS: Partial<Record<Command, Overlay>> = {
  palette: 'palette',
  jump: 'palette',
  search: 'search',
  help: 'keys',
  newDirect: 'people',
};
/** Commands that a button of the message carries out, by the key that the button names. */
const BUTTONS: Partial<Record<Command, string>> = { react: ':', star: '*', edit: 'e', more: 'i', quote: '>' };
const DIALOGS: Partial<Record<Command, MessageDialog>> = {
  forward: 'forward',
  move: 'move',
  history: 'history',
  receipts: 'receipts',
};

/** Commands that need an account. Other commands simply find nothing to act on without one. */
const FOR_MEMBERS: ReadonlySet<Command> = new Set([
  'inbox',
  'recent',
  'drafts',
  'newDirect',
  'compose',
  'reply',
  'thumbsUp',
]);

/** Runs a command; returns whether it found anything to do. */
function run(client: Client, command: Command): boolean {
  if (client.model.me === 0 && FOR_MEMBERS.has(command)) return false;
  const hash = HASHES[command];
  if (hash !== undefined) return go(hash);
  const over = OVERLAYS[command];
  if (over !== undefined) {
    overlay.value = over;
    return true;
  }
  const button = BUTTONS[command];
  const act = () => (button === undefined ? move(client, command) : press(button));
  if (!waiting) return act();
  waiting.acts.push(act);
  return true;
}

function go(hash: string): true {
  location.hash = hash;
  return true;
}

function move(client: Client, command: Command): boolean {
  switch (command) {
    case 'down':
      return step(1);
    case 'up':
      return step(-1);
    case 'newest':
      return newest();
    case 'compose':
      return write();
    case 'leave':
      return leave();
    case 'undo':
      return client.deleting.undoNewest() || client.notices.undoNewest();
    case 'nextTopic':
    case 'nextDirect':
      return goToUnread(client, command === 'nextDirect');
    default:
      return onMessage(client, command);
  }
}

const articles = () => [...document.querySelectorAll<HTMLElement>('main article[data-message]')];
const focused = () => document.activeElement?.closest<HTMLElement>('article[data-message]') ?? undefined;

/** Focuses the next or previous message; the first time, the one that a link led to, or the last visible one. */
function step(by: 1 | -1): boolean {
  const all = articles();
  const at = all.findIndex((one) => one === focused());
  const visible = all.filter((one) => at < 0 && one.getBoundingClientRect().top < innerHeight);
  const first = visible.find((one) => one.matches('.is-target')) ?? visible.at(-1);
  const next = at < 0 ? first : all[at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}

/** Commands for the message that gets the focus once the end of the feed is drawn; undefined while none is about to. */
let waiting: { readonly acts: (() => void)[]; readonly sinceMs: number; readonly hash: string } | undefined;

/** Whether the end of the feed is not awaited any more: it takes too long, or another view was opened. */
function isGivenUp({ timeStamp }: KeyboardEvent): boolean {
  return waiting !== undefined && (timeStamp - waiting.sinceMs >= WAIT_MS || waiting.hash !== location.hash);
}

/** Jumps to the end of the feed, which may have to be fetched, then focuses the last message. */
function newest(): boolean {
  const jumping = jumpToEnd();
  if (!jumping) return false;
  const own: typeof waiting = { acts: [], sinceMs: performance.now(), hash: location.hash };
  waiting = own;
  void jumping.then((isThere) => {
    if (waiting !== own) return;
    waiting = undefined;
    // Somebody who has left meanwhile does not mean the messages of another view.
    if (!isThere || own.hash !== location.hash) return;
    articles().at(-1)?.focus({ preventScroll: true });
    for (const act of own.acts) act();
  });
  return true;
}

function write(): boolean {
  const field = document.querySelector<HTMLTextAreaElement>('main form textarea');
  const resting = document.querySelector<HTMLElement>('main .rest-field');
  if (field) field.focus();
  else if (resting) resting.click();
  else overlay.value = 'palette';
  return true;
}

function leave(): boolean {
  if (!isTyping(document.activeElement) || !(document.activeElement instanceof HTMLElement)) return false;
  document.activeElement.blur();
  return true;
}

function press(keys: string): boolean {
  const row = focused();
  const push = () => row?.querySelector<HTMLElement>(`[data-keys="${CSS.escape(keys)}"]`)?.click();
  // A row that got the focus just now has its buttons when it is drawn again.
  if (row && !row.querySelector('.actions')) queueMicrotask(() => row === focused() && push());
  else push();
  return row !== undefined;
}

function goToUnread(client: Client, isDirect: boolean): boolean {
  const { model, names } = client;
  const name = (one: Conversation) => ('channelId' in one ? (names.nameOf(one.channelId) ?? '') : '');
  const unread = model.unread.conversations.filter(({ conversation }) => !model.isMuted(conversation));
  const next = nextUnread(unread, {
    isDirect,
    name,
    current: location.hash,
    hashOf: (one) => conversationHash(one, names),
  });
  return next !== undefined && go(conversationHash(next, names));
}

function onMessage(client: Client, command: Command): boolean {
  const message = client.messages.table.peek(Number(focused()?.dataset['message']));
  if (!message) return command === 'reply' && write();
  const conversation = conversationOf(message);
  const hash = conversationHash(conversation, client.names);
  if (command === 'topic') return go(hash);
  if (command === 'reply') return client.drafts.enter(conversation) || replyThere(`${hash}/near/${message.id}`);
  const dialog = DIALOGS[command];
  if (dialog) return mayAsk(client, message, dialog) && (ask(dialog, message), true);
  if (command === 'thumbsUp') {
    react(client, message, THUMBS_UP);
    return true;
  }
  if (command === 'copyLink') return does(client, copyLink(client, message));
  if (command === 'unreadFrom') return does(client, unreadFrom(client, message));
  if (command === 'collapse') return does(client, collapse(client, message));
  if (command === 'delete') {
    if (mayDelete(client, message)) client.deleting.start(message.id);
    return true;
  }
  if (command === 'sender') return showSender(message);
  if (!('channelId' in conversation)) return false;
  if (command === 'mute') return mute(client, conversation);
  return go(
    hashOf({ view: 'narrow', narrow: [{ operator: 'channel', operand: conversation.channelId }] }, client.names),
  );
}

/** Goes to a conversation whose composer then takes the focus, and what is typed until then. */
function replyThere(hash: string): true {
  expectField();
  return go(hash);
}

const THUMBS_UP = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };

function does(client: Client, call: Promise<unknown>): true {
  void noticeFailure(client, call);
  return true;
}

function showSender({ sender_id }: Shown): boolean {
  const row = focused();
  const anchor = row?.querySelector<HTMLElement>('.by .who') ?? row;
  if (anchor) overlay.value = { what: 'person', anchor, id: sender_id };
  return anchor !== undefined;
}

type Shown = NonNullable<ReturnType<Client['messages']['table']['peek']>>;

function mute(client: Client, conversation: Extract<Conversation, { readonly channelId: number }>): true {
  const isMuted = client.model.policies.peek(keyOf(conversation)) === Policy.muted;
  void setPolicy(client, conversation, isMuted ? Policy.none : Policy.muted);
  return true;
}
