import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useClient } from '../../client/index.ts';
import { Button, IconButton, Popover } from '../../ui/index.ts';
import { Field, TextInput } from '../../ui/field.tsx';
import { t } from '../../words/deferred.ts';
import { Fault, useAsking } from '../feed/dialogs/asking.tsx';
import { closeOverlay } from '../overlays/open.ts';
import { named, ranked } from '../overlays/rank.ts';
import { noticeFailure } from '../notice-failure.ts';
import { useTyped } from '../typed.tsx';

interface SnippetsProps {
  readonly anchor: HTMLElement;
  /** The composer's text, which can be saved as a snippet. */
  readonly text: string;
  readonly onChoose: (text: string) => void;
}

/** The person's saved snippets: to search, insert, save and delete. See protocol/saved#snippets. */
export function SnippetsPopover({ anchor, text, onChoose }: SnippetsProps) {
  const client = useClient();
  const box = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const [isNew, setNew] = useState(false);
  const all = client.model.facts.get('saved_snippets') ?? [];
  const found = ranked(
    all.map((one) => named({ ...one, name: one.title })),
    query,
    50,
  );
  // Before the next key is pressed, which is meant for the field.
  useLayoutEffect(() => box.current?.querySelector('input')?.focus(), [isNew]);
  const choose = (content: string) => {
    closeOverlay();
    onChoose(content);
  };
  const remove = (saved_snippet_id: number) =>
    void noticeFailure(client, client.api.call('DELETE', '/saved_snippets/{saved_snippet_id}', { saved_snippet_id }));
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const chosen = found[at];
    if (step !== 0 && found.length > 0) setAt((at + step + found.length) % found.length);
    else if (event.key === 'Enter' && chosen) choose(chosen.content);
    else return;
    event.preventDefault();
  };
  return (
    <Popover anchor={anchor} onClose={closeOverlay} class="snips" role="dialog" label={t('snippets.label')} above>
      <div ref={box}>
        {isNew ? (
          <NewSnippet text={text} onDone={() => setNew(false)} />
        ) : (
          <>
            <div class="find">
              <TextInput
                icon="search"
                role="combobox"
                aria-expanded={found.length > 0}
                aria-controls="snippets"
                aria-activedescendant={found.length > 0 ? `snippet-${at}` : undefined}
                aria-autocomplete="list"
                aria-label={t('snippets.find')}
                placeholder={t('snippets.find')}
                autocomplete="off"
                value={query}
                onText={(typed) => {
                  setQuery(typed);
                  setAt(0);
                }}
                onKeyDown={onKey}
              />
            </div>
            <ul class="options" role="listbox" id="snippets" aria-label={t('snippets.label')}>
              {found.map(({ id, title, content }, index) => (
                <li
                  key={id}
                  id={`snippet-${index}`}
                  class="option two-line"
                  role="option"
                  aria-selected={index === at}
                  onClick={() => choose(content)}
                >
                  <span class="grow">
                    <b class="clip" dir="auto">
                      {title}
                    </b>
                    <small class="clip" dir="auto">
                      {content}
                    </small>
                  </span>
                </li>
              ))}
            </ul>
            {found.length === 0 && <p class="nothing">{t(all.length === 0 ? 'snippets.none' : 'snippets.nothing')}</p>}
            <div class="pop-foot">
              {text.trim() !== '' && (
                <Button small look="ghost" icon="plus" onPress={() => setNew(true)}>
                  {t('snippets.new')}
                </Button>
              )}
              <span class="grow" />
              {found[at] && (
                <IconButton
                  icon="trash"
                  small
                  label={t('snippets.delete', { name: found[at].title })}
                  onPress={() => found[at] && remove(found[at].id)}
                />
              )}
            </div>
          </>
        )}
      </div>
    </Popover>
  );
}

function NewSnippet({ text, onDone }: { readonly text: string; readonly onDone: () => void }) {
  const { api } = useClient();
  const [title, setTitle] = useTyped('snippet', 'title', '');
  const { fault, isBusy, run } = useAsking(onDone, 'snippet');
  const save = (event: Event) => {
    event.preventDefault();
    run(() => api.call('POST', '/saved_snippets', { title, content: text }));
  };
  return (
    <form class="stack-v pad" onSubmit={save}>
      <Field label={t('snippets.title')}>
        {(names) => <TextInput {...names} value={title} maxLength={60} onText={setTitle} required />}
      </Field>
      <p class="quiet clip" dir="auto">
        {text}
      </p>
      <Fault text={fault} />
      <Button look="primary" submit busy={isBusy}>
        {t('snippets.save')}
      </Button>
    </form>
  );
}
