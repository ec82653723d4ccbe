import { signal } from '@preact/signals';
import type { Emoji } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import type { Conversation } from '../../model/index.ts';

/** Dialogs about one message. */
export type MessageDialog = 'history' | 'move' | 'forward' | 'receipts' | 'remind' | 'report' | 'why';

/** What is open over the page. */
export type Overlay =
  | 'palette'
  | 'people'
  | 'search'
  | 'keys'
  | 'about'
  /** The emoji picker; `isMore` says that it stays open. */
  | { readonly what: 'emoji'; readonly anchor: HTMLElement; readonly onChoose: (emoji: Emoji, isMore: boolean) => void }
  /** The card of a person. */
  | { readonly what: 'person'; readonly anchor: HTMLElement; readonly id: number }
  /** The card of a group. */
  | { readonly what: 'group'; readonly anchor: HTMLElement; readonly id: number }
  /** The menu of a channel. */
  | { readonly what: 'channel'; readonly anchor: HTMLElement; readonly id: number }
  /** The menu of a conversation. */
  | { readonly what: 'topic'; readonly anchor: HTMLElement; readonly conversation: Conversation }
  /** The dialog that deletes a topic. */
  | { readonly what: 'delete-topic'; readonly channelId: number; readonly topic: string }
  /** A picture of a message, by its address. */
  | { readonly what: 'picture'; readonly message: Message; readonly src: string }
  /** Saved snippets; `text` can be saved as one. */
  | {
      readonly what: 'snippets';
      readonly anchor: HTMLElement;
      readonly text: string;
      readonly onChoose: (text: string) => void;
    }
  /** The menu of times at which to send a message. */
  | {
      readonly what: 'later';
      readonly anchor: HTMLElement;
      readonly conversation: Conversation;
      readonly text: string;
      readonly onDone: () => void;
    }
  /** The dialog that changes the time of a scheduled message. */
  | { readonly what: 'reschedule'; readonly id: number; readonly at: number }
  /** A dialog about one message; `isWhole` says that it is about its whole topic. */
  | { readonly what: 'message'; readonly dialog: MessageDialog; readonly message: Message; readonly isWhole?: boolean }
  | undefined;

export const overlay = signal<Overlay>(undefined);

export function closeOverlay(): void {
  overlay.value = undefined;
}

/** Opens the menu of a conversation. */
export function openTopicMenu(conversation: Conversation, anchor: HTMLElement): void {
  overlay.value = { what: 'topic', anchor, conversation };
}

/** Opens a dialog about a message. */
export function ask(dialog: MessageDialog, message: Message, isWhole = false): void {
  overlay.value = { what: 'message', dialog, message, isWhole };
}
