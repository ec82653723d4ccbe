import type { PageRequest, PageResponse } from '#kernel/endpoint';
import { html } from '#kernel/html';
import { form, formPage, show } from '#features/pages';
import { noOrganization, peekOneTimeLink } from '#features/sign-in';
import { confirmEmail } from './email.ts';
import { sessionsPage } from './sessions-page.ts';

/** A button, because programs that look through mails open every link. */
const confirmPage = formPage({
  path: '/accounts/confirm_new_email/{token}',
  show: async (request) => {
    const { realm, kit, path } = request;
    if (!realm) return noOrganization(request);
    const link = await kit.store.query((tx) => peekOneTimeLink(tx, 'email', realm.id, path['token'] ?? ''));
    if (!link) return linkGone(request);
    return show(request, {
      title: 'Your new address',
      body: form(
        request,
        request.url.pathname,
        html`<p>Do you want to use <strong>${link.address ?? ''}</strong> at ${realm.name}?</p>`,
        'Use this address',
      ),
    });
  },
  submit: async (request) => {
    const { realm, kit, path } = request;
    if (!realm) return noOrganization(request);
    const confirmed = await confirmEmail(kit, realm, path['token'] ?? '');
    if ('gone' in confirmed) return linkGone(request);
    if ('reason' in confirmed)
      return show(request, {
        title: 'This address cannot be used',
        status: 400,
        fault: confirmed.reason,
        body: home(),
      });
    const body = html`<p>Your address is now <strong>${confirmed.email}</strong>.</p>${home()}`;
    return show(request, { title: 'Your address has changed', body });
  },
});

const home = () => html`<nav><a href="/">Start</a></nav>`;

function linkGone(request: PageRequest): PageResponse {
  const body = html`<p>It has been used, or it is older than a day.</p>${home()}`;
  return show(request, { title: 'This link is no longer good', status: 404, body });
}

export const ownAccountPages = [confirmPage, sessionsPage];
