import { useMemo, useState } from 'preact/hooks';
import { hashOf } from '../../addresses/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import { channelIn, conversationIn, type Narrow } from '../../messages/index.ts';
import { shortDay } from '../../words/index.ts';
import { t } from '../../words/deferred.ts';
import { overlay } from '../overlays/open.ts';
import { People, PeopleSection, PersonRow } from '../shell/people.tsx';
import { channelLook, faceOf, timeStyle } from '../shown.ts';
import { InSight, SLICE, slices } from '../sidebar/in-sight.tsx';
import { ordered } from './order.ts';
import { useSubscribers } from './subscribers.ts';

/** Estimated height of a row that was never drawn, in px. */
const ROW = 44;

interface PeopleViewProps {
  /** The open conversation or channel. */
  readonly narrow: Narrow;
  /** Whether it lies over the page, because there is no room beside it. */
  readonly isOver: boolean;
  readonly onHide: () => void;
}

/** The people of the open conversation, and the others of its channel. */
export function PeopleView({ narrow, isOver, onHide }: PeopleViewProps) {
  const client = useClient();
  const conversation = conversationIn(narrow, client.model.me);
  const channelId = channelIdIn(narrow);
  const writers = useWriters(client, narrow);
  const subscribers = useSubscribers(channelId);
  const inside = conversation && 'people' in conversation ? conversation.people : writers;
  const isInside = new Set(inside);
  const others = subscribers.filter((id) => !isInside.has(id));
  const channel = channelId === undefined ? '' : channelLook(client, channelId).name;
  return (
    <People isOver={isOver} onFind={() => (overlay.value = 'people')} onHide={onHide}>
      <Section
        title={conversation && channelId !== undefined ? t('people.inTopic') : t('people.inConversation')}
        ids={inside}
      />
      <Section
        title={t('people.othersIn', { channel })}
        ids={others}
        all={
          channelId === undefined
            ? undefined
            : hashOf({ view: 'channels', section: 'one', id: channelId, tab: 'subscribers' }, client.names)
        }
      />
    </People>
  );
}

function channelIdIn(narrow: Narrow): number | undefined {
  const operand = channelIn(narrow);
  return typeof operand === 'number' ? operand : undefined;
}

/** IDs of the senders of the loaded messages. */
function useWriters({ messages }: Client, narrow: Narrow): readonly number[] {
  const ids = messages.window(narrow).ids.value;
  return useMemo(() => {
    const senders = ids.flatMap((id) => messages.table.peek(id)?.sender_id ?? []);
    return [...new Set(senders.map(Number))];
  }, [messages, ids]);
}

interface SectionProps {
  readonly title: string;
  readonly ids: readonly number[];
  /** Address of the full list. */
  readonly all?: string | undefined;
}

function Section({ title, ids, all }: SectionProps) {
  const client = useClient();
  const [isOpen, setOpen] = useState(true);
  const { model } = client;
  // Subscribes to the clock of presences, so that changes are drawn at its next tick.
  void model.presences.now.value;
  if (ids.length === 0) return null;
  const people = ids.flatMap((id) => {
    const person = model.people.table.peek(id);
    return person?.isActive === true ? [{ id, name: person.user.full_name, presence: model.presences.peek(id) }] : [];
  });
  const { shown, left } = ordered(people);
  return (
    <PeopleSection title={title} count={people.length} isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
      {slices(shown).map((own, index) => (
        <InSight
          // The key is the index, so that people who are in the next conversation, too, keep their rows.
          key={index}
          count={own.length}
          row={ROW}
          isFirst={index === 0}
          mayHide={shown.length > SLICE}
          draw={() => own.map(({ id }) => <Row key={id} id={id} />)}
        />
      ))}
      {left > 0 && all !== undefined && (
        <ul>
          <li class="person more">
            <a href={all}>{t('people.more', { count: left })}</a>
          </li>
        </ul>
      )}
    </PeopleSection>
  );
}

function Row({ id }: { readonly id: number }) {
  const client = useClient();
  const face = faceOf(client, id);
  const presence = face.isBot === true ? undefined : client.model.presences.of(id);
  return (
    <PersonRow
      face={face}
      presence={presence}
      note={noteOf(client, id, presence)}
      onOpen={(anchor) => (overlay.value = { what: 'person', anchor, id })}
    />
  );
}

/** The person's status, the bot's owner, or when the person was last seen. */
function noteOf(client: Client, id: number, presence: string | undefined): string | undefined {
  const { model } = client;
  const owner = model.people.table.get(id)?.user.bot_owner_id;
  if (presence === undefined)
    return typeof owner === 'number' ? t('people.botOf', { name: faceOf(client, owner).name }) : t('person.bot');
  const text = model.statuses.get(id)?.status_text;
  if (text !== undefined && text !== '') return text;
  const seen = model.presences.table.get(id);
  const last = Math.max(seen?.active_timestamp ?? 0, seen?.idle_timestamp ?? 0);
  if (presence !== 'offline' || last === 0) return undefined;
  return t('people.lastSeen', { when: shortDay(last, model.presences.now.peek(), timeStyle(client)) });
}
