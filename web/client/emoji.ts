import { computed, signal } from '@preact/signals';
import { isRecord } from '../api/index.ts';
import type { Model } from '../model/index.ts';

/** An emoji to choose: of Unicode, or of the organization. See protocol/emoji#types. */
export interface Emoji {
  readonly name: string;
  readonly code: string;
  readonly type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji';
  /** Other names by which it is found. */
  readonly names: readonly string[];
  /** Address of the picture of an emoji of the organization. */
  readonly url?: string | undefined;
}

/** Number of recently used emoji that are remembered. */
const MAX_RECENT = 27;
/** Codes that stand in for recently used emoji until there are any. */
const POPULAR = ['1f44d', '1f389', '1f642', '2764', '1f6e0', '1f419'];

type LocalStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** All emoji. Those of Unicode are fetched on first use. */
export class EmojiSource {
  readonly #model: Model;
  readonly #name: string;
  readonly #storage: () => LocalStorage;
  readonly #unicode = signal<readonly Emoji[]>([]);
  readonly #recent = signal<readonly string[]>([]);
  #loading: Promise<void> | undefined;
  #isLoaded = false;

  constructor(model: Model, account: string, storage: () => LocalStorage = () => localStorage) {
    this.#model = model;
    this.#name = `roost-emoji-${account}`;
    this.#storage = storage;
    this.#recent.value = this.#stored();
  }

