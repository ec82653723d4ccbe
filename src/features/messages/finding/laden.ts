import type { CallerReadTx } from '#kernel/auth';
import { findUsers } from '#features/users';
import type { UserId } from '#kernel/ids';
import {
  type MessageRow,
  partPages,
  type Reactor,
  reactionPages,
  toReactor,
  toSeenReactor,
  toWirePart,
  toWireReaction,
} from '../core/index.ts';
import { type Showing, showRows } from './show.ts';

/**
 * The JSON of one message in parts, for one with so many reactions, or votes in its poll, that it takes long to make: no
 * part takes more than a few milliseconds.
 */
export async function* ladenTexts(tx: CallerReadTx, row: MessageRow, showing: Showing): AsyncGenerator<string> {
  const [message] = await showRows(tx, [row], { ...showing, withAdditions: false });
  if (!message) return;
  const { reactions: _reactions, submessages: _parts, ...rest } = message;
  yield JSON.stringify(rest).slice(0, -1);
  yield* listTexts(',"reactions":[', seenReactions(tx, row, showing.host));
  yield* listTexts('],"submessages":[', wireParts(tx, row));
  yield ']}';
}

async function* seenReactions(tx: CallerReadTx, { id }: MessageRow, host: string) {
  // Most people of one page are in others, too.
  const reactors = new Map<UserId, Reactor>();
  for await (const page of reactionPages(tx, id)) {
    const missing = new Set(page.map((one) => one.user_id).filter((user) => !reactors.has(user)));
    for (const [user, row] of await findUsers(tx, [...missing]))
      reactors.set(user, toSeenReactor(toReactor(row, host), tx.actor?.viewer.hidden));
    yield page.flatMap((one) => {
      const user = reactors.get(one.user_id);
      return user ? [toWireReaction(one, user)] : [];
    });
  }
}

async function* wireParts(tx: CallerReadTx, { id }: MessageRow) {
  for await (const page of partPages(tx, id)) yield page.map(toWirePart);
}

/** The JSON of a list that comes in pages, without its end. */
async function* listTexts(opening: string, pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let before = opening;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield `${before}${JSON.stringify(page).slice(1, -1)}`;
    before = ',';
  }
  if (before === opening) yield opening;
}
