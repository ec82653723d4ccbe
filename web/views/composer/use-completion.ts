import { useEffect, useRef, useState } from 'preact/hooks';
import { useClient } from '../../client/index.ts';
import type { Writing } from '../../compose/index.ts';
import type { Conversation } from '../../model/index.ts';
import { t } from '../../words/index.ts';
import type { Offer } from './completions.tsx';
import type { Selected } from './formatting.ts';
import { type Token, tokenAt } from './token.ts';

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

export function useCompletion({ conversation, selected, put }: CompletionOptions): Completion {
  const client = useClient();
  const [completion, setCompletion] = useState<Completing>();
  const asked = useRef(0);
  useEffect(() => () => void (asked.current += 1), []);
  const look = () => {
    const { from, to, text } = selected();
    const token = from === to ? tokenAt(text, from) : undefined;
    const number = ++asked.current;
    if (!token) return setCompletion(undefined);
    import('../lists.ts')
      .then(({ offersFor }) => offersFor(client, token, conversation))
      .then(
        (offers) => {
          if (number !== asked.current) return;
          setCompletion(offers.length === 0 ? undefined : { token, offers, selected: 0 });
        },
        // Without their code or their list, the text is typed without completions.
        () => undefined,
      );
  };
  const choose = (offer: Offer, isSilent: boolean) => {
    if (!completion) return;
    const { from: start } = completion.token;
    const { text, to } = selected();
    setCompletion(undefined);
    const what = offer.insert(isSilent);
    put({ text: text.slice(0, start) + what + text.slice(to), from: start + what.length, to: start + what.length });
  };
  return {
    look,
    follow: () => completion && look(),
    onKey: (event) => completion !== undefined && onCompletionKey(event, completion, setCompletion, choose),
    shown: completion && {
      label: t(`complete.label.${completion.token.kind}`),
      options: completion.offers,
      selected: completion.selected,
      offersSilent: completion.token.kind === 'mention',
      onChoose: (option) => {
        const offer = completion.offers.find(({ key }) => key === option.key);
        if (offer) choose(offer, false);
      },
      onPoint: (index) => setCompletion({ ...completion, selected: index }),
    },
  };
}

interface Completing {
  readonly token: Token;
  readonly offers: readonly Offer[];
  readonly selected: number;
}

function onCompletionKey(
  event: KeyboardEvent,
  completion: Completing,
  set: (next: Completing | undefined) => void,
  choose: (offer: Offer, isSilent: boolean) => void,
): boolean {
  const { offers, selected } = completion;
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const offer = offers[selected];
  if (step !== 0) set({ ...completion, selected: (selected + step + offers.length) % offers.length });
  else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || (event.key === 'Tab' && !event.shiftKey)) {
    if (offer) choose(offer, event.shiftKey);
  } else if (event.key === 'Escape') {
    set(undefined);
    event.stopPropagation();
  } else return false;
  return true;
}
