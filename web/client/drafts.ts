import { computed, signal } from '@preact/signals';
import { isRecord } from '../api/index.ts';
import { type Conversation, type ConversationKey, keyOf } from '../model/index.ts';

/** Most characters of a draft; as long as a message may be, and somewhat more. */
const MAX_LENGTH = 20_000;

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** What was typed for a conversation and not sent. */
export interface Draft {
  readonly conversation: Conversation;
  /** Empty for one that was sent or thrown away, until the server knows that. */
  readonly text: string;
  /** When it was typed, milliseconds since 1970. */
  readonly at: number;
  /** Its number at the server. */
  readonly id?: number | undefined;
  /** The server does not have it as it is. */
  readonly isNew: boolean;
}

/** An open composer. */
export interface DraftEditor {
  /** Puts text after what was typed already. */
  readonly insert: (text: string) => void;
  /** Gives away what was typed: it belongs to another conversation now. */
  readonly take?: () => string;
  /** Takes what was typed elsewhere, unless the person is typing here. */
  readonly replace?: (text: string) => void;
}

/** What was typed and not sent, by conversation. It survives everything but being thrown away. */
export class Drafts {
  readonly #prefix: string;
  readonly #shelf: () => Shelf;
  readonly #now: () => number;
  readonly #kept = signal<ReadonlyMap<ConversationKey, Draft>>(new Map());
  /** The open composers, which know more than what is kept. */
  readonly #composers = new Map<ConversationKey, DraftEditor>();
  /** All that have a text, the newest first. */
  readonly all = computed(() =>
    [...this.#kept.value.values()].filter(({ text }) => text !== '').toSorted((a, b) => b.at - a.at),
  );
  /** Those that the server is to hear of. */
  readonly unsaved = computed(() => [...this.#kept.value.values()].filter(({ isNew }) => isNew));

  constructor(account: string, now: () => number, shelf: () => Shelf = () => localStorage) {
    this.#prefix = `roost-draft-${account}-`;
    this.#shelf = shelf;
    this.#now = now;
    this.#kept.value = new Map(this.#names().flatMap((name) => this.#read(name) ?? []));
  }

  get(key: ConversationKey): string {
    return this.find(key)?.text ?? '';
  }

  find(key: ConversationKey): Draft | undefined {
    return this.#kept.peek().get(key);
  }

  /** Keeps what was typed; the server is told later. */
  set(conversation: Conversation, text: string): void {
    const before = this.find(keyOf(conversation));
    if (text === (before?.text ?? '')) return;
    this.put({ conversation, text: text.slice(0, MAX_LENGTH), at: this.#now(), id: before?.id, isNew: true });
  }

  /** Keeps a draft as it is. One without a text that the server does not know either is gone. */
  put(draft: Draft): void {
    const key = keyOf(draft.conversation);
    if (draft.text === '' && draft.id === undefined) return this.forget(key);
    this.#kept.value = new Map(this.#kept.peek()).set(key, draft);
    this.#write(key, JSON.stringify(draft));
  }

  forget(key: ConversationKey): void {
    const rest = new Map(this.#kept.peek());
    if (!rest.delete(key)) return;
    this.#kept.value = rest;
    this.#write(key, undefined);
  }

  /** Another tab, or another browser, has changed it: an open composer shows that. */
  show(key: ConversationKey): void {
    this.#composers.get(key)?.replace?.(this.get(key));
  }

  /** Another tab has changed what is kept under a name of the browser's storage. */
  changed(name: string | null): void {
    if (name === null || !name.startsWith(this.#prefix)) return;
    const key = name.slice(this.#prefix.length);
    const found = this.#read(name);
    const next = new Map(this.#kept.peek());
    if (found) next.set(...found[0]);
    else next.delete(key);
    this.#kept.value = next;
    this.show(key);
  }

  /** A composer of the conversation is open, and takes what is inserted. Returns how to stop that. */
  compose(key: ConversationKey, editor: DraftEditor): () => void {
    this.#composers.set(key, editor);
    return () => {
      if (this.#composers.get(key) === editor) this.#composers.delete(key);
    };
  }

  /** Puts text after what was typed already, in the open composer or where its draft is kept. */
  insert(conversation: Conversation, text: string): void {
    const key = keyOf(conversation);
    const composer = this.#composers.get(key);
    if (composer) composer.insert(text);
    else this.set(conversation, after(this.get(key), text));
  }

  /** The conversation is called something else now: what was typed for it goes along. */
  move(from: Conversation, to: Conversation): void {
    const key = keyOf(from);
    const text = this.#composers.get(key)?.take?.() ?? this.get(key);
    this.set(from, '');
    if (text !== '') this.insert(to, text);
  }

  #names(): readonly string[] {
    try {
      const shelf = this.#shelf();
      const names = Array.from({ length: shelf.length }, (_none, index) => shelf.key(index) ?? '');
      return names.filter((name) => name.startsWith(this.#prefix));
    } catch {
      return [];
    }
  }

  #read(name: string): [[ConversationKey, Draft]] | undefined {
    try {
      const found: unknown = JSON.parse(this.#shelf().getItem(name) ?? '');
      return isDraft(found) ? [[keyOf(found.conversation), found]] : undefined;
    } catch {
      return undefined;
    }
  }

  #write(key: ConversationKey, value: string | undefined): void {
    try {
      if (value === undefined) this.#shelf().removeItem(this.#prefix + key);
      else this.#shelf().setItem(this.#prefix + key, value);
    } catch {
      // A browser without storage keeps the text for as long as the page is open.
    }
  }
}

function isDraft(value: unknown): value is Draft {
  return isRecord(value) && typeof value['text'] === 'string' && isRecord(value['conversation']);
}

/** One text after another, on a line of its own. */
export function after(before: string, text: string): string {
  return before.trim() === '' ? text : `${before.trimEnd()}\n\n${text}`;
}
