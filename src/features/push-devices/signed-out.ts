import { keyEnded } from '#features/users';
import { on } from '#kernel/slice';
import { deviceRemoved } from './events.ts';
import { deleteTokens, forgetTokensLater } from './legacy/index.ts';
import { deleteDevices } from './queries.ts';

/** Clients whose key has ended show nothing more until they sign in again. See protocol/push#devices. */
export const onKeyEnded = on(keyEnded, async (context, tx, { userId }) => {
  if ((await deleteTokens(tx, userId)) > 0) await forgetTokensLater(context, tx, userId);
  for (const device_id of await deleteDevices(tx, userId))
    tx.emit(deviceRemoved(tx.realmId, { device_id }, { audience: { users: [userId] } }));
});
