import { type NoteData, dataOf, type Note, noteWith, noteWithout, tagOf } from './notes.ts';
import { type MessagePayload, parsePayload, type RemovePayload } from './payload.ts';
import { call } from './session.ts';
import { canPassBy, keepPage, onFetch, passBy } from './shell.ts';
import { words } from './words.ts';

/** Paths of the API that the worker calls. */
const PATH = { send: '/messages', read: '/messages/flags' } as const;

self.addEventListener('install', (event) => {
  passBy(event);
  void self.skipWaiting();
});
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([self.clients.claim(), keepPage()])));
if (canPassBy()) self.addEventListener('fetch', onFetch);
self.addEventListener('push', (event) => event.waitUntil(onPush(event.data?.text())));
self.addEventListener('notificationclick', (event) => event.waitUntil(onClick(event)));
// An open page subscribes again at once, otherwise the next one that is opened.
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(postToPages({ what: 'subscribe' })));

async function onPush(text: string | undefined): Promise<void> {
  const payload = parsePayload(text);
  if (payload?.type === 'remove') await takeAway(payload);
  else if (payload?.type === 'message') await show(payload);
  else
    await self.registration.showNotification(payload?.realm_name ?? words['worker.new'], {
      body: payload ? words['worker.works'] : '',
      tag: 'test',
    });
}

/** Adds a message to the notification of its conversation, unless the person is looking at the client. */
async function show(payload: MessagePayload): Promise<void> {
  if ((await pages()).some((page) => page.focused)) return;
  const [standing] = await self.registration.getNotifications({ tag: tagOf(payload.user_id, payload.conversation) });
  await put(noteWith(payload, dataOf(standing?.data)));
  await countBadge();
}

async function takeAway({ user_id, message_ids }: RemovePayload): Promise<void> {
  const gone = new Set(message_ids);
  for (const standing of await self.registration.getNotifications()) {
    const data = dataOf(standing.data);
    const left = data?.user === user_id ? noteWithout(data, gone, standing.tag) : 'same';
    if (left === undefined) standing.close();
    else if (left !== 'same') await put(left);
  }
  await countBadge();
}

function put({ title, options }: Note): Promise<void> {
  return self.registration.showNotification(title, options);
}

/** Sets the badge of the app's icon to the number of messages in open notifications. */
async function countBadge(): Promise<void> {
  const all = await self.registration.getNotifications();
  const count = all.reduce((sum, { data }) => sum + (dataOf(data)?.ids.length ?? 0), 0);
  // Not every platform has a badge.
  if ('setAppBadge' in navigator) await navigator.setAppBadge(count).catch(() => undefined);
}

async function onClick({ notification, action, reply }: NotificationEvent): Promise<void> {
  const data = dataOf(notification.data);
  notification.close();
  await countBadge();
  if (!data) return open('/');
  if (action === 'read') return markRead(data);
  if (action === 'reply' && data.answer && reply) return answer(data, data.answer, reply);
  return open(data.url);
}

async function markRead({ ids, user, url }: NoteData): Promise<void> {
  const done = await call(user, PATH.read, { messages: JSON.stringify(ids), op: 'add', flag: 'read' });
  if (!done) await open(url);
}

/** Sends a reply from a notification; after a failure another notification shows the unsent text. */
async function answer(data: NoteData, where: Readonly<Record<string, string>>, content: string): Promise<void> {
  const { user, ids } = data;
  if (await call(user, PATH.send, { ...where, content })) {
    await call(user, PATH.read, { messages: JSON.stringify(ids), op: 'add', flag: 'read' });
    return;
  }
  const tag = `unsent/${user}/${ids.at(-1) ?? 0}`;
  await self.registration.showNotification(words['worker.unsent'], {
    body: content,
    tag,
    data: { ...data, answer: undefined },
  });
}

function pages(): Promise<readonly WindowClient[]> {
  return self.clients.matchAll({ type: 'window', includeUncontrolled: true });
}

async function postToPages(message: object): Promise<void> {
  for (const page of await pages()) page.postMessage(message);
}

/** Shows an address in an open page, or in a new one. */
async function open(address: string): Promise<void> {
  const url = new URL(address, self.location.href);
  const own = url.origin === self.location.origin ? url : new URL('/', self.location.href);
  const [page] = (await pages()).filter((one) => new URL(one.url).pathname === '/');
  if (!page) return void (await self.clients.openWindow(own.href));
  page.postMessage({ what: 'open', hash: own.hash });
  await page.focus();
}
