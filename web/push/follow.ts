import { effect } from '@preact/signals';
import { type Api, type Clock, paced } from '../api/index.ts';
import type { Model } from '../model/index.ts';
import { keepSubscribed } from './push.ts';

/** What the page does for notifications while it is open. */
export async function followPush(api: Api, model: Model, clock: Clock): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', ({ data }) => onTold(api, data));
  navigator.serviceWorker.startMessages();
  const pace = paced(clock, LOOK_MS);
  effect(() => {
    void model.unread.total;
    pace(() => void closeRead(model));
  });
  // What fails here is tried again when the page is opened next.
  await keepSubscribed(api).catch(() => undefined);
}

/** The worker asks for an address to be shown, or for a new subscription. */
function onTold(api: Api, data: unknown): void {
  if (typeof data !== 'object' || data === null || !('what' in data)) return;
  if (data.what === 'open' && 'hash' in data) location.hash = String(data.hash);
  if (data.what === 'subscribe') void keepSubscribed(api).catch(() => undefined);
}

/** Notifications are looked through at most so often. */
const LOOK_MS = 1000;

/** Takes notifications away whose messages were read here. */
async function closeRead(model: Model): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/sw.js');
  // Of what the server did not list nobody knows here whether it was read.
  if (model.unread.isCut) return;
  const newest = model.facts.peek('max_message_id') ?? 0;
  for (const note of (await registration?.getNotifications()) ?? []) {
    const data: unknown = note.data;
    const ids = typeof data === 'object' && data !== null && 'ids' in data ? data.ids : undefined;
    const all = Array.isArray(ids) ? ids.map(Number) : [];
    // A notification may be here before its message is.
    if (all.length > 0 && all.every((id) => id <= newest && !model.unread.has(id))) note.close();
  }
}
