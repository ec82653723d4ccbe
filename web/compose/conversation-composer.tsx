import { useEffect, useRef, useState } from 'preact/hooks';
import { after, useClient } from '../client/index.ts';
import { type Conversation, keyOf } from '../model/index.ts';
import { t } from '../words/index.ts';
import { Composer, ComposerField, Dock } from './composer.tsx';
import { SendBar } from './tools.tsx';

/** Milliseconds of silence after which a draft is kept. */
const KEEP_MS = 500;

interface ConversationComposerProps {
  readonly conversation: Conversation;
  /** What the conversation is called. */
  readonly name: string;
}

/** Writes into one conversation. What is typed is kept; what is sent is shown at once. */
export function ConversationComposer({ conversation, name }: ConversationComposerProps) {
  const { drafts, outbox, clock, model, typing } = useClient();
  const key = keyOf(conversation);
  const [text, setText] = useState(() => drafts.get(key));
  const field = useRef<HTMLTextAreaElement>(null);
  const latest = useRef(text);
  latest.current = text;
  useEffect(
    () => () => {
      drafts.set(conversation, latest.current);
      typing.stopped();
    },
    [key],
  );
  useEffect(() => {
    const stop = new AbortController();
    void clock.sleep(KEEP_MS, stop.signal).then(() => stop.signal.aborted || drafts.set(conversation, text));
    return () => stop.abort();
  }, [text, key]);
  useEffect(
    () =>
      drafts.compose(key, {
        insert: (inserted) => {
          setText(after(latest.current, inserted));
          field.current?.focus();
        },
        // Whoever writes here knows better than another browser.
        replace: (other) => document.activeElement !== field.current && setText(other),
      }),
    [drafts, key],
  );
  const send = () => {
    const content = text.trim();
    if (content === '') return;
    setText('');
    drafts.set(conversation, '');
    typing.stopped();
    latest.current = '';
    void outbox.add(conversation, content);
    field.current?.focus();
  };
  const write = (typed: string) => {
    setText(typed);
    if (typed.trim() === '') typing.stopped();
    else typing.typed(conversation);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.isComposing || event.shiftKey) return;
    const enterSends = model.facts.peek('user_settings')?.enter_sends === true;
    if (!enterSends && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    send();
  };
  return (
    <Dock>
      <Composer
        label={t('compose.label')}
        isActive
        onSubmit={send}
        field={
          <ComposerField
            text={text}
            onText={write}
            placeholder={t('compose.placeholder', { name })}
            elementRef={field}
            onKeyDown={onKeyDown}
          />
        }
        bar={
          <div class="bar-row">
            <SendBar />
          </div>
        }
      />
    </Dock>
  );
}
