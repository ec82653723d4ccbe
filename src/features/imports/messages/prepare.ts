import { isHistoryFull } from '#features/message-edits';
import {
  cutContent,
  MAX_TOPIC,
  type MessageRow,
  renderContent,
  type StoredEdit,
  trimContent,
} from '#features/messages';
import type { topicLinker } from '#features/rendering';
import { actorOf } from '#features/users';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { asId, type ChannelId, type RecipientId, type UserId } from '#kernel/ids';
import type { WholeRow } from '#kernel/store';
import { foldCase, takeCodePoints } from '#kernel/text';
import type { Places, SubscriptionPeriod } from '../channels.ts';
import type { Entry } from '../entry.ts';
import type { Plan } from '../plan.ts';

/** Everything that messages need which is decided before them. */
export interface Filling {
  readonly context: Context;
  readonly plan: Plan;
  readonly realm: RealmRef;
  readonly places: Places;
  readonly periods: ReadonlyMap<string, readonly SubscriptionPeriod[]>;
  readonly users: ReadonlyMap<UserId, WholeRow<'user'>>;
  /** How many people have each name. */
  readonly names: ReadonlyMap<string, number>;
  readonly clients: ReadonlyMap<number, string>;
}

/** Messages that are ready to be stored, with what people have of them. */
export interface PreparedMessages {
  readonly messages: readonly Prepared[];
  readonly userMessages: readonly Entry[];
}

/** A message that is ready to be stored, but for the number of its conversation. */
export interface Prepared {
  readonly entry: Entry;
  readonly row: Omit<MessageRow, 'recipient_id' | 'channel_id'>;
  readonly people: readonly UserId[] | undefined;
  /** The conversation, where it is one of three people and more and keeps its ID. */
  readonly group: RecipientId | undefined;
  readonly place: { readonly channel: ChannelId; readonly recipient: RecipientId } | undefined;
  readonly groups: readonly number[];
}

/** Reads and renders a message; undefined, and named, where it cannot come. */
export async function prepare(
  filling: Filling,
  entry: Entry,
  linkTopic: Awaited<ReturnType<typeof topicLinker>>,
): Promise<Prepared | undefined> {
  const { context, plan, realm, users, clients } = filling;
  const id = plan.messages.of(entry.id('id'));
  const sender = plan.users.of(entry.idOrNull('sender'));
  const author = sender === undefined ? undefined : users.get(sender);
  const where = placeIn(filling, entry.id('recipient'), sender);
  const content = trimContent(rewritten(filling, entry));
  if (id === undefined || author === undefined || where === undefined || content === '') {
    const why = author === undefined ? 'nobody sent it' : where === undefined ? 'it has no place' : 'it is empty';
    plan.report.remark('messages left out', `${entry.id('id')}: ${why}`);
    return undefined;
  }
  const client = clients.get(entry.idOrNull('sending_client') ?? 0) ?? 'import';
  const actor = { ...actorOf(author, realm, plan.now), client };
  const render = (text: string) => renderContent(context, actor, { author, content: text });
  const rendered = await render(content);
  const topic = where.place
    ? takeCodePoints(
        entry
          .text('subject', '')
          .replaceAll(/\p{Cc}/gu, ' ')
          .trim(),
        MAX_TOPIC,
      )
    : '';
  return {
    entry,
    ...where,
    groups: [...rendered.mentionedGroupIds],
    row: {
      id,
      realm_id: plan.realmId,
      sender_id: author.id,
      topic,
      topic_key: foldCase(topic),
      content,
      rendered_content: rendered.html,
      sent_at: entry.time('date_sent', plan.now),
      client: takeCodePoints(client, 100),
      is_me_message: rendered.isMeMessage,
      has_attachment: rendered.hasAttachment,
      has_image: rendered.hasImage,
      has_link: rendered.hasLink,
      mentions_channel: rendered.mentionsChannel,
      mentions_groups: rendered.mentionedGroupIds.size > 0,
      topic_links: linkTopic(topic),
      edit_history: await editsOf(filling, entry, async (text) =>
        text.trim() === '' ? '' : (await render(text)).html,
      ),
      last_edit_at: entry.timeOrNull('last_edit_time'),
      last_moved_at: entry.timeOrNull('last_moved_time'),
      delivery_id: null,
    },
  };
}

