import { InsufficientPermission } from '#kernel/errors';
import type { GroupSettingValue } from '#kernel/permissions';
import {
  assertAllowed,
  type Change,
  changedValue,
  CHANNEL_SETTINGS,
  channelSetting,
  type ChannelSettingName,
  readValues,
} from '#features/groups';
import { assertTopicsOpen, DELETION_POWER } from '../creating/index.ts';
import { ContentAccessRequired } from '../core/index.ts';
import type { UpdateContext } from './plan-update.ts';
import { mayRead } from '../rules.ts';

/** Changes of permissions as a request sends them. */
export type SentChanges = { readonly [K in ChannelSettingName]: Change | undefined };

/** A permission that really changes. */
export interface SettingChange {
  readonly name: ChannelSettingName;
  readonly old: GroupSettingValue;
  readonly value: GroupSettingValue;
}

/** Throws if the caller changes who deletes messages and may not. See protocol/channels#update-checks, step 18. */
export function assertMaySetDeletion({ powers }: UpdateContext, sent: SentChanges): void {
  const isSent = CHANNEL_SETTINGS.some(({ name, isDeletion }) => isDeletion && sent[name] !== undefined);
  if (isSent && !powers.holds(DELETION_POWER)) throw InsufficientPermission();
}

/**
 * Step 22: every permission that was sent and differs, checked, in the order of application.
 * See protocol/channels#update-checks.
 */
export async function settingChanges(
  { tx, channel, access }: UpdateContext,
  sent: SentChanges,
  isProtected: boolean,
): Promise<readonly SettingChange[]> {
  const changes: SettingChange[] = [];
  for (const { name, touchesContent } of CHANNEL_SETTINGS) {
    const change = sent[name];
    const value = change && (await changedValue(tx, channel[name], change));
    if (value === undefined) continue;
    if (touchesContent && !mayRead(channel, access)) throw ContentAccessRequired();
    assertTopicsOpen(name, value, tx.realm, isProtected);
    await assertAllowed(tx, channelSetting(name), value);
    const old = (await readValues(tx, [channel[name]])).get(channel[name]) ?? channel[name];
    changes.push({ name, old, value });
  }
  return changes;
}
