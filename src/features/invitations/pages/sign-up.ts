import { formPage, nextLink, noOrganization, show, wordsFor } from '#features/pages';
import { hasRealm, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { takeAddress } from './address.ts';
import { showAddressForm } from './forms.ts';
import { settingsFor } from './open.ts';

/** Takes the address of somebody without an invitation, where the organization needs none. */
export const signUpPage = formPage({
  path: '/register/',
  show: async (request) => {
    const refusal = await signUpRefusal(request);
    return refusal ?? showAddressForm(request, { invitation: undefined });
  },
  submit: async (request, fields) => {
    if (!hasRealm(request)) return noOrganization(request);
    return (await signUpRefusal(request)) ?? takeAddress(request, undefined, fields);
  },
});

async function signUpRefusal(request: PageRequest): Promise<PageResponse | undefined> {
  if (!hasRealm(request)) return noOrganization(request);
  if (!(await settingsFor(request)).invite_required) return undefined;
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('join.needInvitation'),
    status: 403,
    lede: t('join.askSomebody', { name: request.realm.name }),
    body: nextLink(t('common.logIn'), '/login/'),
  });
}
