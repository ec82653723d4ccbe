type LocalStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Values in the browser's storage whose names begin alike. Where storage is turned off, there are none. */
export class StoredTexts {
  readonly #prefix: string;
  readonly #storage: () => LocalStorage;

  constructor(prefix: string, storage: () => LocalStorage = () => localStorage) {
    this.#prefix = prefix;
    this.#storage = storage;
  }

  /** Returns the key behind the prefix of a name; undefined for a name of something else. */
  keyOf(name: string | null): string | undefined {
    return name?.startsWith(this.#prefix) === true ? name.slice(this.#prefix.length) : undefined;
  }

  keys(): readonly string[] {
    try {
      const storage = this.#storage();
      return Array.from({ length: storage.length }, (_none, at) => this.keyOf(storage.key(at)) ?? []).flat();
    } catch {
      return [];
    }
  }

  /** Returns a stored value; undefined where there is none. */
  read(key: string): unknown {
    try {
      return JSON.parse(this.#storage().getItem(this.#prefix + key) ?? '');
    } catch {
      return undefined;
    }
  }

  write(key: string, value: object | undefined): void {
    try {
      if (value === undefined) this.#storage().removeItem(this.#prefix + key);
      else this.#storage().setItem(this.#prefix + key, JSON.stringify(value));
    } catch {
      // Without storage, the text lasts until the page is closed.
    }
  }
}
