import { SECONDS_PER_DAY } from '#kernel/clock';
import { readRealm } from '#features/realms';
import type { UserId } from '#kernel/ids';
import { defineJob, enqueue, type JobContext } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { deviceUpdated } from './events.ts';
import { askGateway, type GatewayAnswer } from './gateway.ts';
import { handleRefusal } from './service/index.ts';
import { deleteTokensById } from './legacy/index.ts';
import { type DeviceChanges, lockDevice, setDevice } from './queries.ts';
import type { TokenGroup } from './registration.ts';
import type { DeviceId, DeviceRow } from './tables.ts';

/** Age in seconds at which the service refuses a registration. See protocol/push#registering. */
const EXPIRES_AFTER_SECONDS = SECONDS_PER_DAY;
/** Most seconds between two attempts. */
const MAX_PAUSE_SECONDS = 1_800;
/** Codes of refusals that another attempt would not change. See protocol/push#registering. */
const FINAL_CODES = ['INVALID_BOUNCER_PUBLIC_KEY', 'REQUEST_EXPIRED', 'BAD_REQUEST'];

/** A pending registration. It is dropped when the device asks for another, or is deleted. */
interface Registration extends TokenGroup {
  readonly user_id: UserId;
  readonly device_id: DeviceId;
  readonly requested_at: number;
  readonly tries: number;
}

/** Registers a device with the push service; repeats attempts for a day. See protocol/push#effects. */
export const registerJob = defineJob<Registration, Context>(
  'push-registration',
  async (registration, job) => {
    const { context, realmId } = job;
    const { uuid } = await context.store.of(realmId).query((tx) => readRealm(tx));
    const { token_id, encrypted_push_registration, bouncer_public_key } = registration;
    const form = { realm_uuid: uuid, token_id, encrypted_push_registration, bouncer_public_key };
    const answer = context.pushGateway
      ? await askGateway(context, '/push/e2ee/register', { form })
      : ({ kind: 'unreachable' } as const);
    await handleRefusal(context, realmId, answer);
    await context.store.of(realmId).write((tx) => conclude(tx, job, registration, answer));
  },
  'phones',
);

/** Queues a registration in the transaction that asks for it. */
export function queueRegistration(tx: RealmWriteTx, device: DeviceRow, token: TokenGroup): Promise<void> {
  const { id: device_id, user_id } = device;
  return enqueue(tx, registerJob, {
    ...token,
    user_id,
    device_id,
    requested_at: tx.now,
    tries: 0,
  });
}

async function conclude(
  tx: RealmWriteTx,
  { finish }: JobContext<Context>,
  registration: Registration,
  answer: GatewayAnswer,
): Promise<void> {
  const { user_id, device_id, token_id, requested_at, tries } = registration;
  await finish(tx);
  const device = await lockDevice(tx, user_id, device_id);
  const isWanted =
    device?.pending_push_token_id === token_id && device.push_token_last_updated_timestamp === requested_at;
  if (!isWanted) return;
  if (answer.kind === 'accepted') {
    await deleteTokensById(tx, user_id, token_id);
    return change(tx, device, { push_token_id: token_id, pending_push_token_id: null });
  }
  const code = finalCode(answer, tx.now - requested_at);
  if (code !== undefined) return change(tx, device, { push_registration_error_code: code });
  const runAt = tx.now + Math.min(MAX_PAUSE_SECONDS, 2 ** (tries + 1));
  await enqueue(tx, registerJob, { ...registration, tries: tries + 1 }, { runAt });
}

/** Why the registration failed permanently; undefined if it may still succeed. */
function finalCode(answer: GatewayAnswer, age: number): string | undefined {
  if (answer.kind === 'refused' && FINAL_CODES.includes(answer.code)) return answer.code;
  return age >= EXPIRES_AFTER_SECONDS ? 'REQUEST_EXPIRED' : undefined;
}

async function change(
  tx: RealmWriteTx,
  device: DeviceRow,
  changes: Pick<DeviceChanges, 'push_token_id' | 'pending_push_token_id' | 'push_registration_error_code'>,
): Promise<void> {
  await setDevice(tx, device, changes);
  const audience = { users: [device.user_id] };
  tx.emit(deviceUpdated({ device_id: device.id, ...changes }, { audience }));
}
