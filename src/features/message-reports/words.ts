import type { Actor } from '#kernel/auth';
import type { ChannelRow } from '#features/channels';
import { type MessageRow, quoted, silentMention, topicLink } from '#features/messages';
import { REPORT_NAMES, type ReportReason } from '#features/realm-settings';
import type { UserRow } from '#features/users';

interface Told {
  readonly reporter: Pick<Actor, 'fullName' | 'userId'>;
  readonly report_type: ReportReason;
  readonly description: string;
  readonly message: Pick<MessageRow, 'content' | 'topic'>;
  readonly sender: Pick<UserRow, 'id' | 'full_name'>;
  /** Undefined for direct messages. */
  readonly channel: Pick<ChannelRow, 'name'> | undefined;
  readonly address: string;
}

/** What moderators read of a report: who, whom, why, and the message itself. See protocol/reactions#reports. */
export function reportText({ reporter, report_type, description, message, sender, channel, address }: Told): string {
  const by = silentMention({ full_name: reporter.fullName, id: reporter.userId });
  const where = channel ? `in ${topicLink(channel, message.topic)}` : 'among direct messages';
  const note = description.trim();
  return [
    `${by} reported [a message](${address}) of ${silentMention(sender)} ${where}.`,
    `* **Reason:** ${REPORT_NAMES[report_type]}`,
    ...(note === '' ? [] : [`\n**Explanation:**\n${quoted(note)}`]),
    `\n**Message:**\n${quoted(message.content)}`,
  ].join('\n');
}
