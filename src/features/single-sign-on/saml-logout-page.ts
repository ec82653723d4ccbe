import { noOrganization, redirect, show, wayOn } from '#features/pages';
import { readRealm, settingsOf } from '#features/realms';
import { providersOf } from '#features/sign-in';
import type { RealmRef } from '#kernel/auth';
import { page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { ApiError } from '#kernel/errors';
import { networkOf } from '#kernel/limits';
import { type LogoutProvider, logsOut, receiveLogout } from './saml/logout.ts';
import { ProviderFault } from './vouched.ts';

/** Where SAML providers send browsers whose people log out, or have logged out, there. See protocol/authentication#logging-out. */
export const samlLogoutPage = page({
  methods: ['GET'],
  path: '/accounts/logout/saml/{provider}',
  handle: async (request) => {
    const { realm, context, address, url } = request;
    if (!realm) return noOrganization(request);
    const provider = await findProvider(request, realm);
    if (!provider) return failed(request, 404, 'Nobody is logged out here: there is no such provider.');
    try {
      await context.limits.take('external-sign-in', networkOf(address));
      return redirect((await receiveLogout(context, realm, provider, url.search)) ?? '/login/');
    } catch (error) {
      if (error instanceof ApiError) return failed(request, error.row.status, 'Too many attempts. Wait a while.');
      if (!(error instanceof ProviderFault)) throw error;
      const { reason, code } = error;
      context.log.warn({ provider: provider.id, reason, code }, 'a message about logging out was refused');
      if (reason === 'refused') return failed(request, 403, `${provider.name} did not log you out everywhere.`);
      return failed(request, 400, `What ${provider.name} sent could not be verified.`);
    }
  },
});

async function findProvider({ context, path }: PageRequest, realm: RealmRef): Promise<LogoutProvider | undefined> {
  const settings = settingsOf(await context.store.of(realm.id).query((tx) => readRealm(tx)));
  const found = providersOf(context, realm, settings).find(({ id }) => id === path['provider']);
  return found?.kind === 'saml' && logsOut(found) ? found : undefined;
}

function failed(request: PageRequest, status: number, fault: string): PageResponse {
  return show(request, { title: 'Logging out', status, fault, body: wayOn('Start', '/') });
}
