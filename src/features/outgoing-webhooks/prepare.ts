import { type Bot, BotType, readBot } from '#features/bots';
import { type Destination, findMessages, type FullMessage, toFullMessages } from '#features/messages';
import { withRealm } from '#features/realms';
import { findUser } from '#features/users';
import type { RealmRef } from '#kernel/auth';
import type { MessageId, RealmId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';

/** A queued call. */
export interface Call {
  readonly bot_id: UserId;
  /** Whose workers it takes: the bot's owner, or who made the rule. Absent from jobs of an older release. */
  readonly owner_id?: UserId | null;
  readonly message_id: MessageId;
  readonly trigger: 'mention' | 'direct_message' | 'command' | 'rule';
  /** Name of the command, for `command`. */
  readonly command?: string;
  /** The channel rule that matched, for `rule`. */
  readonly rule_id?: number;
}

/** A call with everything it contains, as of now. */
export interface PreparedCall extends Call {
  readonly realm: RealmRef;
  readonly bot: Bot;
  readonly message: FullMessage;
  /** The destination of an answer: the message's conversation. */
  readonly destination: Destination;
}

/** Reads the contents of a call; undefined if the message or the bot has been deleted. */
export function prepareCall(context: Context, realmId: RealmId, call: Call): Promise<PreparedCall | undefined> {
  return context.store.of(realmId).read(async (idOnly) => {
    const tx = await withRealm(context, idOnly);
    const { realm } = tx;
    const user = await findUser(tx, call.bot_id);
    const rows = await findMessages(tx, [call.message_id]);
    const [message] = await toFullMessages(tx, rows, { host: realm.host });
    const isGone = realm.isDeactivated || !user?.is_active || user.bot_type !== BotType.outgoingWebhook || !message;
    if (isGone) return undefined;
    return { ...call, realm, bot: await readBot(tx, user), message, destination: placeOf(message) };
  });
}

function placeOf({ stream_id, subject, display_recipient }: FullMessage): Destination {
  if (stream_id !== undefined) return { channel: { id: stream_id }, topic: subject };
  const people = typeof display_recipient === 'string' ? [] : display_recipient;
  return { people: { ids: people.map((person) => person.id) } };
}
