import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import { type Client, useClient } from '../../client/index.ts';
import type { Writing } from '../../compose/index.ts';
import type { Conversation } from '../../model/index.ts';
import { t } from '../../words/index.ts';
import type { Offer, Offers } from './completions.tsx';
import type { Selected } from './formatting.ts';
import { isSameToken, type Token, tokenAt } from './token.ts';

interface CompletionOptions {
  readonly conversation: Conversation;
  /** Returns the text and what is selected of it. */
  readonly selected: () => Selected;
  /** Replaces the text and its selection. */
  readonly put: (next: Selected) => void;
}

/** The completions of what stands before the cursor. */
interface Completion {
  /** Looks for completions; a later call replaces an earlier one that is still waiting. */
  readonly look: () => void;
  /** Follows the cursor while completions are shown. */
  readonly follow: () => void;
  /** Handles a key; returns whether it was one of the list. */
  readonly onKey: (event: KeyboardEvent) => boolean;
  readonly shown: Writing['completion'];
}

/** A token and its completions. */
interface Completing {
  readonly token: Token;
  /** Undefined until they are found; empty also once the list was closed. */
  readonly offers: readonly Offer[] | undefined;
  readonly selected: number;
  /** The key that was pressed before they were found, which chooses the first one. */
  held?: KeyboardEvent;
}

export function useCompletion({ conversation, selected, put }: CompletionOptions): Completion {
  const client = useClient();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  // The next key may be pressed before the next render.
  const now = useRef<Completing>();
  useLayoutEffect(() => () => void (now.current = undefined), []);
  const set = (next: Completing | undefined) => {
    if (next === now.current) return;
    now.current = next;
    redraw(undefined);
  };
  const token = () => {
    const { from, to, text } = selected();
    return from === to ? tokenAt(text, from) : undefined;
  };
  const look = () => {
    const found = token();
    if (!found) return set(undefined);
    const offers = offersOf(client, found, conversation);
    if (!(offers instanceof Promise)) return set({ token: found, offers, selected: 0 });
    const waiting: Completing = { token: found, offers: undefined, selected: 0 };
    set(waiting);
    // Without their code or their list, the text is typed without completions.
    void offers.catch(() => []).then((late) => answer(waiting, late));
  };
  const answer = (waiting: Completing, offers: readonly Offer[]) => {
    const { held, token: asked } = waiting;
    const [first] = offers;
    if (held && first && document.activeElement === held.target) return choose(asked, first, held.shiftKey);
    if (now.current !== waiting) return;
    set({ token: asked, offers, selected: 0 });
    if (held) again(held, selected, put);
  };
  const choose = ({ from: start, typed }: Token, offer: Offer, isSilent: boolean) => {
    const { text, from, to } = selected();
    const end = start + typed.length;
    set(undefined);
    if (text.slice(start, end) !== typed) return;
    const what = offer.insert(isSilent);
    // What was typed after a key that waited stays after the completion.
    const moved = (at: number) => (at < end ? end : at) + what.length - typed.length;
    put({ text: text.slice(0, start) + what + text.slice(end), from: moved(from), to: moved(to) });
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (now.current && !isSameToken(now.current.token, token())) look();
    return now.current !== undefined && onCompletionKey(event, now.current, set, choose);
  };
  const { current } = now;
  return {
    look,
    follow: () => now.current && !isSameToken(now.current.token, token()) && look(),
    onKey,
    shown:
      current?.offers && current.offers.length > 0
        ? {
            label: t(`complete.label.${current.token.kind}`),
            options: current.offers,
            selected: current.selected,
            offersSilent: current.token.kind === 'mention',
            onChoose: (option) => {
              const offer = current.offers?.find(({ key }) => key === option.key);
              if (offer) choose(current.token, offer, false);
            },
            onPoint: (index) => now.current === current && set({ ...current, selected: index }),
          }
        : undefined,
  };
}

let find: ((...of: Parameters<typeof offersOf>) => Offers) | undefined;

/** Finds completions, at once when their code and their list are there: the next key may come before a promise does. */
function offersOf(client: Client, token: Token, conversation: Conversation): Offers {
  if (find) return find(client, token, conversation);
  return import('../lists.ts').then(({ offersFor }) => (find = offersFor)(client, token, conversation));
}

function onCompletionKey(
  event: KeyboardEvent,
  completing: Completing,
  set: (next: Completing | undefined) => void,
  choose: (token: Token, offer: Offer, isSilent: boolean) => void,
): boolean {
  const { token, offers, selected, held } = completing;
  if (offers?.length === 0) return false;
  if (isChoosing(event)) {
    const offer = offers?.[selected];
    // Pressed once more, the key does what it does without completions.
    if (!offers) return held === undefined && Boolean((completing.held = event));
    if (offer) choose(token, offer, event.shiftKey);
  } else if (event.key === 'Escape' && (offers ?? held)) {
    set({ token, offers: [], selected: 0 });
    event.stopPropagation();
  } else {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || !offers) return false;
    set({ ...completing, selected: (selected + step + offers.length) % offers.length });
  }
  return true;
}

function isChoosing({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return (key === 'Enter' && !ctrlKey && !metaKey) || (key === 'Tab' && !shiftKey);
}

/** Lets an Enter that waited for completions do what it does without any. */
function again(key: KeyboardEvent, selected: CompletionOptions['selected'], put: CompletionOptions['put']): void {
  if (key.key !== 'Enter') return;
  const repeated = new KeyboardEvent('keydown', key);
  const { text, from, to } = selected();
  if (key.target?.dispatchEvent(repeated) !== false)
    put({ text: `${text.slice(0, from)}\n${text.slice(to)}`, from: from + 1, to: from + 1 });
}