  /** The organization's own emoji, by name. */
  readonly custom = computed<readonly Emoji[]>(() =>
    Object.values(this.#model.facts.get('realm_emoji') ?? {})
      .filter(({ deactivated }) => !deactivated)
      .map(({ id, name, source_url }) => ({
        name,
        code: id,
        type: 'realm_emoji' as const,
        names: [name],
        url: source_url,
      }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  );

  /** Every emoji; one of the organization hides another of the same name. */
  readonly all = computed<readonly Emoji[]>(() => {
    const own = new Set(this.custom.value.map(({ name }) => name));
    return [...this.custom.value, ...this.#unicode.value.filter(({ name }) => !own.has(name))];
  });

  /** Recently used emoji, the newest first. */
  readonly recent = computed<readonly Emoji[]>(() => {
    const byCode = new Map(this.all.value.map((one) => [one.code, one]));
    const codes = new Set([...this.#recent.value, ...POPULAR]);
    return [...codes].slice(0, MAX_RECENT).flatMap((code) => byCode.get(code) ?? []);
  });

  /** Fetches the emoji that are missing; after a failure the next call tries again. */
  load(): Promise<void> {
    this.#loading ??= this.#fetch().then(
      () => {
        this.#isLoaded = true;
      },
      () => {
        this.#loading = undefined;
      },
    );
    return this.#loading;
  }

  /** Whether none is missing. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  chosen({ code }: Emoji): void {
    this.#recent.value = [code, ...this.#recent.peek().filter((one) => one !== code)].slice(0, MAX_RECENT);
    try {
      this.#storage().setItem(this.#name, JSON.stringify(this.#recent.peek()));
    } catch {
      // Without storage they are remembered for as long as the page is open.
    }
  }

  async #fetch(): Promise<void> {
    const address = this.#model.facts.peek('server_emoji_data_url');
    if (address === undefined) return;
    // The content security policy allows requests to the page's own origin only, whichever host name the server uses
    // for itself.
    const data: unknown = await (await fetch(new URL(address).pathname)).json();
    const codes = isRecord(data) && isRecord(data['code_to_names']) ? data['code_to_names'] : {};
    this.#unicode.value = Object.entries(codes).flatMap(([code, names]) => {
      const known = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
      const [name] = known;
      return name === undefined ? [] : [{ name, code, type: 'unicode_emoji' as const, names: known }];
    });
  }

  #stored(): readonly string[] {
    try {
      const stored: unknown = JSON.parse(this.#storage().getItem(this.#name) ?? '[]');
      return Array.isArray(stored) ? stored.filter((code) => typeof code === 'string') : [];
    } catch {
      return [];
    }
  }
}

/** Finds emoji whose names contain the words; names that begin with them come first. */
export function findEmoji(all: readonly Emoji[], query: string, most: number): readonly Emoji[] {
  const words = query
    .trim()
    .toLowerCase()
    .replaceAll(/[\s:]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  if (words === '') return all.slice(0, most);
  const rank = ({ names }: Emoji) =>
    Math.min(...names.map((name) => (name === words ? 0 : name.startsWith(words) ? 1 : name.includes(words) ? 2 : 3)));
  return all
    .map((one) => ({ one, at: rank(one) }))
    .filter(({ at }) => at < 3)
    .toSorted((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ one }) => one);
}

/** The groups of the picker, by ranges of code points. */
const RANGES: readonly (readonly [EmojiGroup, readonly (readonly [from: number, to: number])[]])[] = [
  [
    'flags',
    [
      [0x1f1e6, 0x1f1ff],
      [0x1f3f3, 0x1f3f4],
      [0x1f38c, 0x1f38c],
      [0x1f6a9, 0x1f6a9],
    ],
  ],
  [
    'people',
    [
      [0x1f600, 0x1f64f],
      [0x1f910, 0x1f93e],
      [0x1f970, 0x1f97a],
      [0x1f9b0, 0x1f9df],
      [0x1f440, 0x1f487],
      [0x1fac0, 0x1fac5],
      [0x1fae0, 0x1faff],
      [0x2639, 0x263a],
      [0x261d, 0x261d],
      [0x270a, 0x270d],
    ],
  ],
  [
    'nature',
    [
      [0x1f400, 0x1f43f],
      [0x1f300, 0x1f32c],
      [0x1f330, 0x1f344],
      [0x1f980, 0x1f9ae],
      [0x1fab0, 0x1fabf],
      [0x2600, 0x2604],
      [0x2614, 0x2614],
      [0x26c4, 0x26c8],
      [0x2744, 0x2744],
    ],
  ],
  [
    'food',
    [
      [0x1f32d, 0x1f32f],
      [0x1f345, 0x1f37f],
      [0x1f950, 0x1f96f],
      [0x1f9c0, 0x1f9cb],
      [0x1fad0, 0x1fadb],
      [0x2615, 0x2615],
    ],
  ],
  [
    'activities',
    [
      [0x1f380, 0x1f3d3],
      [0x1f3f8, 0x1f3fa],
      [0x1f93f, 0x1f94f],
      [0x1fa70, 0x1fa8f],
      [0x26bd, 0x26be],
      [0x26f3, 0x26f9],
    ],
  ],
  [
    'travel',
    [
      [0x1f680, 0x1f6a8],
      [0x1f6ab, 0x1f6ff],
      [0x1f3d4, 0x1f3f0],
      [0x1f5fa, 0x1f5ff],
      [0x2708, 0x2708],
      [0x26ea, 0x26ea],
    ],
  ],
  [
    'symbols',
    [
      [0x2000, 0x23ff],
      [0x2460, 0x25ff],
      [0x2611, 0x27bf],
      [0x2900, 0x33ff],
      [0x1f100, 0x1f2ff],
      [0x1f500, 0x1f53d],
      [0x1f7e0, 0x1f7f0],
      [0x1f170, 0x1f251],
    ],
  ],
];

export type EmojiGroup = 'people' | 'nature' | 'food' | 'activities' | 'travel' | 'objects' | 'symbols' | 'flags';

/** Returns the picker's group of a Unicode emoji, by its first code point. */
export function groupOfEmoji(code: string): EmojiGroup {
  const point = Number.parseInt(code, 16);
  return RANGES.find(([, ranges]) => ranges.some(([from, to]) => from <= point && point <= to))?.[0] ?? 'objects';
}
