import { signal } from '@preact/signals';
import { isRecord } from '../api/index.ts';
import { SECONDS_PER_DAY } from '../words/dates.ts';
import { StoredTexts } from './stored-texts.ts';

/** Milliseconds after which a changed text that nobody saved is removed: 30 days. */
const KEPT_MS = 30 * SECONDS_PER_DAY * 1000;

/** A text of a message that was changed and not saved. */
interface Edit {
  /** The message's text when the change began. */
  readonly was: string;
  readonly text: string;
  /** When it was typed, in milliseconds since 1970. */
  readonly at: number;
}

/** Changed texts of messages by ID, stored in the browser until they are saved or discarded. */
export class Edits {
  readonly #stored: StoredTexts;
  readonly #now: () => number;
  readonly #all = signal<ReadonlyMap<number, Edit>>(new Map());

  constructor(account: string, now: () => number, storage?: ConstructorParameters<typeof StoredTexts>[1]) {
    this.#stored = new StoredTexts(`roost-edit-${account}-`, storage);
    this.#now = now;
    for (const key of this.#stored.keys()) this.#read(key);
  }

  /** Subscribes to every change of any text. */
  has(id: number): boolean {
    return this.#all.value.has(id);
  }

  find(id: number): Edit | undefined {
    return this.#all.peek().get(id);
  }

  /** Stores what was typed; a text that is as it was needs no storing. */
  set(id: number, was: string, text: string): void {
    if (was === text) return this.forget(id);
    const edit = { was, text, at: this.#now() };
    this.#put(id, edit);
    this.#stored.write(String(id), edit);
  }

  forget(id: number): void {
    this.#put(id, undefined);
    this.#stored.write(String(id), undefined);
  }

  /** Reads a text that another tab has changed in the browser's storage. */
  changed(name: string | null): void {
    const key = this.#stored.keyOf(name);
    if (key !== undefined) this.#read(key);
  }

  #read(key: string): void {
    const found = this.#stored.read(key);
    if (!isEdit(found)) this.#put(Number(key), undefined);
    else if (found.at > this.#now() - KEPT_MS) this.#put(Number(key), found);
    else this.forget(Number(key));
  }

  #put(id: number, edit: Edit | undefined): void {
    const next = new Map(this.#all.peek());
    if (edit) next.set(id, edit);
    else if (!next.delete(id)) return;
    this.#all.value = next;
  }
}

function isEdit(value: unknown): value is Edit {
  return (
    isRecord(value) &&
    typeof value['was'] === 'string' &&
    typeof value['text'] === 'string' &&
    typeof value['at'] === 'number'
  );
}
