import type { ConversationKey } from '../model/index.ts';

/** Most characters of a draft; as long as a message may be, and somewhat more. */
const MAX_LENGTH = 20_000;

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
type Listener = (text: string) => void;

/** What was typed and not sent, by conversation. It survives everything but being thrown away. */
export class Drafts {
  readonly #prefix: string;
  readonly #shelf: () => Shelf;
  /** The open composers, which know more than what is kept. */
  readonly #composers = new Map<ConversationKey, Listener>();

  constructor(account: string, shelf: () => Shelf = () => localStorage) {
    this.#prefix = `roost-draft-${account}-`;
    this.#shelf = shelf;
  }

  get(key: ConversationKey): string {
    try {
      return this.#shelf().getItem(this.#prefix + key) ?? '';
    } catch {
      return '';
    }
  }

  set(key: ConversationKey, text: string): void {
    try {
      if (text === '') this.#shelf().removeItem(this.#prefix + key);
      else this.#shelf().setItem(this.#prefix + key, text.slice(0, MAX_LENGTH));
    } catch {
      // A browser without storage keeps the text for as long as the page is open.
    }
  }

  /** A composer of the conversation is open, and takes what is inserted. Returns how to stop that. */
  compose(key: ConversationKey, insert: Listener): () => void {
    this.#composers.set(key, insert);
    return () => {
      if (this.#composers.get(key) === insert) this.#composers.delete(key);
    };
  }

  /** Puts text after what was typed already, in the open composer or where its draft is kept. */
  insert(key: ConversationKey, text: string): void {
    const composer = this.#composers.get(key);
    if (composer) composer(text);
    else this.set(key, after(this.get(key), text));
  }
}

/** One text after another, on a line of its own. */
export function after(before: string, text: string): string {
  return before.trim() === '' ? text : `${before.trimEnd()}\n\n${text}`;
}
