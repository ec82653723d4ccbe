import { endpoint, humans } from '#kernel/endpoint';
import { idOf, list, nullable, object, oneOf, str, timestamp } from '#kernel/schema';
import type { ReadContext } from '#kernel/context';
import type { Actor } from '#kernel/auth';
import { listTokens } from './legacy/index.ts';
import { listDevices } from './queries.ts';
import type { DeviceId } from './tables.ts';

/** A phone of the caller, and the results of the last notifications to it. See protocol/push#phones. */
const phone = object({
  device_id: nullable(idOf<DeviceId>()),
  kind: oneOf('fcm', 'apns'),
  app_id: nullable(str()),
  delivered_at: nullable(timestamp()),
  failing_since: nullable(timestamp()),
  failure: nullable(str()),
});

async function listPhones(context: ReadContext, { realmId, userId }: Actor) {
  return context.store.of(realmId).read(async (tx) => {
    const [devices, tokens] = [await listDevices(tx, userId), await listTokens(tx, userId)];
    const known = devices.filter(({ push_token_id }) => push_token_id !== null);
    return [
      ...known.map((row) => ({ ...row, device_id: row.id, kind: row.push_token_kind ?? 'fcm', app_id: null })),
      ...tokens.map((row) => ({ ...row, device_id: null })),
    ].map(({ device_id, kind, app_id, delivered_at, failing_since, failure }) => ({
      device_id,
      kind,
      app_id,
      delivered_at,
      failing_since,
      failure,
    }));
  });
}

export const phonesEndpoint = endpoint({
  id: 'list-push-phones',
  method: 'GET',
  path: '/push_phones',
  source: 'protocol/push#phones',
  doc: "The caller's phones, with the last time at which the push service accepted a notification for each.",
  who: humans,
  params: {},
  returns: { phones: list(phone) },
  async run({ actor, context }) {
    return { phones: await listPhones(context, actor) };
  },
});
