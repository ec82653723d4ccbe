import type { Client } from '../client/index.ts';
import { noticeFailure } from './notice-failure.ts';

/** A call, and another that undoes it. */
interface Change {
  /** The notice about what was done. */
  readonly text: string;
  /** Key of what is changed, such as a topic's policy: of several notices about it only the newest stays. */
  readonly about?: string;
  readonly run: () => Promise<unknown>;
  readonly undo: () => Promise<unknown>;
}

/** Makes a call without a confirmation, and offers to undo it for a while; returns whether it succeeded. */
export async function undoable(client: Client, { text, about, run, undo }: Change): Promise<boolean> {
  const isDone = await noticeFailure(client, run());
  if (isDone) offerUndo(client, text, undo, about);
  return isDone;
}

/** Shows a notice that offers to undo an action. */
export function offerUndo(client: Client, text: string, undo: () => Promise<unknown>, about?: string): void {
  client.notices.show(text, { isError: false, undo: () => void noticeFailure(client, undo()), about });
}
