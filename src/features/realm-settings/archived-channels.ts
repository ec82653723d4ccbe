import { on } from '#kernel/slice';
import { channelArchived } from '#features/channels';
import { lockRealm, setRealmSettings, settingsOf } from '#features/realms';
import { CHANNELS, NONE } from './check.ts';
import { realmValuesUpdated } from './events.ts';

/** Settings that name an archived channel name none from then on. See protocol/channels#archiving. */
export const forgetArchived = on(channelArchived, async (_context, tx, { channel }) => {
  const row = await lockRealm(tx);
  const settings = settingsOf(row);
  const stale = CHANNELS.filter((name) => settings[name] === channel.id);
  if (stale.length === 0) return;
  const data = Object.fromEntries(stale.map((name) => [name, NONE]));
  await setRealmSettings(tx, { ...row.settings, ...data });
  tx.emit(realmValuesUpdated(tx.realmId, { property: 'default', data }));
});
