import type { RealmRefWriteTx } from '#kernel/auth';
import { hasRealm, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { html } from '#kernel/html';
import type { Context } from '#kernel/context';
import { form, formPage, nextLink, show, wordsFor } from '#features/pages';
import { findUser, type UserRow } from '#features/users';
import { enter } from './finish.ts';
import { openByKey } from './guessing.ts';
import { makeOneTimeLink, peekOneTimeLink, takeOneTimeLink } from './one-time-links.ts';
import { deleteOneTimeLinks } from './queries.ts';

/** Seconds that a sign-in link is valid: a quarter of an hour. */
const LINK_SECONDS = 900;
const PATH = '/accounts/sign-in/';

/** Makes a link that signs somebody in once, and ends the one made before. See protocol/authentication#methods. */
export async function makeSignInLink(context: Context, tx: RealmRefWriteTx, user: UserRow): Promise<string> {
  await deleteOneTimeLinks(tx, ['sign-in'], user.id);
  const purpose = { realm_id: tx.realmId, user_id: user.id, purpose: 'sign-in', seconds: LINK_SECONDS } as const;
  return `${tx.realm.url}${PATH}${await makeOneTimeLink(context.clock, tx, purpose)}`;
}

/** The page has a button, because mail scanners open every link of a message. */
export const signInLinkPage = formPage({
  path: `${PATH}{token}`,
  show: async (request) => {
    const { realm, context, path } = request;
    const find = () =>
      realm ? context.store.in(realm).query((tx) => peekOneTimeLink(tx, 'sign-in', path['token'] ?? '')) : missing;
    if (!(await openByKey(request, find))) return linkGone(request);
    const { t, language } = wordsFor(request);
    const body = form(request, request.url.pathname, html``, t('common.logIn'));
    return show(request, { language, title: t('common.logIn'), lede: t('logIn.linkOnce'), body });
  },
  submit: async (request) => {
    if (!hasRealm(request)) return linkGone(request);
    const { realm, context, path } = request;
    const take = () =>
      context.store.in(realm).write(async (tx) => {
        const link = await takeOneTimeLink(tx, 'sign-in', path['token'] ?? '');
        const user = link?.user_id ? await findUser(tx, link.user_id) : undefined;
        return user?.is_active && !user.is_bot ? user : undefined;
      });
    const user = await openByKey(request, take);
    return user ? enter(request, user, { next: undefined, pad: undefined }) : linkGone(request);
  },
});

const missing = Promise.resolve(undefined);

function linkGone(request: PageRequest): PageResponse {
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('common.linkOver'),
    lede: t('logIn.linkOver'),
    status: 404,
    body: nextLink(t('common.logIn'), '/login/'),
  });
}
