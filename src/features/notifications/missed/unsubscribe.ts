import { form, show } from '#features/pages';
import { updateSettings } from '#features/user-settings';
import { findUser } from '#features/users';
import { constantTimeEqual, deriveKey, type RealmRef } from '#kernel/auth';
import { page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { html } from '#kernel/html';
import { asId, type UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { deleteMissed } from './queries.ts';

const PATH = '/accounts/unsubscribe/missed_messages';

/** What ends with the mails. */
const OFF = {
  enable_offline_email_notifications: false,
  enable_followed_topic_email_notifications: false,
  enable_stream_email_notifications: false,
};

/** Address of the page on which somebody, logged in or not, ends these mails; it is good for nothing else. */
export function unsubscribeAddress(
  context: Pick<Context, 'realmUrl' | 'server'>,
  realm: RealmRef,
  userId: UserId,
): string {
  return `${context.realmUrl(realm)}${PATH}/${tokenFor(context, realm, userId)}`;
}

/**
 * Asks before anything changes, because programs that look at mails open what they link. Mail programs send the answer
 * themselves (RFC 8058), so it needs no more than the token, which nobody else can make.
 */
export const unsubscribePage = page({
  methods: ['GET', 'POST'],
  path: `${PATH}/{token}`,
  handle: async (request) => {
    const { realm, context } = request;
    const userId = realm && userOf(context, realm, request.path['token'] ?? '');
    const user = userId && (await context.store.query((tx) => findUser(tx, realm.id, userId)));
    if (!realm || !user?.is_active) return unknown(request);
    if (request.raw.request.method !== 'POST') return ask(request);
    await updateSettings(context, realm, user.id, OFF);
    await context.store.write((tx) => deleteMissed(tx, realm.id, user.id));
    const lede = 'You will get no more mails about messages you missed. Your settings bring them back.';
    return show(request, { title: 'Done', lede });
  },
});

function ask(request: PageRequest): PageResponse {
  const lede = `Get no more mails about messages you missed in ${request.realm?.name ?? ''}?`;
  const body = form(request, request.url.pathname, html``, 'Get no more mails');
  return show(request, { title: 'Mails about missed messages', lede, body });
}

function unknown(request: PageRequest): PageResponse {
  const lede = 'Check the address, or log in and look at your settings.';
  return show(request, { title: 'This link does not exist', lede, status: 404 });
}

function tokenFor({ server }: Pick<Context, 'server'>, realm: RealmRef, userId: UserId): string {
  return `${userId}-${deriveKey(server.secret, `unsubscribe missed messages:${realm.id}:${userId}`)}`;
}

function userOf(context: Context, realm: RealmRef, token: string): UserId | undefined {
  const [, digits] = /^(\d{1,10})-/.exec(token) ?? [];
  if (digits === undefined) return undefined;
  const userId = asId<UserId>(Number(digits));
  return constantTimeEqual(token, tokenFor(context, realm, userId)) ? userId : undefined;
}
