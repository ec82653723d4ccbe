import { nextLink, noOrganization, redirect, show, wordsFor } from '#features/pages';
import { readRealm, settingsOf } from '#features/realms';
import { passkeyScript, providersOf } from '#features/sign-in';
import { hasRealm, page, type PageRequest, type PageResponse, type RealmRequest } from '#kernel/endpoint';
import { ApiError } from '#kernel/errors';
import { html } from '#kernel/html';
import { networkOf } from '#kernel/limits';
import { carrier, headersFor } from './refusals.ts';
import { type LogoutProvider, logsOut, type Outgoing, receiveLogout, receiveSoapLogout } from './saml/index.ts';
import { ProviderFault } from './vouched.ts';

/**
 * Receives browsers from SAML providers whose people log out, or have logged out, there: by an address, or by a form,
 * which comes from another site and carries no cookies. See protocol/authentication#logging-out.
 */
const browserPage = page({
  methods: ['GET', 'POST'],
  path: '/accounts/logout/saml/{provider}',
  handle: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { context, address, url } = request;
    const { t } = wordsFor(request);
    const provider = await findProvider(request);
    if (!provider) return failed(request, 404, t('provider.noneOut'));
    const { name } = provider;
    try {
      await context.limits.take('external-sign-in', networkOf(address));
      const isForm = request.raw.request.method === 'POST';
      const brought = isForm ? { fields: await request.form() } : { search: url.search };
      const answer = await receiveLogout(request, provider, brought);
      return answer ? await carryOn(request, provider, answer) : redirect('/login/');
    } catch (error) {
      if (error instanceof ApiError) return failed(request, error.row.status, t('provider.slowDown'));
      const reason = reasonOf(request, provider, error);
      if (reason === 'refused') return failed(request, 403, t('provider.notOut', { name }));
      return failed(request, 400, t('provider.unprovedOut', { name }));
    }
  },
});

/** Receives requests of SAML providers themselves about somebody who has logged out there (SAML bindings, 3.2). */
const soapPage = page({
  methods: ['POST'],
  path: '/accounts/logout/saml/{provider}/soap',
  handle: async (request) => {
    const { context, address } = request;
    const provider = hasRealm(request) ? await findProvider(request) : undefined;
    if (!hasRealm(request) || !provider) return said(404, 'no such provider');
    try {
      await context.limits.take('external-sign-in', networkOf(address));
      const answer = await receiveSoapLogout(request, provider, await request.content('anonymous'));
      return { headers: { ...NO_STORE, 'content-type': 'text/xml; charset=utf-8' }, body: answer };
    } catch (error) {
      if (error instanceof ApiError) return said(error.row.status, 'too many attempts');
      reasonOf(request, provider, error);
      return said(403, 'the message is not valid');
    }
  },
});

const NO_STORE = { 'cache-control': 'no-store' } as const;

function said(status: number, text: string): PageResponse {
  return { status, headers: { ...NO_STORE, 'content-type': 'text/plain; charset=utf-8' }, body: text };
}

/** Logs one line about a refused message and returns the reason. */
function reasonOf({ context }: PageRequest, provider: LogoutProvider, error: unknown): ProviderFault['reason'] {
  if (!(error instanceof ProviderFault)) throw error;
  const { reason, code } = error;
  context.log.warn({ provider: provider.id, reason, code }, 'a message about logging out was refused');
  return reason;
}

async function carryOn(request: PageRequest, { name }: LogoutProvider, answer: Outgoing): Promise<PageResponse> {
  if (answer.by === 'address') return redirect(answer.url);
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('provider.out'),
    lede: t('provider.goesOn', { name }),
    headers: headersFor(answer),
    body: html`${carrier(answer, t('provider.back', { name }), { atOnce: true })}${await passkeyScript()}`,
  });
}

async function findProvider({ context, path, realm }: RealmRequest): Promise<LogoutProvider | undefined> {
  const settings = settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
  const found = providersOf(context, realm, settings).find(({ id }) => id === path['provider']);
  return found?.kind === 'saml' && logsOut(found) ? found : undefined;
}

function failed(request: PageRequest, status: number, fault: string): PageResponse {
  const { t, language } = wordsFor(request);
  const body = nextLink(t('common.start'), '/');
  return show(request, { language, title: t('provider.loggingOut'), status, fault, body });
}

export const samlLogoutPages = [browserPage, soapPage];
