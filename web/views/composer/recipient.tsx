import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useClient } from '../../client/index.ts';
import { ChannelRecipient, Combo, DirectRecipients } from '../../compose/index.ts';
import { type Conversation, directWith, keyOf, othersIn } from '../../model/index.ts';
import { t } from '../../words/index.ts';
import { channelLook, faceOf } from '../shown.ts';
import { personsFor, placesFor, topicPlaceholder, topicRule, topicsFor } from './places.tsx';

/** The recipient of a message, and the controls that show and change it. */
export interface Recipient {
  readonly conversation: Conversation;
  readonly line: ComponentChildren;
  /** The list of channels over the composer, while it is open. */
  readonly popover: ComponentChildren;
  /** Why nothing can be sent there. */
  readonly refusal: string | undefined;
}

interface RecipientOptions {
  /** The conversation of the view. */
  readonly start: Conversation;
  /** Moves the focus to the text. */
  readonly onWrite: () => void;
  /** Closes the composer; replaces the button that goes back to `start`. */
  readonly onClose?: (() => void) | undefined;
}

/** The state of the recipient, which can be changed by pointer and by keys. */
export function useRecipient({ start, onWrite, onClose }: RecipientOptions): Recipient {
  const client = useClient();
  const { me } = client.model;
  const [place, setPlace] = useState(start);
  const [isChoosing, setChoosing] = useState(false);
  /** The people in the order in which they were chosen. */
  const [chosen, setChosen] = useState<readonly number[]>();
  const isUnnamed = chosen?.length === 0;
  const button = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const isElsewhere = keyOf(place) !== keyOf(start);
  // Before any other event, which may have chosen somebody else already.
  useLayoutEffect(() => {
    setPlace(start);
    setChosen(undefined);
  }, [keyOf(start)]);
  // Before the next key is pressed, which is meant for the field.
  useLayoutEffect(() => {
    if (onClose) field.current?.focus();
  }, []);
  const isChosen = useRef(false);
  // Once the field of the chosen recipient is there.
  useLayoutEffect(() => {
    if (isChosen.current) field.current?.focus();
    isChosen.current = false;
  });
  const goBack = () => {
    setPlace(start);
    setChosen(undefined);
    onWrite();
  };
  const common = {
    isChoosing,
    placeRef: button,
    onPlace: () => setChoosing(!isChoosing),
    closing:
      onClose !== undefined
        ? { label: t('compose.close'), onClose }
        : isElsewhere
          ? { label: t('compose.backHere'), onClose: goBack }
          : undefined,
  };
  const choose = (channelId: number | undefined) => {
    setChoosing(false);
    const topic = 'channelId' in place ? place.topic : '';
    setPlace(channelId === undefined ? directWith([], me) : { channelId, topic });
    setChosen(channelId === undefined ? [] : undefined);
    isChosen.current = true;
  };
  const line =
    'channelId' in place ? (
      <ChannelRecipient
        {...common}
        channel={channelLook(client, place.channelId)}
        field={
          <TopicField
            key={place.channelId}
            place={place}
            fieldRef={field}
            onTopic={(topic) => setPlace({ ...place, topic })}
            onWrite={onWrite}
          />
        }
      />
    ) : (
      <People
        {...common}
        people={chosen ?? othersIn(place, me)}
        fieldRef={field}
        onPeople={(people) => {
          setChosen(people);
          setPlace(directWith(people, me));
        }}
        onWrite={onWrite}
      />
    );
  return {
    conversation: place,
    line,
    refusal: refusalOf(place, isUnnamed, 'channelId' in place ? topicRule(client, place.channelId) : 'free'),
    popover: isChoosing && (
      <Places
        onChoose={choose}
        onClose={() => {
          setChoosing(false);
          button.current?.focus();
        }}
      />
    ),
  };
}

function refusalOf(place: Conversation, isUnnamed: boolean, rule: ReturnType<typeof topicRule>): string | undefined {
  if ('people' in place) return isUnnamed ? t('compose.whoFirst') : undefined;
  return rule === 'required' && place.topic === '' ? t('compose.topicFirst') : undefined;
}

