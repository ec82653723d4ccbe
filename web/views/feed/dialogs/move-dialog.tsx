import { useEffect, useState } from 'preact/hooks';
import { type Client, useClient } from '../../../client/index.ts';
import { inConversation, type Message, toWireNarrow } from '../../../messages/index.ts';
import { Dialog } from '../../../ui/index.ts';
import { Checkbox, Field, Select, TextInput } from '../../../ui/field.tsx';
import { compareNames } from '../../../words/index.ts';
import { t } from '../../../words/deferred.ts';
import { topicPlaceholder } from '../../composer/places.tsx';
import { channelLook } from '../../shown.ts';
import { useTyped } from '../../typed.tsx';
import { mayMove } from '../message-rights.ts';
import { moveMessages } from '../moving.ts';
import { AskingFoot, type AskingProps, Fault, useAsking } from './asking.tsx';

/** Most messages that are counted on either side. */
const COUNTED = 1000;
const MODES = ['change_one', 'change_later', 'change_all'] as const;
type Mode = (typeof MODES)[number];

/** How many messages each way of moving takes along; undefined where there are too many to count. */
type Counts = Readonly<Record<Mode, number | undefined>>;

/** Moves a message, those after it, or its whole topic, to another topic or channel. See protocol/editing#moves. */
export function MoveDialog({ message, isWhole = false, onClose }: AskingProps) {
  const client = useClient();
  const rights = mayMove(client, message);
  const form = `move-${message.id}`;
  const [channelId, setChannelId] = useTyped(form, 'channel', Number(message.stream_id ?? 0));
  const [topic, setTopic] = useTyped(form, 'topic', message.subject);
  const [chosen, setMode] = useState<Mode>(isWhole ? 'change_all' : 'change_later');
  const [tellsOld, setTellsOld] = useState(false);
  const [tellsNew, setTellsNew] = useState(true);
  const counts = useCounts(client, message);
  const { fault, isBusy, run } = useAsking(onClose, form);
  // The newest message of a topic has none after it.
  const isNewest = counts?.change_later === 1;
  const mode = isNewest && chosen === 'change_later' ? 'change_one' : chosen;
  const modes = isWhole ? (['change_all'] as const) : MODES.filter((one) => !(isNewest && one === 'change_later'));
  const isElsewhere = channelId !== message.stream_id;
  const isSame = !isElsewhere && topic.trim() === message.subject;
  const channels = channelsToChoose(client, message.stream_id ?? 0);
  const count = counts?.[mode];
  const look = channelLook(client, channelId);
  const isNarrower = isElsewhere && look.kind === 'private';
  const move = () =>
    run(() =>
      moveMessages(client, message, {
        to: { channelId, topic: topic.trim() },
        mode,
        count,
        notes: { tellsOld, tellsNew },
      }),
    );
  return (
    <Dialog
      title={t('move.title')}
      onClose={onClose}
      onSubmit={move}
      foot={
        <AskingFoot
          label={count === undefined ? t('move.do') : t('move.doCount', { count })}
          isBusy={isBusy}
          refusal={isSame ? t('move.same') : undefined}
          form={form}
          onClose={onClose}
        />
      }
    >
      <div class="two">
        <Field label={t('compose.channelLabel')}>
          {(names) => (
            <Select
              {...names}
              options={channels}
              value={String(channelId)}
              disabled={!rights.channel}
              onChange={(value) => setChannelId(Number(value))}
            />
          )}
        </Field>
        <Field label={t('compose.topic')}>
          {(names) => (
            <TextInput
              {...names}
              class="input unnamed"
              placeholder={topicPlaceholder(client, channelId)}
              value={topic}
              onText={setTopic}
              readOnly={!rights.topic}
              maxLength={client.model.facts.get('max_topic_length') ?? 60}
              autocomplete="off"
            />
          )}
        </Field>
      </div>
      {isNarrower && <p class="warn">{t('move.private', { name: look.name })}</p>}
      <fieldset class="choices">
        <legend class="label">{t('move.which')}</legend>
        {modes.map((one) => (
          <label class="check" key={one}>
            <input type="radio" name="which" checked={mode === one} onChange={() => setMode(one)} />
            <span>{wordsOf(one, counts?.[one])}</span>
          </label>
        ))}
      </fieldset>
      <fieldset class="choices">
        <legend class="label">{t('move.notes')}</legend>
        <Checkbox label={t('move.noteOld')} checked={tellsOld} onChange={setTellsOld} />
        <Checkbox label={t('move.noteNew')} checked={tellsNew} onChange={setTellsNew} />
      </fieldset>
      <Fault text={fault} />
    </Dialog>
  );
}

function wordsOf(mode: Mode, count: number | undefined): string {
  if (mode === 'change_one') return t('move.one');
  const isAll = mode === 'change_all';
  if (count === undefined) return t(isAll ? 'move.all' : 'move.later');
  return isAll ? t('move.allCount', { count }) : t('move.laterCount', { count: count - 1 });
}

function channelsToChoose({ model }: Client, own: number) {
  return [...model.channels.table.all]
    .filter(([id, { membership, channel }]) => id === own || (membership === 'subscribed' && !channel.is_archived))
    .map(([id, { channel }]) => ({ value: String(id), label: channel.name }))
    .toSorted((a, b) => compareNames(a.label, b.label));
}

function useCounts(client: Client, message: Message): Counts | undefined {
  const [counts, setCounts] = useState<Counts>();
  useEffect(() => {
    count(client, message).then(setCounts, () => undefined);
  }, [client, message.id]);
  return counts;
}

async function count({ api }: Client, message: Message): Promise<Counts> {
  const found = await api.call('GET', '/messages', {
    narrow: toWireNarrow(inConversation({ channelId: message.stream_id ?? 0, topic: message.subject })),
    anchor: String(message.id),
    num_before: COUNTED,
    num_after: COUNTED,
    apply_markdown: false,
    client_gravatar: false,
    allow_empty_topic_name: true,
  });
  const later = found.messages.filter(({ id }) => Number(id) >= message.id).length;
  return {
    change_one: 1,
    change_later: found.found_newest ? later : undefined,
    change_all: found.found_newest && found.found_oldest ? found.messages.length : undefined,
  };
}
