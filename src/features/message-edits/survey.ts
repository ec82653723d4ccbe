import type { ActorReadTx } from '#kernel/auth';
import { foldCase } from '#kernel/text';
import { accessMessages, hasTopic, listTopic, type MessageRow } from '#features/messages';
import type { Move } from './plan.ts';

/** What a move would take along and leave behind. */
export interface Survey {
  /** The messages that move, ascending. */
  readonly rows: readonly MessageRow[];
  /** Nothing that the actor sees stays behind. */
  readonly isWhole: boolean;
  /** The new topic has messages already. */
  readonly targetHadMessages: boolean;
}

/** Looks at both topics of a move before anything changes. See protocol/editing#moves. */
export async function surveyMove(
  tx: ActorReadTx,
  message: MessageRow,
  { source, target, topic, mode }: Move,
): Promise<Survey> {
  const all = (await listTopic(tx, source.recipient_id, message.topic)).map(({ id }) => id);
  const visible = await accessMessages(tx, all);
  const rows = visible.filter(({ id }) => TAKES[mode](id, message.id));
  const isSameTopic = source.id === target.id && foldCase(topic) === foldCase(message.topic);
  return {
    rows,
    isWhole: isSameTopic || rows.length === visible.length,
    targetHadMessages: !isSameTopic && (await hasTopic(tx, target.recipient_id, topic)),
  };
}

/** Which messages of the topic go with the one that is named. */
const TAKES: Readonly<Record<Move['mode'], (id: number, named: number) => boolean>> = {
  change_one: (id, named) => id === named,
  change_later: (id, named) => id >= named,
  change_all: () => true,
};
