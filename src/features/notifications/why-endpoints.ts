import { mutersByUser } from '#features/muted-users';
import { accessMessage, InvalidMessage, readBy } from '#features/messages';
import type { Actor } from '#kernel/auth';
import type { ReadContext } from '#kernel/context';
import { endpoint, humans, path } from '#kernel/endpoint';
import { idOf, list, nullable, oneOf } from '#kernel/schema';
import type { MessageId } from '#kernel/ids';
import { readWishes } from './concerned.ts';
import { idleAmong } from './decide.ts';
import { readMarks } from './marks.ts';
import { TRIGGERS, type Trigger, triggerFor } from './rules.ts';

const KEPT_BACK = ['sender', 'muted_sender', 'read', 'quiet_hours', 'active'] as const;

/**
 * The reasons to notify somebody of a message, and what suppresses the notification now. See
 * protocol/notifications#why.
 */
interface Why {
  readonly push: Trigger | null;
  readonly email: Trigger | null;
  readonly kept_back: (typeof KEPT_BACK)[number][];
}

/**
 * Explains to the caller why they are notified of a message, by the same decision as the notification itself. See
 * protocol/notifications#why.
 */
async function explain(context: ReadContext, actor: Actor, id: MessageId): Promise<Why> {
  const { userId } = actor;
  const muters = await mutersByUser(context, actor.realmId);
  return context.store.as(actor).read(async (tx) => {
    const message = await accessMessage(tx, id);
    const [marked] = await readMarks(tx, [{ message, after: 0 }]);
    const weigh = await readWishes(tx, [{ message, after: 0 }], [userId]);
    const candidate = marked && weigh(marked, userId);
    const isRead = (await readBy(tx, [userId], [message])).get(userId)?.has(id) ?? false;
    const isActive = !(await idleAmong(tx, [userId])).has(userId);
    const loud = candidate && { ...candidate, isQuiet: false };
    const push = (loud && triggerFor('push', loud, true)) ?? null;
    const email = (loud && triggerFor('email', loud, true)) ?? null;
    const back = {
      sender: message.sender_id === userId,
      muted_sender: (muters.get(message.sender_id) ?? []).includes(userId),
      read: isRead,
      quiet_hours: candidate?.isQuiet ?? false,
      active: isActive && !(candidate?.wishes.enable_online_push_notifications ?? false),
    };
    return { push, email, kept_back: KEPT_BACK.filter((name) => back[name]) };
  });
}

const trigger = nullable(oneOf(...TRIGGERS));

export const whyNotified = endpoint({
  id: 'get-message-notification',
  method: 'GET',
  path: '/messages/{message_id}/notification',
  source: 'protocol/notifications#why',
  doc: 'Why the caller is notified of a message by push and by mail, and what holds the notification back now.',
  who: humans,
  params: { message_id: path(idOf<MessageId>()) },
  returns: { push: trigger, email: trigger, kept_back: list(oneOf(...KEPT_BACK)) },
  fails: [InvalidMessage],
  async run({ actor, params, context }) {
    return explain(context, actor, params.message_id);
  },
});