interface PlacesProps {
  readonly onChoose: (channelId: number | undefined) => void;
  readonly onClose: () => void;
}

function Places({ onChoose, onClose }: PlacesProps) {
  const client = useClient();
  const [query, setQuery] = useState('');
  return (
    <div class="pop abs over-composer">
      <div class="find">
        <Combo
          label={t('compose.findPlace')}
          listLabel={t('complete.label.channel')}
          placeholder={t('compose.findPlace')}
          isOpen
          value={query}
          onText={setQuery}
          options={placesFor(client, query)}
          onChoose={({ channelId }) => onChoose(channelId)}
          onEscape={onClose}
          onLeave={onClose}
        />
      </div>
    </div>
  );
}

interface TopicFieldProps {
  readonly place: { readonly channelId: number; readonly topic: string };
  readonly fieldRef: { current: HTMLInputElement | null };
  readonly onTopic: (topic: string) => void;
  readonly onWrite: () => void;
}

/** A field for the topic, which takes effect when the field is left: a half-typed name must not get a draft. */
function TopicField({ place, fieldRef, onTopic, onWrite }: TopicFieldProps) {
  const client = useClient();
  const { channelId, topic } = place;
  const [typed, setTyped] = useState(topic);
  // Choosing a name also makes the field lose the focus, before the next render.
  const latest = useRef(topic);
  const write = (name: string) => setTyped((latest.current = name));
  // Before the next key is pressed, which may change it.
  useLayoutEffect(() => write(topic), [topic]);
  useEffect(() => void client.topics.refresh(channelId), [client, channelId]);
  const rule = topicRule(client, channelId);
  const take = (name: string) => {
    write(name);
    onTopic(name.trim());
  };
  return (
    <Combo
      class="topic unnamed"
      label={t('compose.topic')}
      listLabel={t('complete.label.topic')}
      isFree
      elementRef={fieldRef}
      placeholder={topicPlaceholder(client, channelId)}
      isReadOnly={rule === 'none'}
      isWrong={rule === 'required' && typed.trim() === '' && topic !== ''}
      maxLength={client.model.facts.get('max_topic_length') ?? 60}
      value={rule === 'none' ? '' : typed}
      onText={write}
      options={topicsFor(client, channelId, typed)}
      onChoose={({ name }) => {
        take(name);
        onWrite();
      }}
      onEnter={() => {
        take(typed);
        onWrite();
      }}
      onLeave={() => take(latest.current)}
    />
  );
}

interface PeopleProps extends Omit<Parameters<typeof DirectRecipients>[0], 'people' | 'field' | 'onRemove'> {
  readonly people: readonly number[];
  readonly fieldRef: { current: HTMLInputElement | null };
  readonly onPeople: (people: readonly number[]) => void;
  readonly onWrite: () => void;
}

function People({ people, fieldRef, onPeople, onWrite, ...common }: PeopleProps) {
  const client = useClient();
  const [query, setQuery] = useState('');
  const remove = (id: number) => {
    onPeople(people.filter((one) => one !== id));
    fieldRef.current?.focus();
  };
  return (
    <DirectRecipients
      {...common}
      people={people.map((id) => faceOf(client, id))}
      onRemove={({ id }) => remove(id)}
      field={
        <Combo
          class=""
          label={t('compose.addPerson')}
          listLabel={t('palette.people')}
          placeholder={people.length === 0 ? t('compose.addPerson') : ''}
          elementRef={fieldRef}
          value={query}
          onText={setQuery}
          options={query.trim() === '' ? [] : personsFor(client, query, people)}
          onChoose={({ id }) => {
            setQuery('');
            onPeople([...people.filter((one) => one !== client.model.me), id]);
          }}
          onEnter={onWrite}
          onBackspace={() => onPeople(people.slice(0, -1))}
        />
      }
    />
  );
}
