import type { Client } from '../client/index.ts';
import { told } from './told.ts';

/** A call, and the one that does its opposite. */
interface Change {
  /** Says what was done. */
  readonly text: string;
  readonly run: () => Promise<unknown>;
  readonly undo: () => Promise<unknown>;
}

/** Does it at once, without a question, and offers the opposite for a while. Whether it was done. */
export async function undoable(client: Client, { text, run, undo }: Change): Promise<boolean> {
  const isDone = await told(client, run());
  if (isDone) offerUndo(client, text, undo);
  return isDone;
}

/** Offers the opposite of what was done. */
export function offerUndo(client: Client, text: string, undo: () => Promise<unknown>): void {
  client.notices.tell(text, { isError: false, undo: () => void told(client, undo()) });
}
