import { effect } from '@preact/signals';
import { type Api, type Clock, paced } from '../api/index.ts';
import type { Model } from '../model/index.ts';
import { keepSubscribed } from './push.ts';

/** Renews the push subscription, and closes notifications of messages that were read, while the page is open. */
export async function followPush(api: Api, model: Model, clock: Clock): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', ({ data }) => onWorkerMessage(api, data));
  navigator.serviceWorker.startMessages();
  const pace = paced(clock, LOOK_MS);
  effect(() => {
    void model.unread.total;
    pace(() => void closeRead(model));
  });
  // After a failure the next visit tries again.
  await keepSubscribed(api).catch(() => undefined);
}

/** Handles a message of the service worker: to show an address, or to subscribe again. */
function onWorkerMessage(api: Api, data: unknown): void {
  if (typeof data !== 'object' || data === null || !('what' in data)) return;
  if (data.what === 'open' && 'hash' in data) location.hash = String(data.hash);
  if (data.what === 'subscribe') void keepSubscribed(api).catch(() => undefined);
}

/** Shortest interval at which notifications are checked, in milliseconds. */
const LOOK_MS = 1000;

/** Closes notifications whose messages were read here. */
async function closeRead(model: Model): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/sw.js');
  // If the list of unread messages is truncated, the page does not know which others were read.
  if (model.unread.isCut) return;
  const newest = model.facts.peek('max_message_id') ?? 0;
  for (const note of (await registration?.getNotifications()) ?? []) {
    const data: unknown = note.data;
    const ids = typeof data === 'object' && data !== null && 'ids' in data ? data.ids : undefined;
    const all = Array.isArray(ids) ? ids.map(Number) : [];
    // A notification may arrive before the event of its message.
    if (all.length > 0 && all.every((id) => id <= newest && !model.unread.has(id))) note.close();
  }
}
