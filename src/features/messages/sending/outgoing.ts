import { mutersByUser } from '#features/muted-users';
import { type Rendered, topicLinker, type Widget } from '#features/rendering';
import { findUser, type UserRow } from '#features/users';
import type { Actor } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import type { Origin } from '#kernel/events';
import type { Context } from '#kernel/context';
import { RULES } from '#kernel/limits';
import { normaliseContent, type PeopleAddress } from '../core/index.ts';
import { renderContent } from './render.ts';

/** HTML up to this size, in UTF-16 units, is what texts of people have; larger is counted. */
const LARGE_HTML = 32 * 1024;
/** Up to so many people are a group; larger ones are counted. */
const CROWD = 100;

/** A message that is checked and rendered, ready to be stored once its place is known. */
export interface Outgoing {
  readonly actor: Actor;
  readonly sender: UserRow;
  readonly host: string;
  readonly content: string;
  readonly rendered: Rendered;
  /** Finds the links in the name of a topic. */
  readonly linkTopic: Awaited<ReturnType<typeof topicLinker>>;
  readonly widget: Widget | undefined;
  /** The event queue that gets the client's local ID of the message back. */
  readonly origin: Origin | undefined;
  /** Whether the message counts as read by its sender. */
  readonly isRead: boolean;
  /** Other users for whom it is read from the start, because it is a notice about their own action. */
  readonly alsoReadBy?: readonly UserId[];
  /** Everybody who has muted the sender, whether or not they receive the message. */
  readonly mutedBy: readonly UserId[];
}

/** A text to send. */
interface Draft extends Partial<Pick<Outgoing, 'origin' | 'isRead' | 'widget'>> {
  readonly content: string;
  /** Whether the text came by mail, where indented text is no code. See protocol/mail#receiving. */
  readonly isFromMail?: boolean;
}

/** Checks and renders a text to send; the slow half of sending, outside any transaction. */
export async function prepareMessage(context: Context, actor: Actor, draft: Draft): Promise<Outgoing> {
  const { widget, origin, isRead = false, isFromMail = false } = draft;
  const content = normaliseContent(draft.content);
  const sender = await context.store.as(actor).query((tx) => findUser(tx, actor.userId));
  if (!sender) throw new Error('the sender has no account');
  const rendered = await renderContent(context, actor, { author: sender, content, isFromMail });
  return {
    actor,
    sender,
    host: actor.realm.host,
    content,
    rendered,
    linkTopic: await topicLinker(context, actor.realm),
    widget: widget ?? rendered.widget,
    origin,
    isRead,
    mutedBy: (await mutersByUser(context, actor.realmId)).get(actor.userId) ?? [],
  };
}

/**
 * Counts large HTML that an account is about to store against its limit; throws RATE_LIMIT_HIT beyond it. Short texts of
 * many mentions or formulas have a hundred times as much HTML, and messages, their history and their events all keep it.
 */
export async function countHtml({ limits }: Pick<Context, 'limits'>, { actor, rendered }: Outgoing): Promise<void> {
  const { length } = rendered.html;
  if (length > LARGE_HTML) await limits.take('large-html', String(actor.userId), Math.ceil(length / 1024));
}

/**
 * Counts a direct message to many people against the limit of its author; throws RATE_LIMIT_HIT beyond it. Each of them
 * receives the list of all, so that twenty messages to a thousand people would be two gigabytes.
 */
export async function countPeople({ limits }: Pick<Context, 'limits'>, { userId }: Actor, address: PeopleAddress) {
  const { length } = 'ids' in address ? address.ids : address.emails;
  const { points } = RULES['crowd-message'];
  if (length > CROWD)
    await limits.take('crowd-message', String(userId), Math.min(points, Math.ceil(length ** 2 / 1000)));
}
