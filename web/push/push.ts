import type { Api } from '../api/index.ts';

/** Where the service worker is served. */
const WORKER = '/sw.js';
/** Set while this browser is to be told, so that a session that begins anew subscribes again. */
const WANTED = 'roost-push';

/** Whether this browser can be told of messages, may be, or is. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on';

/** What this browser says of notifications. */
export async function pushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const subscription = await (await navigator.serviceWorker.getRegistration(WORKER))?.pushManager.getSubscription();
  return subscription && localStorage.getItem(WANTED) !== null ? 'on' : 'off';
}

/** Asks the person, subscribes this browser and tells the server; what the browser allows in the end. */
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
  // The server ends what the push service no longer knows anyway.
  if (id > 0)
    await api.call('DELETE', '/push_subscriptions/{subscription_id}', { subscription_id: id }).catch(() => undefined);
}

/** Shows a notification by way of the server and the push service. */
export async function tryPush(api: Api): Promise<void> {
  const id = Number(localStorage.getItem(`${WANTED}-id`));
  await api.call('POST', '/push_subscriptions/{subscription_id}/test', { subscription_id: id });
}

/** Subscribes again where that was wanted: the session may be new, or the server's key. */
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

/** Has the browser keep the page and its files, so that it opens while the server is away. */
export async function keepShell(): Promise<void> {
  // Not in a private window of some browsers, nor without TLS elsewhere than on one's own machine.
  if ('serviceWorker' in navigator) await registered().catch(() => undefined);
}

async function registered(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(workerAddress(), { scope: '/' });
  return navigator.serviceWorker.ready;
}

/** The page's policy wants scripts to have a trusted type, and lets only this policy make one. */
function workerAddress(): string {
  const factory: unknown = Reflect.get(window, 'trustedTypes');
  const rules = { createScriptURL: (text: string) => text };
  policy ??= isFactory(factory) ? factory.createPolicy('worker', rules) : rules;
  return policy.createScriptURL(WORKER);
}

/** A policy of a name can be made once. */
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
