/** An action that a key triggers. */
export type Command =
  | 'palette'
  | 'jump'
  | 'search'
  | 'help'
  | 'inbox'
  | 'recent'
  | 'feed'
  | 'drafts'
  | 'nextTopic'
  | 'nextDirect'
  | 'channel'
  | 'topic'
  | 'down'
  | 'up'
  | 'newest'
  | 'reply'
  | 'react'
  | 'thumbsUp'
  | 'star'
  | 'edit'
  | 'more'
  | 'quote'
  | 'forward'
  | 'move'
  | 'history'
  | 'receipts'
  | 'unreadFrom'
  | 'copyLink'
  | 'collapse'
  | 'sender'
  | 'mute'
  | 'compose'
  | 'newDirect'
  | 'leave'
  | 'undo'
  | 'delete';

/** A row of the help screen: which keys trigger an action, and when. */
export interface Shortcut {
  readonly command: Command;
  /** Alternative keys, as people read them: "Ctrl K", "Shift I". */
  readonly keys: readonly string[];
  /** Whether it also works while the person types text. */
  readonly isGlobal?: boolean;
}

interface Section {
  readonly title: 'keys.anywhere' | 'keys.going' | 'keys.messages' | 'keys.writing';
  readonly shortcuts: readonly Shortcut[];
}

/** Every key of the client. The help screen shows this table, and `listen` binds it. */
export const SHORTCUTS: readonly Section[] = [
  {
    title: 'keys.anywhere',
    shortcuts: [
      { command: 'palette', keys: ['Ctrl K'], isGlobal: true },
      { command: 'search', keys: ['/'] },
      { command: 'help', keys: ['?'] },
      { command: 'leave', keys: ['Esc'], isGlobal: true },
      { command: 'undo', keys: ['Ctrl Z'] },
    ],
  },
  {
    title: 'keys.going',
    shortcuts: [
      { command: 'jump', keys: ['q'] },
      { command: 'nextTopic', keys: ['n'] },
      { command: 'nextDirect', keys: ['p'] },
      { command: 'inbox', keys: ['Shift I'] },
      { command: 'recent', keys: ['t'] },
      { command: 'feed', keys: ['a'] },
      { command: 'drafts', keys: ['d'] },
      { command: 'channel', keys: ['s'] },
      { command: 'topic', keys: ['Shift S'] },
    ],
  },
  {
    title: 'keys.messages',
    shortcuts: [
      { command: 'down', keys: ['j', '↓'] },
      { command: 'up', keys: ['k', '↑'] },
      { command: 'newest', keys: ['Shift G', 'End'] },
      { command: 'reply', keys: ['r'] },
      { command: 'react', keys: [':'] },
      { command: 'thumbsUp', keys: ['+'] },
      { command: 'star', keys: ['*'] },
      { command: 'edit', keys: ['e'] },
      { command: 'more', keys: ['i'] },
      { command: 'quote', keys: ['>'] },
      { command: 'forward', keys: ['f'] },
      { command: 'move', keys: ['m'] },
      { command: 'history', keys: ['Shift H'] },
      { command: 'receipts', keys: ['Shift V'] },
      { command: 'delete', keys: ['Delete'] },
      { command: 'unreadFrom', keys: ['Shift U'] },
      { command: 'copyLink', keys: ['Shift L'] },
      { command: 'collapse', keys: ['-'] },
      { command: 'sender', keys: ['u'] },
      { command: 'mute', keys: ['Shift M'] },
    ],
  },
  {
    title: 'keys.writing',
    shortcuts: [
      { command: 'compose', keys: ['c'] },
      { command: 'newDirect', keys: ['x', 'w'] },
    ],
  },
];

const BY_KEY = new Map(
  SHORTCUTS.flatMap(({ shortcuts }) => shortcuts).flatMap((one) => one.keys.map((key) => [key, one] as const)),
);

/** The fields of a keyboard event that identify the key. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const SHOWN: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' };

/**
 * Returns a key as the table writes it. Punctuation is named by its character, whichever keys produce it on this
 * keyboard.
 */
export function nameOfKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string {
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  const shown = SHOWN[key] ?? key;
  if (ctrlKey || metaKey) return `Ctrl ${shown.toUpperCase()}`;
  if (altKey && isLetter) return `Alt ${shown}`;
  return isLetter && shiftKey ? `Shift ${key.toUpperCase()}` : shown;
}

/** Returns the action of a key; while the person types text, only a global one. */
export function commandOf(press: KeyPress, isTyping: boolean): Command | undefined {
  const found = BY_KEY.get(nameOfKey(press));
  return found && (!isTyping || found.isGlobal === true) ? found.command : undefined;
}