/** Where a message went; undefined for a place that the archive does not have. */
function placeIn(
  { places, plan }: Filling,
  recipient: number,
  sender: UserId | undefined,
): Pick<Prepared, 'people' | 'place' | 'group'> | undefined {
  const place = places.channels.get(recipient);
  if (place) return { place, people: undefined, group: undefined };
  if (sender === undefined) return undefined;
  const people = places.groups.get(recipient);
  // In some archives two people are a group like any other; here each set of people has one conversation.
  if (people) return { people, place: undefined, group: people.length > 2 ? plan.recipients.of(recipient) : undefined };
  const person = places.people.get(recipient);
  return person === undefined ? undefined : { people: [sender, person], place: undefined, group: undefined };
}

/** The text with the numbers that the organization and its people have here, in addresses of files and in mentions. */
function rewritten({ plan, users, names }: Filling, entry: Entry): string {
  const { sourceRealmId, realmId } = plan;
  const isForeign = entry.has('import_key');
  const content = entry
    .text('content', '')
    .replaceAll(/(@_?\*\*)([^*|\n]+)\|(\d{1,10})(?=\*\*)/g, (_all, mark: string, name: string, id: string) => {
      const user = users.get(plan.users.of(Number(id)) ?? asId(0));
      if (!user) return `${mark}${name}|${id}`;
      // Other products know people by codes: here they are called what they are called here.
      if (!isForeign) return `${mark}${name}|${user.id}`;
      return names.get(foldCase(user.full_name)) === 1 ? mark + user.full_name : `${mark}${user.full_name}|${user.id}`;
    });
  if (sourceRealmId === Number(realmId)) return content;
  return content.replaceAll(`/user_uploads/${sourceRealmId}/`, `/user_uploads/${realmId}/`);
}

/** How many people have each name. */
export function namesOf(users: Filling['users']): Filling['names'] {
  const names = new Map<string, number>();
  for (const { full_name } of users.values()) {
    const key = foldCase(full_name);
    names.set(key, (names.get(key) ?? 0) + 1);
  }
  return names;
}

/** Most changes of one message that are imported. */
const MAX_EDITS = 1000;

/** The changes of a message. What it was before is rendered anew: HTML of an archive is never shown. */
async function editsOf(
  { plan }: Filling,
  entry: Entry,
  render: (content: string) => Promise<string>,
): Promise<readonly StoredEdit[] | null> {
  const edits: StoredEdit[] = [];
  // The newest come first.
  const parts = entry.parts('edit_history');
  for (const [index, part] of parts.entries()) {
    if (index === MAX_EDITS || isHistoryFull(edits)) {
      plan.report.remark('earlier versions left out', `${part.placeOf('prev_content')} and those before it`);
      break;
    }
    const given = part.textOrNull('prev_content');
    const prev_content = given === null ? null : cutContent(given);
    const [prev_topic, topic] = [
      part.textOrNull('prev_topic') ?? part.textOrNull('prev_subject'),
      part.textOrNull('topic'),
    ];
    const [prev_stream, stream] = [
      plan.channels.of(part.idOrNull('prev_stream')),
      plan.channels.of(part.idOrNull('stream')),
    ];
    edits.push({
      user_id: plan.users.orNull(part.idOrNull('user_id')),
      timestamp: part.time('timestamp', 0),
      ...(prev_content !== null && { prev_content, prev_rendered_content: await render(prev_content) }),
      ...(prev_topic !== null && { prev_topic }),
      ...(topic !== null && { topic }),
      ...(prev_stream !== undefined && { prev_stream }),
      ...(stream !== undefined && { stream }),
    });
  }
  return edits.length === 0 ? null : edits;
}
