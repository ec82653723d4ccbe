import type { ActorReadTx } from '#kernel/auth';
import { foldCase } from '#kernel/text';
import { accessMessages, hasTopic, listTopic, type MessageRow } from '#features/messages';
import type { Move } from './plan.ts';

/** The messages that a move takes along, and what it leaves behind. */
export interface Survey {
  /** The messages that move, ascending. */
  readonly rows: readonly MessageRow[];
  /** No message that the actor sees stays behind. */
  readonly isWhole: boolean;
  /** The new topic has messages already. */
  readonly targetHadMessages: boolean;
}

/** Reads both topics of a move before anything changes. See protocol/editing#moves. */
export async function surveyMove(tx: ActorReadTx, { message, source, target, topic, mode }: Move): Promise<Survey> {
  const all = (await listTopic(tx, message)).map(({ id }) => id);
  const visible = await accessMessages(tx, all);
  const rows = visible.filter(({ id }) => TAKES[mode](id, message.id));
  const isSameTopic = source.id === target.id && foldCase(topic) === foldCase(message.topic);
  return {
    rows,
    isWhole: isSameTopic || rows.length === visible.length,
    targetHadMessages: !isSameTopic && (await hasTopic(tx, target.recipient_id, topic)),
  };
}

/** Which messages of the topic move along with the named one. */
const TAKES: Readonly<Record<Move['mode'], (id: number, named: number) => boolean>> = {
  change_one: (id, named) => id === named,
  change_later: (id, named) => id >= named,
  change_all: () => true,
};
