import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { sentBy } from '../narrow/index.ts';
import { listUnreadIn, setRead } from '../reading/index.ts';
import { messagesRead } from '../core/index.ts';
import { flagsAdded } from './events.ts';

interface Muting {
  readonly userId: UserId;
  readonly mutedUserId: UserId;
}

/** Marks what a muted user has written read for the one who muted them. See protocol/channels#reading-channels. */
export async function readWhatMutedWrote(
  context: Context,
  tx: RealmWriteTx,
  { userId, mutedUserId }: Muting,
): Promise<void> {
  const messageIds = await listUnreadIn(tx, userId, [sentBy(mutedUserId)]);
  if (messageIds.length === 0) return;
  await setRead(tx, userId, messageIds);
  const audience = { users: [userId] };
  tx.emit(
    flagsAdded(tx.realmId, { operation: 'add', flag: 'read', messages: [...messageIds], all: false }, { audience }),
  );
  await messagesRead.send(context, tx, { read: new Map([[userId, messageIds]]) });
}
