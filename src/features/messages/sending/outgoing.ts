import { mutersByUser } from '#features/muted-users';
import { type Rendered, topicLinker, type Widget } from '#features/rendering';
import { findUser, type UserRow } from '#features/users';
import type { Actor } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import type { Origin } from '#kernel/events';
import type { Context } from '#kernel/context';
import { normaliseContent } from '../core/index.ts';
import { renderContent } from './render.ts';

/** A message ready to be stored: checked and rendered, but for its place. */
export interface Outgoing {
  readonly actor: Actor;
  readonly sender: UserRow;
  readonly host: string;
  readonly content: string;
  readonly rendered: Rendered;
  /** The links in the name of a topic. */
  readonly linkTopic: Awaited<ReturnType<typeof topicLinker>>;
  readonly widget: Widget | undefined;
  /** The queue that gets the client's own name of the message back. */
  readonly origin: Origin | undefined;
  /** Whether the sender has read it by sending it. */
  readonly isRead: boolean;
  /** Others for whom it is read from the start: a notice of what they did themselves. */
  readonly alsoReadBy?: readonly UserId[];
  /** Everybody who has muted the sender, receivers or not. */
  readonly mutedBy: readonly UserId[];
}

interface Options extends Partial<Pick<Outgoing, 'origin' | 'isRead' | 'widget'>> {
  /** Whether the text came by mail, where what is indented is no code. See protocol/mail#receiving. */
  readonly isFromMail?: boolean;
}

/** Checks and renders a text that is to be sent; the slow half of sending, outside any transaction. */
export async function prepareMessage(
  context: Context,
  actor: Actor,
  text: string,
  options: Options = {},
): Promise<Outgoing> {
  const content = normaliseContent(text);
  const sender = await context.store.as(actor).query((tx) => findUser(tx, actor.userId));
  if (!sender) throw new Error('the sender has no account');
  const rendered = await renderContent(context, actor, sender, content, {
    isFromMail: options.isFromMail ?? false,
  });
  return {
    actor,
    sender,
    host: context.realmHost(actor.realm),
    content,
    rendered,
    linkTopic: await topicLinker(context, actor.realm),
    widget: options.widget ?? rendered.widget,
    origin: options.origin,
    isRead: options.isRead ?? false,
    mutedBy: (await mutersByUser(context, actor.realmId)).get(actor.userId) ?? [],
  };
}
