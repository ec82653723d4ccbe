import { computed, signal } from '@preact/signals';
import { isRecord } from '../api/index.ts';
import { type Conversation, type ConversationKey, keyOf } from '../model/index.ts';
import { StoredTexts } from './stored-texts.ts';

/** Most characters of a draft. More than a message may have, so that what is too long can be cut after a reload, too. */
const MAX_LENGTH = 1_000_000;

/** An unsent text of a conversation. */
export interface Draft {
  readonly conversation: Conversation;
  /** Empty for a draft that was sent or discarded, until the server has that change. */
  readonly text: string;
  /** When it was typed, in milliseconds since 1970. */
  readonly at: number;
  /** Its ID at the server. */
  readonly id?: number | undefined;
  /** The server does not have this version. */
  readonly isNew: boolean;
}

/** An open composer. */
export interface DraftEditor {
  /** Takes the focus. */
  readonly enter?: () => void;
  readonly isEntered?: () => boolean;
  /** Appends text to what is typed. */
  readonly insert: (text: string) => void;
  /** Removes and returns the typed text, because its conversation was moved. */
  readonly take?: () => string;
  /** Shows text that was typed elsewhere, unless the person is typing here. */
  readonly replace?: (text: string) => void;
}

/** Unsent texts by conversation, stored until they are sent or discarded. */
export class Drafts {
  readonly #stored: StoredTexts;
  readonly #now: () => number;
  readonly #all = signal<ReadonlyMap<ConversationKey, Draft>>(new Map());
  /** The open composers, whose texts are newer than the stored drafts. */
  readonly #composers = new Map<ConversationKey, DraftEditor>();
  /** The conversation whose composer gets the focus when it opens. */
  #entered: ConversationKey | undefined;
  /** All drafts with a text, the newest first. */
  readonly all = computed(() =>
    [...this.#all.value.values()].filter(({ text }) => text !== '').toSorted((a, b) => b.at - a.at),
  );
  /** Drafts of which the server does not have the current version. */
  readonly unsaved = computed(() => [...this.#all.value.values()].filter(({ isNew }) => isNew));

  constructor(account: string, now: () => number, storage?: ConstructorParameters<typeof StoredTexts>[1]) {
    this.#stored = new StoredTexts(`roost-draft-${account}-`, storage);
    this.#now = now;
    this.#all.value = new Map(this.#stored.keys().flatMap((key) => this.#read(key) ?? []));
  }

  get(key: ConversationKey): string {
    return this.find(key)?.text ?? '';
  }

  find(key: ConversationKey): Draft | undefined {
    return this.#all.peek().get(key);
  }

  /** Stores what was typed; the server gets it later. */
  set(conversation: Conversation, text: string): void {
    const before = this.find(keyOf(conversation));
    if (text === (before?.text ?? '')) return;
    this.put({ conversation, text: text.slice(0, MAX_LENGTH), at: this.#now(), id: before?.id, isNew: true });
  }

  /** Stores a draft as it is. One that has no text and is unknown to the server is removed. */
  put(draft: Draft): void {
    const key = keyOf(draft.conversation);
    if (draft.text === '' && draft.id === undefined) return this.forget(key);
    this.#all.value = new Map(this.#all.peek()).set(key, draft);
    this.#stored.write(key, draft);
  }

  forget(key: ConversationKey): void {
    const rest = new Map(this.#all.peek());
    if (!rest.delete(key)) return;
    this.#all.value = rest;
    this.#stored.write(key, undefined);
  }

  /** Shows a draft that another tab or browser has changed in its open composer. */
  show(key: ConversationKey): void {
    this.#composers.get(key)?.replace?.(this.get(key));
  }

  /** Reads a draft that another tab has changed in the browser's storage. */
  changed(name: string | null): void {
    const key = this.#stored.keyOf(name);
    if (key === undefined) return;
    const found = this.#read(key);
    const next = new Map(this.#all.peek());
    if (found) next.set(...found[0]);
    else next.delete(key);
    this.#all.value = next;
    this.show(key);
  }

  /** Registers the open composer of a conversation; returns a function that unregisters it. */
  compose(key: ConversationKey, editor: DraftEditor): () => void {
    this.#composers.set(key, editor);
    if (this.#entered === key) editor.enter?.();
    this.#entered = undefined;
    return () => {
      if (this.#composers.get(key) === editor) this.#composers.delete(key);
    };
  }

  /** Appends text in the open composer, or to the stored draft. Returns whether the composer is open. */
  insert(conversation: Conversation, text: string): boolean {
    const key = keyOf(conversation);
    const composer = this.#composers.get(key);
    if (composer) composer.insert(text);
    else this.set(conversation, after(this.get(key), text));
    return composer !== undefined;
  }

  /** Gives the focus to the composer of a conversation, at once or when it opens. Returns whether it is open. */
  enter(conversation: Conversation): boolean {
    const composer = this.#composers.get(keyOf(conversation));
    composer?.enter?.();
    if (!composer) this.enterNext(conversation);
    return composer !== undefined;
  }

  /** Gives the focus to the next composer that opens, if it is that of a conversation. */
  enterNext(conversation: Conversation): void {
    this.#entered = keyOf(conversation);
  }

  /** Moves the draft of a conversation that was moved or renamed, and the focus of its composer. */
  move(from: Conversation, to: Conversation): void {
    const key = keyOf(from);
    const composer = this.#composers.get(key);
    if (composer?.isEntered?.()) this.enterNext(to);
    const text = composer?.take?.() ?? this.get(key);
    this.set(from, '');
    if (text !== '') this.insert(to, text);
  }

  #read(key: string): [[ConversationKey, Draft]] | undefined {
    const found = this.#stored.read(key);
    return isDraft(found) ? [[keyOf(found.conversation), found]] : undefined;
  }
}

function isDraft(value: unknown): value is Draft {
  return isRecord(value) && typeof value['text'] === 'string' && isRecord(value['conversation']);
}

/** Appends a text on a line of its own. */
export function after(before: string, text: string): string {
  return before.trim() === '' ? text : `${before.trimEnd()}\n\n${text}`;
}
