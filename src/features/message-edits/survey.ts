import type { ActorReadTx } from '#kernel/auth';
import { inParts } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { accessHeads, hasTopic, idsOfTopic, type MessageHead, type MessageRow } from '#features/messages';
import type { Move } from './plan.ts';

/** The messages that a move takes along, and what it leaves behind. */
export interface Survey {
  /** The messages that move, ascending. */
  readonly rows: readonly MessageHead[];
  /** No message that the actor sees stays behind. */
  readonly isWhole: boolean;
  /** The new topic has messages already. */
  readonly targetHadMessages: boolean;
}

/** Messages that are read before other requests are served. */
const READ_AT_ONCE = 2_000;

/** Reads both topics of a move before anything changes. See protocol/editing#moves. */
export async function surveyMove(tx: ActorReadTx, { message, source, target, topic, mode }: Move): Promise<Survey> {
  const visible = await headsInTopic(tx, message);
  const rows = visible.filter(({ id }) => TAKES[mode](id, message.id));
  const isSameTopic = source.id === target.id && foldCase(topic) === foldCase(message.topic);
  return {
    rows,
    isWhole: isSameTopic || rows.length === visible.length,
    targetHadMessages: !isSameTopic && (await hasTopic(tx, target.recipient_id, topic)),
  };
}

/** The messages of a topic that the actor may read, ascending, without their texts. */
export async function headsInTopic(tx: ActorReadTx, message: MessageRow): Promise<readonly MessageHead[]> {
  const all = await idsOfTopic(tx, message);
  return (await inParts(all, READ_AT_ONCE, (some) => accessHeads(tx, some))).flat();
}

/** Which messages of the topic move along with the named one. */
const TAKES: Readonly<Record<Move['mode'], (id: number, named: number) => boolean>> = {
  change_one: (id, named) => id === named,
  change_later: (id, named) => id >= named,
  change_all: () => true,
};
