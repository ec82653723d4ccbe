import type { Api } from '../api/index.ts';

/** Address of the service worker. */
const WORKER = '/sw.js';
/** Storage key that is set if this browser should receive notifications, so that a new session subscribes again. */
const WANTED = 'roost-push';

/** Whether push notifications are unavailable, forbidden, off or on in this browser. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on';

/** Returns the state of push notifications in this browser. */
export async function pushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const subscription = await (await navigator.serviceWorker.getRegistration(WORKER))?.pushManager.getSubscription();
  return subscription && localStorage.getItem(WANTED) !== null ? 'on' : 'off';
}

/** Asks the person for permission and subscribes this browser at the server; returns the resulting state. */
export async function turnOn(api: Api): Promise<PushState> {
  if ((await pushState()) === 'unsupported') return 'unsupported';
  if ((await Notification.requestPermission()) !== 'granted') return pushState();
  await subscribe(api);
  localStorage.setItem(WANTED, '1');
  return 'on';
}

/** Ends the subscription here and at the server. */
export async function turnOff(api: Api): Promise<void> {
  localStorage.removeItem(WANTED);
  const id = Number(localStorage.getItem(`${WANTED}-id`));
  localStorage.removeItem(`${WANTED}-id`);
  const registration = await navigator.serviceWorker?.getRegistration(WORKER);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  for (const note of (await registration?.getNotifications()) ?? []) note.close();
  // If this call fails, the server removes the subscription when the push service no longer knows it.
  if (id > 0)
    await api.call('DELETE', '/push_subscriptions/{subscription_id}', { subscription_id: id }).catch(() => undefined);
}

/** Sends a test notification through the server and the push service. */
export async function tryPush(api: Api): Promise<void> {
  const id = Number(localStorage.getItem(`${WANTED}-id`));
  await api.call('POST', '/push_subscriptions/{subscription_id}/test', { subscription_id: id });
}

/** Subscribes again if the person wanted notifications, because the session or the server's key may be new. */
export async function keepSubscribed(api: Api): Promise<void> {
  if (localStorage.getItem(WANTED) === null || (await pushState()) === 'unsupported') return;
  if (Notification.permission === 'granted') await subscribe(api);
}

async function subscribe(api: Api): Promise<void> {
  const registration = await registered();
  const { vapid_public_key } = await api.call('GET', '/push_subscriptions', {});
  const key = bytesOf(vapid_public_key);
  const known = await registration.pushManager.getSubscription();
  const isOurs = known && sameBytes(known.options.applicationServerKey, key);
  if (known && !isOurs) await known.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = isOurs ? known : await registration.pushManager.subscribe(options);
  const { endpoint = '', keys } = subscription.toJSON();
  const { id } = await api.call('POST', '/push_subscriptions', {
    kind: 'web',
    endpoint,
    p256dh: keys?.['p256dh'] ?? '',
    auth: keys?.['auth'] ?? '',
    name: '',
  });
  localStorage.setItem(`${WANTED}-id`, String(id));
}

/** Registers the service worker, which stores the page and its files for when the server is away. */
export async function keepShell(): Promise<void> {
  // Fails in private windows of some browsers, and without TLS except on localhost.
  if ('serviceWorker' in navigator) await registered().catch(() => undefined);
}

async function registered(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(workerAddress(), { scope: '/' });
  return navigator.serviceWorker.ready;
}

/** The content security policy requires a trusted type for script addresses, and lets only this policy create one. */
function workerAddress(): string {
  const factory: unknown = Reflect.get(window, 'trustedTypes');
  const rules = { createScriptURL: (text: string) => text };
  policy ??= isFactory(factory) ? factory.createPolicy('worker', rules) : rules;
  const { lang } = document.documentElement;
  return policy.createScriptURL(lang === 'en' ? WORKER : `${WORKER}?language=${lang}`);
}

/** A policy with the same name can be created only once. */
let policy: ReturnType<PolicyFactory['createPolicy']> | undefined;

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (text: string) => string },
  ): { createScriptURL(text: string): string };
}

function isFactory(value: unknown): value is PolicyFactory {
  return typeof value === 'object' && value !== null && 'createPolicy' in value;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

function sameBytes(known: ArrayBuffer | null, wanted: Uint8Array): boolean {
  const bytes = new Uint8Array(known ?? new ArrayBuffer(0));
  return bytes.length === wanted.length && bytes.every((byte, at) => byte === wanted[at]);
}
