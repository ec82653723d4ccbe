import { useMemo, useState } from 'preact/hooks';
import { conversationHash, routeOf } from '../../../addresses/index.ts';
import { type Client, showNotice, useClient } from '../../../client/index.ts';
import { Completion } from '../../../compose/index.ts';
import { conversationIn } from '../../../messages/index.ts';
import { type Conversation, conversationOf, keyOf } from '../../../model/index.ts';
import { Chip, Dialog } from '../../../ui/index.ts';
import { Field, TextArea } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { ranked } from '../../overlays/rank.ts';
import { conversations, people, type Target } from '../../overlays/targets.tsx';
import { RenderedBody } from '../../rendered-body.tsx';
import { faceOf, titleOf } from '../../shown.ts';
import { ConversationTitle } from '../../topic-name.tsx';
import { useTyped } from '../../typed.tsx';
import { quoted } from '../quoting.ts';
import { AskingFoot, type AskingProps, useAsking } from './asking.tsx';

/** Most conversations that are offered at once. */
const MOST = 6;

/** A dialog that forwards a message as a quotation, with a comment. */
export function ForwardDialog({ message, onClose }: AskingProps) {
  const client = useClient();
  const [to, setTo] = useState<readonly Conversation[]>([]);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const form = `forward-${message.id}`;
  const [words, setWords] = useTyped(form, 'words', '');
  const targets = useMemo(() => [...conversations(client), ...people(client)], [client]);
  const options =
    query.trim() === ''
      ? []
      : ranked(targets, query, 50)
          .filter((one) => placeOf(client, one))
          .slice(0, MOST);
  const { isBusy, run, fault } = useAsking(() => {
    showNotice(client, t('forward.done'), false);
    onClose();
  }, form);
  const add = (target: Target | undefined) => {
    const place = target && placeOf(client, target);
    if (!place) return;
    setTo([...to.filter((one) => keyOf(one) !== keyOf(place)), place]);
    setQuery('');
    setChosen(0);
  };
  const send = () =>
    run(async () => {
      const quote = await quoted(client, message);
      const text = words.trim() === '' ? quote : `${words.trim()}\n\n${quote}`;
      for (const conversation of to) await client.outbox.add(conversation, text);
    });
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && options.length > 0) setChosen((chosen + step + options.length) % options.length);
    else if (event.key === 'Enter' && options.length > 0) add(options[chosen]);
    else if (event.key === 'Backspace' && query === '') setTo(to.slice(0, -1));
    else return;
    event.preventDefault();
  };
  return (
    <Dialog
      title={t('forward.title')}
      onClose={onClose}
      onSubmit={send}
      foot={
        <AskingFoot
          label={t('forward.do')}
          isBusy={isBusy}
          refusal={to.length === 0 ? t('forward.toFirst') : undefined}
          form={form}
          onClose={onClose}
        />
      }
    >
      <Field label={t('compose.to')} error={fault}>
        {(names) => (
          <div class="recips">
            {to.map((one) => (
              <Chip
                key={keyOf(one)}
                removal={{
                  label: t('common.remove', { name: titleOf(client, one) }),
                  onRemove: () => setTo(to.filter((other) => other !== one)),
                }}
              >
                <ConversationTitle conversation={one} />
              </Chip>
            ))}
            <input
              {...names}
              role="combobox"
              aria-expanded={options.length > 0}
              aria-controls="forward-to"
              aria-activedescendant={options.length > 0 ? `forward-to-${chosen}` : undefined}
              aria-autocomplete="list"
              autocomplete="off"
              dir="auto"
              value={query}
              onInput={(event) => {
                setQuery(event.currentTarget.value);
                setChosen(0);
              }}
              onKeyDown={onKey}
            />
          </div>
        )}
      </Field>
      {options.length > 0 && (
        <Completion
          id="forward-to"
          label={t('forward.places')}
          isInset
          options={options.map(({ key, name, isUnnamed, note, lead, icon }) => ({
            key,
            name,
            isUnnamed,
            note,
            lead,
            icon,
          }))}
          selected={chosen}
          onPoint={setChosen}
          onChoose={({ key }) => add(options.find((one) => one.key === key))}
        />
      )}
      <Field label={t('forward.words')}>
        {(names) => <TextArea {...names} rows={2} value={words} onText={setWords} />}
      </Field>
      <figure class="fwd">
        <figcaption>
          <b dir="auto">{faceOf(client, message.sender_id).name}</b>
          <span class="quiet" dir="auto">
            <a href={conversationHash(conversationOf(message), client.names, message.id)} onClick={onClose}>
              <ConversationTitle conversation={conversationOf(message)} />
            </a>
          </span>
        </figcaption>
        <div class="body clip-lines">
          <RenderedBody html={message.content} />
        </div>
      </figure>
    </Dialog>
  );
}

/** Returns the conversation of a target; undefined for a whole channel. */
function placeOf(client: Client, { hash }: Target): Conversation | undefined {
  const there = hash === undefined ? undefined : routeOf(hash, client.names);
  return there?.view === 'narrow' ? conversationIn(there.narrow, client.model.me) : undefined;
}
