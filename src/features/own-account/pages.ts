import { hasRealm, type PageRequest, type PageResponse, type RealmRequest } from '#kernel/endpoint';
import { html } from '#kernel/html';
import { form, formPage, noOrganization, show, nextLink } from '#features/pages';
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
    return show(request, {
      title: 'Your new address',
      lede: html`Do you want to use <strong>${link.address ?? ''}</strong> at ${realm.name}?`,
      body: form(request, request.url.pathname, html``, 'Use this address'),
    });
  },
  submit: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { realm, context, path } = request;
    if (!(await findLink(request, 'email'))) return linkGone(request);
    const confirmed = await confirmEmail(context, realm, path['token'] ?? '');
    if ('gone' in confirmed) return linkGone(request);
    if ('reason' in confirmed) return cannotBeUsed(request, confirmed.reason);
    const lede = html`Your address is now <strong>${confirmed.email}</strong>.`;
    return show(request, { title: 'Your address has changed', lede, body: home() });
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
    return show(request, {
      title: 'Keep your address',
      lede: html`Your account at ${realm.name} keeps <strong>${link.address ?? ''}</strong>, and everybody who is in it is logged out.`,
      body: form(request, request.url.pathname, html``, 'Keep this address'),
    });
  },
  submit: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { realm, context, path } = request;
    if (!(await findLink(request, 'email-stop'))) return linkGone(request);
    const outcome = await keepEmail(context, realm, path['token'] ?? '');
    if ('gone' in outcome) return linkGone(request);
    if ('reason' in outcome) return cannotBeUsed(request, outcome.reason);
    const lede = html`Your address is <strong>${outcome.email}</strong>. Choose a new password now: the person who wanted another address may know the old one.`;
    const body = nextLink('Choose a new password', '/accounts/password/reset/');
    return show(request, { title: 'Your address stays', lede, body });
  },
});

function findLink(request: RealmRequest, purpose: 'email' | 'email-stop') {
  const { context, path, realm } = request;
  return openByKey(request, () =>
    context.store.in(realm).query((tx) => peekOneTimeLink(tx, purpose, path['token'] ?? '')),
  );
}

function cannotBeUsed(request: PageRequest, fault: string): PageResponse {
  return show(request, { title: 'This address cannot be used', status: 400, fault, body: home() });
}

const home = () => nextLink('Open Roost', '/');

function linkGone(request: PageRequest): PageResponse {
  const lede = 'It has been used, or it is older than a day.';
  return show(request, { title: 'This link is no longer valid', lede, status: 404, body: home() });
}

export const ownAccountPages = [confirmPage, keepPage, sessionsPage];
