import { countHtml, recipientsOf, type Outgoing, prepareMessage } from '#features/messages';
import { topicLinker } from '#features/rendering';
import type { Claimed } from '#features/uploads';
import type { Actor, ActorReadTx, ActorWriteTx } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import { changeContent, type NewContent, previousContent } from './content.ts';
import { MovedMeanwhile } from './errors.ts';
import { messageUpdated } from './events.ts';
import { flagsOfAll, listRecipients } from './recipients.ts';
import { type LinkedMove, moveMessages } from './move.ts';
import { noticesOf, prepareNotices, type ReadyNotices, sendNotices, type Wishes } from './notices.ts';
import { type EditInput, type Plan, planEdit, proposeEdit, type RenderedEdit } from './plan.ts';
import { type Survey, surveyMove } from './survey.ts';

/** Result of an edit. */
interface Edited {
  /** The author's files that nothing uses any more. */
  readonly detached: Claimed['detached'];
}

/** A permitted edit, with its effect on topics and the notices about it. */
interface Draft {
  readonly plan: Plan;
  readonly survey: Survey | undefined;
  readonly notices: ReturnType<typeof noticesOf>;
}

/** The parts of an edit that are prepared before its transaction. */
interface Prepared {
  readonly linkTopic: Awaited<ReturnType<typeof topicLinker>>;
  readonly notices: ReadyNotices;
}

/** Attempts to prepare an edit whose topic keeps changing. */
const MAX_ATTEMPTS = 10;

/** Changes the content of a message, or moves it, perhaps with others. See protocol/editing#checks. */
export async function editMessage(context: Context, actor: Actor, input: EditInput & Wishes): Promise<Edited> {
  const outgoing = await renderEdit(context, actor, input);
  const draft = (tx: ActorReadTx) => draftEdit(tx, { ...input, outgoing });
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { notices } = await context.store.as(actor).read(draft);
    const prepared = {
      linkTopic: await topicLinker(context, actor.realm),
      notices: await prepareNotices(context, actor.realm, notices),
    };
    const edited = await context.store.as(actor).write(async (tx) => {
      await lockLog(tx);
      // Drafted again: between reading and writing somebody may have moved, deleted or added messages.
      const current = await draft(tx);
      if (!current.notices.every(({ text }) => prepared.notices.has(text))) return undefined;
      return applyEdit(context, tx, current, prepared);
    });
    if (edited) return edited;
  }
  throw MovedMeanwhile();
}

/** Renders new content after the checks that come before rendering. */
async function renderEdit(context: Context, actor: Actor, input: EditInput): Promise<Outgoing | undefined> {
  if (input.content === undefined) return undefined;
  const { content } = await context.store.as(actor).read((tx) => proposeEdit(tx, input));
  if (content === undefined) return undefined;
  const outgoing = await prepareMessage(context, actor, { content });
  await countHtml(context, outgoing);
  return outgoing;
}

async function draftEdit(tx: ActorReadTx, input: RenderedEdit & Wishes): Promise<Draft> {
  const plan = await planEdit(tx, input);
  const { move } = plan;
  if (!move) return { plan, survey: undefined, notices: [] };
  const survey = await surveyMove(tx, move);
  return { plan, survey, notices: noticesOf(tx.actor, { move, survey, wishes: input }) };
}

async function applyEdit(
  context: Context,
  tx: ActorWriteTx,
  { plan, survey, notices }: Draft,
  { linkTopic, notices: ready }: Prepared,
): Promise<Edited> {
  const { message, channel, content } = plan;
  const move = plan.move &&
    survey && {
      ...plan.move,
      ...survey,
      topicLinks: plan.move.isRenamed ? linkTopic(plan.move.topic) : null,
      edited: content ? { was: previousContent(message), content: content.outgoing.content } : null,
    };
  const detached = content ? await changeContent(context, tx, content, move !== undefined) : [];
  const moved = move && (await moveMessages(context, tx, move));
  const audience = moved?.audience ?? (await recipientsOf(tx, [message]));
  const recipients = moved?.recipients ?? (await listRecipients(tx, channel, [message], audience));
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
    message_ids: (move?.rows ?? [message]).map((row) => row.id),
    edit_timestamp: tx.now,
    ...(channel && { stream_id: channel.id, stream_name: channel.name }),
    ...(move && moveFields(move)),
    ...(content && contentFields(content)),
  };
  tx.emit(messageUpdated(payload, { audience, flags: await flagsOfAll(tx, seen, recipients) }));
  await sendNotices(context, tx, notices, ready);
  return { detached };
}

function moveFields({ message, source, target, topic, topicLinks, mode }: LinkedMove) {
  return {
    propagate_mode: mode,
    orig_subject: message.topic,
    ...(topicLinks && { subject: topic, topic_links: [...topicLinks] }),
    ...(source.id !== target.id && { new_stream_id: target.id }),
  };
}

function contentFields({ message, outgoing: { content, rendered } }: NewContent) {
  return {
    orig_content: message.content,
    orig_rendered_content: message.rendered_content,
    content,
    rendered_content: rendered.html,
    is_me_message: rendered.isMeMessage,
  };
}
