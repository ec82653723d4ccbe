import { keyEnded } from '#features/users';
import { on } from '#kernel/slice';
import { deleteSubscriptions } from './queries.ts';

/** Browsers and apps whose key has ended show nothing more until they sign in again. See protocol/push#subscriptions. */
export const onKeyEnded = on(keyEnded, async (_context, tx, { userId }) => {
  await deleteSubscriptions(tx, userId);
});
