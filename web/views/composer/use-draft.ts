import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { after, useClient } from '../../client/index.ts';
import { type Conversation, keyOf } from '../../model/index.ts';

/** Milliseconds without typing after which a draft is stored. */
const KEEP_MS = 500;

/** The text of an open composer, which is stored as the draft of its conversation. */
interface ComposedDraft {
  readonly text: string;
  /** Whether the text as it is has just been stored. */
  readonly isSaved: boolean;
  /** Returns the newest text, which may not have been rendered yet. */
  readonly latest: () => string;
  /** Takes what was typed, and tells the recipients that somebody types. */
  readonly write: (text: string) => void;
  /** Empties text and draft, once the message was sent or scheduled. */
  readonly empty: () => void;
}

/** Whether the focus is in the composer. */
const isEntered = () => Boolean(document.activeElement?.closest('.dock'));

/** The text of the composer of a conversation; `focus` moves the focus to it. */
export function useDraft(conversation: Conversation, focus: () => void): ComposedDraft {
  const { drafts, clock, typing } = useClient();
  const key = keyOf(conversation);
  const [text, setText] = useState(() => drafts.get(key));
  const [isSaved, setSaved] = useState(false);
  const latest = useRef(text);
  latest.current = text;
  const place = useRef(conversation);
  place.current = conversation;
  const change = (typed: string) => {
    setText(typed);
    setSaved(false);
    latest.current = typed;
  };
  const write = (typed: string) => {
    change(typed);
    if (typed.trim() === '') typing.stopped();
    else typing.typed(conversation);
  };
  const empty = () => {
    change('');
    drafts.set(conversation, '');
    typing.stopped();
  };
  useEffect(() => {
    // The draft moves to the new recipient; a half-typed name gets none.
    const keep = () => drafts.set(conversation, keyOf(place.current) === key ? latest.current : '');
    addEventListener('pagehide', keep);
    return () => {
      removeEventListener('pagehide', keep);
      keep();
      typing.stopped();
    };
  }, [key]);
  const seenKey = useRef(key);
  useEffect(() => {
    if (seenKey.current === key) return;
    seenKey.current = key;
    // The newly chosen recipient has a draft already.
    const begun = drafts.get(key);
    if (begun !== '' && begun !== latest.current)
      write(latest.current.trim() === '' ? begun : after(begun, latest.current));
  }, [key]);
  useEffect(() => {
    const stop = new AbortController();
    void clock.sleep(KEEP_MS, stop.signal).then(() => {
      if (stop.signal.aborted || text === drafts.get(key)) return;
      drafts.set(conversation, text);
      setSaved(text !== '');
    });
    return () => stop.abort();
  }, [text, key]);
  // The focus must have moved before the next key is pressed, which is meant for the text.
  useLayoutEffect(
    () =>
      drafts.compose(key, {
        enter: focus,
        isEntered,
        insert: (inserted) => {
          change(after(latest.current, inserted));
          focus();
        },
        take: () => {
          const typed = latest.current;
          write('');
          return typed;
        },
        // A draft of another browser does not replace the text while somebody writes here.
        replace: (other) => (isEntered() && document.hasFocus()) || setText(other),
      }),
    [drafts, key],
  );
  return { text, isSaved, latest: () => latest.current, write, empty };
}
