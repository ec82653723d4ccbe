import { recipientsOf, type MessageRow, type Outgoing, prepareMessage } from '#features/messages';
import { topicLinker } from '#features/rendering';
import type { Claimed } from '#features/uploads';
import type { Actor, ActorReadTx, ActorWriteTx } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { MessageId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { changeContent, previousContent } from './content.ts';
import { messageUpdated } from './events.ts';
import { flagsOfAll, listRecipients } from './recipients.ts';
import { type LinkedMove, moveMessages } from './move.ts';
import { noticesOf, prepareNotices, type ReadyNotices, sendNotices, type Wishes } from './notices.ts';
import { type EditInput, type Plan, planEdit, proposeEdit } from './plan.ts';
import { type Survey, surveyMove } from './survey.ts';

/** What an edit came to. */
interface Edited {
  /** The author's files that nothing uses any more. */
  readonly detached: Claimed['detached'];
}

/** An edit that is allowed, with what it does to topics and what is said of that. */
interface Draft {
  readonly plan: Plan;
  readonly survey: Survey | undefined;
  readonly notices: ReturnType<typeof noticesOf>;
}

/** What was made of an edit before its transaction. */
interface Prepared {
  readonly linkTopic: Awaited<ReturnType<typeof topicLinker>>;
  readonly notices: ReadyNotices;
}

/** How often an edit is prepared again because its topic changed meanwhile. */
const MAX_ATTEMPTS = 10;

/** Changes the content of a message, or its place and that of others with it. See protocol/editing#checks. */
export async function editMessage(
  context: Context,
  actor: Actor,
  id: MessageId,
  input: EditInput & Wishes,
): Promise<Edited> {
  const outgoing = await renderEdit(context, actor, id, input);
  const draft = (tx: ActorReadTx) => draftEdit(context, tx, id, input, outgoing);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { notices } = await context.store.as(actor).read(draft);
    const prepared = {
      linkTopic: await topicLinker(context, actor.realm),
      notices: await prepareNotices(context, actor.realm, notices),
    };
    const edited = await context.store.as(actor).write(async (tx) => {
      await lockLog(tx);
      // Asked again: between reading and writing somebody may have moved, deleted or added messages.
      const current = await draft(tx);
      if (!current.notices.every(({ text }) => prepared.notices.has(text))) return undefined;
      return applyEdit(context, tx, current, prepared);
    });
    if (edited) return edited;
  }
  throw new Error('the topic of an edit did not stand still');
}

/** New content rendered, once the checks that come before rendering are passed. */
async function renderEdit(
  context: Context,
  actor: Actor,
  id: MessageId,
  input: EditInput,
): Promise<Outgoing | undefined> {
  if (input.content === undefined) return undefined;
  const { content } = await context.store.as(actor).read((tx) => proposeEdit(tx, id, input));
  return content === undefined ? undefined : prepareMessage(context, actor, content);
}

async function draftEdit(
  context: Context,
  tx: ActorReadTx,
  id: MessageId,
  input: EditInput & Wishes,
  outgoing: Outgoing | undefined,
): Promise<Draft> {
  const plan = await planEdit(tx, id, input, outgoing);
  const { message, move } = plan;
  if (!move) return { plan, survey: undefined, notices: [] };
  const survey = await surveyMove(tx, message, move);
  return { plan, survey, notices: noticesOf(context, tx.actor, { message, move, survey, wishes: input }) };
}

async function applyEdit(
  context: Context,
  tx: ActorWriteTx,
  { plan, survey, notices }: Draft,
  { linkTopic, notices: ready }: Prepared,
): Promise<Edited> {
  const { message, channel, content } = plan;
  const move = plan.move && {
    ...plan.move,
    topicLinks: plan.move.isRenamed ? linkTopic(plan.move.topic) : null,
    edited: content ? { was: previousContent(message), content: content.outgoing.content } : null,
  };
  const detached = content ? await changeContent(context, tx, message, content, move !== undefined) : [];
  const moved = move && survey && (await moveMessages(context, tx, message, move, survey));
  const audience = moved?.audience ?? (await recipientsOf(tx, [message]));
  const recipients = moved?.recipients ?? (await listRecipients(tx, channel, [message]));
  const place = move?.target ?? channel;
  const seen = {
    ...message,
    ...(place && { recipient_id: place.recipient_id }),
    mentions_channel: content?.outgoing.rendered.mentionsChannel ?? message.mentions_channel,
  };
  const payload = {
    user_id: tx.actor.userId,
    rendering_only: false,
    message_id: message.id,
    message_ids: (moved?.rows ?? [message]).map((row) => row.id),
    edit_timestamp: tx.now,
    ...(channel && { stream_id: channel.id, stream_name: channel.name }),
    ...(move && moveFields(message, move)),
    ...(content && contentFields(message, content.outgoing)),
  };
  tx.emit(messageUpdated(tx.realmId, payload, { audience, flags: await flagsOfAll(tx, seen, recipients) }));
  if (move) await sendNotices(context, tx, move, notices, ready);
  return { detached };
}

function moveFields(message: MessageRow, { source, target, topic, topicLinks, mode }: LinkedMove) {
  return {
    propagate_mode: mode,
    orig_subject: message.topic,
    ...(topicLinks && { subject: topic, topic_links: [...topicLinks] }),
    ...(source.id !== target.id && { new_stream_id: target.id }),
  };
}

function contentFields(message: MessageRow, { content, rendered }: Outgoing) {
  return {
    orig_content: message.content,
    orig_rendered_content: message.rendered_content,
    content,
    rendered_content: rendered.html,
    is_me_message: rendered.isMeMessage,
  };
}
