import { type ChannelRow, findChannel } from '#features/channels';
import {
  accessMessage,
  addressOfMessage,
  contentInWords,
  MAX_TOPIC,
  type MessageRow,
  prepareSystemMessage,
  quoted,
  sendPrepared,
  silentMention,
  topicLink,
} from '#features/messages';
import type { ReportReason } from '#features/realm-settings';
import { readRealm, settingsOf } from '#features/realms';
import { findUser, type UserRow } from '#features/users';
import type { Actor, RealmRefReadTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { asId, type ChannelId, type MessageId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { truncate } from '#kernel/text';
import { ExplanationRequired, NoModerationChannel } from './errors.ts';
import { type ReportWords, wordsOf } from './words.ts';

/** A report about a message. */
interface Report {
  readonly message_id: MessageId;
  readonly report_type: ReportReason;
  readonly description: string;
}

/**
 * Posts a report to the moderators through the notification bot; the message's sender is not notified. See
 * protocol/reactions#reports.
 */
export async function reportMessage(
  context: Context,
  actor: Actor,
  { message_id, report_type, description }: Report,
): Promise<void> {
  const found = await context.store.as(actor).read(async (tx) => {
    const moderation = await moderationChannel(tx);
    if (report_type === 'other' && description.trim() === '') throw ExplanationRequired();
    return { moderation, ...(await reported(tx, await accessMessage(tx, message_id))) };
  });
  await context.limits.take('message-report', String(actor.userId));
  const { moderation, message, sender, channel, address } = found;
  const words = wordsOf(actor.realm);
  const text = reportText(words, { reporter: actor, report_type, description, message, sender, channel, address });
  const outgoing = await prepareSystemMessage(context, actor.realm, { content: text });
  const topic = truncate(words.topic(sender.full_name), MAX_TOPIC, '...');
  await context.store
    .as(actor)
    .write((tx) => sendPrepared(context, tx, outgoing, { channel: { id: moderation.id }, topic }));
}

/** The channel for reports; throws if there is none. */
async function moderationChannel(tx: RealmReadTx): Promise<ChannelRow> {
  const { moderation_request_channel_id: id } = settingsOf(await readRealm(tx));
  const channel = id > 0 ? await findChannel(tx, asId<ChannelId>(id)) : undefined;
  if (!channel || channel.is_archived) throw NoModerationChannel();
  return channel;
}

async function reported(tx: RealmRefReadTx, message: MessageRow) {
  const sender: UserRow | undefined = await findUser(tx, message.sender_id);
  if (!sender) throw new Error('a message has no sender');
  const channel = message.channel_id === null ? undefined : await findChannel(tx, message.channel_id);
  const [address, content] = [await addressOfMessage(tx, message), await contentInWords(tx, message)];
  return { message: { topic: message.topic, content }, sender, channel, address };
}

interface ReportText {
  readonly reporter: Pick<Actor, 'fullName' | 'userId'>;
  readonly report_type: ReportReason;
  readonly description: string;
  readonly message: Pick<MessageRow, 'content' | 'topic'>;
  readonly sender: Pick<UserRow, 'id' | 'full_name'>;
  /** Undefined for direct messages. */
  readonly channel: Pick<ChannelRow, 'id' | 'name'> | undefined;
  readonly address: string;
}

/**
 * The text of a report for moderators: who reported, who is reported, why, and the message itself. See
 * protocol/reactions#reports.
 */
function reportText(words: ReportWords, report: ReportText): string {
  const { reporter, report_type, description, message, sender, channel, address } = report;
  const by = silentMention({ full_name: reporter.fullName, id: reporter.userId });
  const where = channel ? words.inChannel(topicLink(channel, message.topic)) : words.direct;
  const note = description.trim();
  return [
    words.reported(by, address, silentMention(sender), where),
    `* **${words.reason}** ${words.reasons[report_type]}`,
    ...(note === '' ? [] : [`\n**${words.explanation}**\n${quoted(note)}`]),
    `\n**${words.message}**\n${quoted(message.content)}`,
  ].join('\n');
}
