import { hasRealm, type PageRequest, type PageResponse, type RealmRequest } from '#kernel/endpoint';
import { html } from '#kernel/html';
import { form, formPage, nextLink, noOrganization, show, wordsFor } from '#features/pages';
import { openByKey, peekOneTimeLink } from '#features/sign-in';
import { confirmEmail, keepEmail } from './email.ts';
import { sessionsPage } from './sessions-page.ts';

/** The page has a button, because mail scanners open every link. */
const confirmPage = formPage({
  path: '/accounts/confirm_new_email/{token}',
  show: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { realm } = request;
    const link = await findLink(request, 'email');
    if (!link) return linkGone(request);
    const { t, rich, language } = wordsFor(request);
    return show(request, {
      language,
      title: t('newAddress.title'),
      lede: rich('newAddress.ask', { email: strong(link.address ?? ''), name: realm.name }),
      body: form(request, request.url.pathname, html``, t('newAddress.use')),
    });
  },
  submit: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { realm, context, path } = request;
    if (!(await findLink(request, 'email'))) return linkGone(request);
    const confirmed = await confirmEmail(context, realm, path['token'] ?? '');
    if ('gone' in confirmed) return linkGone(request);
    if ('reason' in confirmed) return cannotBeUsed(request, confirmed.reason);
    const { t, rich, language } = wordsFor(request);
    const lede = rich('newAddress.now', { email: strong(confirmed.email) });
    return show(request, { language, title: t('newAddress.changed'), lede, body: home(request) });
  },
});

/** Page on which the owner of the old address stops a change. */
const keepPage = formPage({
  path: '/accounts/keep_email/{token}',
  show: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { realm } = request;
    const link = await findLink(request, 'email-stop');
    if (!link) return linkGone(request);
    const { t, rich, language } = wordsFor(request);
    return show(request, {
      language,
      title: t('newAddress.keep'),
      lede: rich('newAddress.keeps', { name: realm.name, email: strong(link.address ?? '') }),
      body: form(request, request.url.pathname, html``, t('newAddress.keepThis')),
    });
  },
  submit: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { realm, context, path } = request;
    if (!(await findLink(request, 'email-stop'))) return linkGone(request);
    const outcome = await keepEmail(context, realm, path['token'] ?? '');
    if ('gone' in outcome) return linkGone(request);
    if ('reason' in outcome) return cannotBeUsed(request, outcome.reason);
    const { t, rich, language } = wordsFor(request);
    const lede = rich('newAddress.kept', { email: strong(outcome.email) });
    const body = nextLink(t('reset.choose'), '/accounts/password/reset/');
    return show(request, { language, title: t('newAddress.stays'), lede, body });
  },
});

function findLink(request: RealmRequest, purpose: 'email' | 'email-stop') {
  const { context, path, realm } = request;
  return openByKey(request, () =>
    context.store.in(realm).query((tx) => peekOneTimeLink(tx, purpose, path['token'] ?? '')),
  );
}

const strong = (text: string) => html`<strong>${text}</strong>`;

function cannotBeUsed(request: PageRequest, reason: string): PageResponse {
  const { t, language, refusal } = wordsFor(request);
  const title = t('newAddress.refused');
  return show(request, { language, title, status: 400, fault: refusal(reason), body: home(request) });
}

const home = (request: PageRequest) => nextLink(wordsFor(request).t('common.openRoost'), '/');

function linkGone(request: PageRequest): PageResponse {
  const { t, language } = wordsFor(request);
  const title = t('common.linkOver');
  return show(request, { language, title, lede: t('reset.over'), status: 404, body: home(request) });
}

export const ownAccountPages = [confirmPage, keepPage, sessionsPage];
