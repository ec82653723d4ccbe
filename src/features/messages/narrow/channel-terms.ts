import { findChannel, findChannelsByName, hasSharedHistory, mayKnow, mayRead, accessIn } from '#features/channels';
import { asId, type ChannelId, MAX_ID } from '#kernel/ids';
import { lookUp } from '#kernel/lists';
import { isGuest } from '#kernel/permissions';
import { foldCase } from '#kernel/text';
import { BadNarrow } from '../core/index.ts';
import type { Resolving, Resolved, Term } from './terms.ts';
import * as where from './queries.ts';

/**
 * Resolves `channel`. An invisible channel is answered like one that does not exist; a channel of which the reader sees
 * only the name gives an empty result. See protocol/narrows#faults.
 */
export async function resolveChannel(resolving: Resolving, operand: Term['operand']): Promise<Resolved> {
  const { tx } = resolving;
  const channel =
    typeof operand === 'number'
      ? await findChannel(tx, asId<ChannelId>(operand > MAX_ID ? 0 : operand))
      : (await findChannelsByName(tx, [String(operand)])).get(foldCase(String(operand)));
  if (!tx.actor) {
    if (!channel?.is_web_public) throw BadNarrow({ desc: `unknown web-public channel ${String(operand)}` });
    return { condition: where.inConversation(channel.recipient_id), channel, history: true, isNarrow: true };
  }
  const access = channel && (await accessIn(tx, channel));
  if (!channel || !access || !mayKnow(channel, access)) throw BadNarrow({ desc: `unknown channel ${String(operand)}` });
  const isReadable = mayRead(channel, access);
  return {
    condition: where.inConversation(channel.recipient_id),
    channel,
    history: isReadable && hasSharedHistory(channel),
    isNarrow: true,
    isEmpty: !isReadable,
  };
}

/** Resolves `channels`: all channels of a kind. */
export function resolveChannels({ reader }: Resolving, operand: Term['operand']): Resolved {
  const conditions: Readonly<Record<string, where.Condition>> = {
    public: where.inPublicChannel,
    'web-public': where.inWebPublicChannel,
    archived: where.inArchivedChannel,
  };
  const condition = typeof operand === 'string' ? lookUp(conditions, operand) : undefined;
  if (!condition) throw BadNarrow({ desc: `unknown channels operand ${String(operand)}` });
  return operand === 'archived'
    ? { condition }
    : { condition, history: reader.role !== null && !isGuest({ role: reader.role }) };
}
