import { form, nextLink, show, wordsFor } from '#features/pages';
import { updateSettings } from '#features/user-settings';
import { findUser } from '#features/users';
import { constantTimeEqual, deriveKey, type AccountRef } from '#kernel/auth';
import { hasRealm, page, type PageRequest, type PageResponse, type RealmRequest } from '#kernel/endpoint';
import { html } from '#kernel/html';
import { asId, type UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { deleteMissed } from './pending/index.ts';

const PATH = '/accounts/unsubscribe';

/** Kinds of mails with an unsubscribe link: the settings that it turns off, and the texts of its page. */
const KINDS = {
  missed_messages: {
    off: {
      enable_offline_email_notifications: false,
      enable_followed_topic_email_notifications: false,
      enable_stream_email_notifications: false,
    },
    texts: { title: 'mails.missed', ask: 'mails.missedAsk', done: 'mails.missedDone' },
  },
  digest: {
    off: { enable_digest_emails: false },
    texts: { title: 'mails.digest', ask: 'mails.digestAsk', done: 'mails.digestDone' },
  },
  login: {
    off: { enable_login_emails: false },
    texts: { title: 'mails.login', ask: 'mails.loginAsk', done: 'mails.loginDone' },
  },
} as const;
export type MailKind = keyof typeof KINDS;

/**
 * Address of the page on which somebody, logged in or not, unsubscribes from a kind of mails; it allows nothing else.
 */
export function unsubscribeAddress(context: Pick<Context, 'server'>, account: AccountRef, kind: MailKind): string {
  return `${account.realm.url}${PATH}/${kind}/${tokenFor(context, account, kind)}`;
}

/** Header fields with which mail programs unsubscribe with one click. RFC 8058. */
export function unsubscribeHeaders(address: string): Readonly<Record<string, string>> {
  return { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/**
 * Asks before it changes anything, because mail scanners open links. Mail programs send the form themselves (RFC 8058),
 * so it needs no more than the token, which nobody else can make.
 */
export const unsubscribePage = page({
  methods: ['GET', 'POST'],
  path: `${PATH}/{kind}/{token}`,
  handle: async (request) => {
    const kind = kindOf(request.path['kind'] ?? '');
    if (!hasRealm(request) || !kind) return unknown(request);
    const { realm, context } = request;
    const userId = userOf(request, kind);
    const user = userId && (await context.store.in(realm).query((tx) => findUser(tx, userId)));
    if (!user?.is_active) return unknown(request);
    if (request.raw.request.method !== 'POST') return ask(request, kind);
    await updateSettings(context, { realm, userId: user.id }, KINDS[kind].off);
    if (kind === 'missed_messages') await context.store.in(realm).write((tx) => deleteMissed(tx, user.id));
    const { t, language } = wordsFor(request);
    return show(request, { language, title: t('mails.done'), lede: t(KINDS[kind].texts.done) });
  },
});

function kindOf(word: string): MailKind | undefined {
  return word === 'missed_messages' || word === 'digest' || word === 'login' ? word : undefined;
}

function ask(request: PageRequest, kind: MailKind): PageResponse {
  const { t, language } = wordsFor(request);
  const { texts } = KINDS[kind];
  const lede = t(texts.ask, { name: request.realm?.name ?? '' });
  const body = form(request, request.url.pathname, html``, t('mails.end'));
  return show(request, { language, title: t(texts.title), lede, body });
}

function unknown(request: PageRequest): PageResponse {
  const { t, language } = wordsFor(request);
  const body = nextLink(t('common.logIn'), '/login/');
  return show(request, { language, title: t('join.unknown'), lede: t('mails.unknown'), status: 404, body });
}

function tokenFor({ server }: Pick<Context, 'server'>, { realm, userId }: AccountRef, kind: MailKind): string {
  const purpose = `unsubscribe ${kind.replace('_', ' ')}:${realm.id}:${userId}`;
  return `${userId}-${deriveKey(server.secret, purpose)}`;
}

function userOf({ context, realm, path }: RealmRequest, kind: MailKind): UserId | undefined {
  const token = path['token'] ?? '';
  const [, digits] = /^(\d{1,10})-/.exec(token) ?? [];
  if (digits === undefined) return undefined;
  const userId = asId<UserId>(Number(digits));
  return constantTimeEqual(token, tokenFor(context, { realm, userId }, kind)) ? userId : undefined;
}
