import type { Context } from '#kernel/context';
import { deleteTokens } from './queries.ts';
import type { Outcome, Push, Senders } from './senders.ts';
import type { GatewayDevice } from './tables.ts';

/** Simultaneous requests of one call to one manufacturer's service. */
const AT_ONCE = 200;

/** A notification and its phone. */
export interface Parcel {
  readonly device: GatewayDevice;
  readonly push: Push;
}

/** A parcel and its result. */
export interface Result extends Parcel {
  readonly outcome: Outcome;
}

/** Sends notifications to the manufacturers' services independently of each other, and deletes tokens that are gone. */
export async function deliverAll(
  context: Context,
  senders: Senders,
  parcels: readonly Parcel[],
): Promise<readonly Result[]> {
  const both = await Promise.all((['apns', 'fcm'] as const).map((kind) => deliverBy(context, senders, kind, parcels)));
  const results = both.flat();
  const gone = results.filter(({ outcome }) => outcome === 'gone').map(({ device }) => device);
  if (gone.length > 0)
    await context.store.write(async (tx) => {
      // A platform also says so if a token is for another app. A server that names a wrong app must not delete the phones
      // of other servers.
      for (const app of appsOf(gone)) {
        const own = gone.filter(({ kind, app_id }) => kind === app.kind && app_id === app.app_id);
        await deleteTokens(tx, app, own);
      }
    });
  return results;
}

/** A phone of each app. */
function appsOf(devices: readonly GatewayDevice[]): readonly GatewayDevice[] {
  return [...new Map(devices.map((device) => [`${device.kind} ${device.app_id ?? ''}`, device])).values()];
}

async function deliverBy(
  context: Context,
  senders: Senders,
  kind: GatewayDevice['kind'],
  parcels: readonly Parcel[],
): Promise<readonly Result[]> {
  const own = parcels.filter(({ device }) => device.kind === kind);
  const sender = senders[kind];
  const results: Result[] = [];
  const left = own.values();
  const work = async () => {
    for (const parcel of left) {
      const outcome = sender ? await sender.send(parcel.push) : 'refused';
      countOf(context).inc({ kind, outcome });
      results.push({ ...parcel, outcome });
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, own.length) }, work));
  return results;
}

function countOf({ metrics }: Context) {
  const about = 'Notifications for phones, by the maker of these and what became of them';
  return metrics.counter('roost_gateway_pushes_total', about, ['kind', 'outcome']);
}
