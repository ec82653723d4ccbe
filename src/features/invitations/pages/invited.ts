import { formPage, redirect } from '#features/pages';
import { beginSession, enterAgain, passwordFaultIn, redirectIn } from '#features/sign-in';
import { nameFault } from '#features/users';
import { hasRealm, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { join } from '../join.ts';
import { isKeyShape, keyHash } from '../keys.ts';
import { findInvitationByKey } from '../queries.ts';
import { isRefused, REGISTER, showRegistration, zoneOf } from './forms.ts';
import { logIn } from './log-in.ts';
import { badLink, openInvitation } from './open.ts';

/** Shows the form to whoever follows the link of a mail. */
export const confirmPage = formPage({
  path: '/accounts/do_confirm/{key}',
  show: async (request) => {
    const key = request.path['key'] ?? '';
    const opened = await openInvitation(request, key, false);
    return 'refusal' in opened ? opened.refusal : showRegistration(request, { invitation: opened.invitation, key });
  },
  submit: (request) => Promise.resolve(redirect(request.url.pathname)),
});

/** Takes the form of an invited person. */
export const registerPage = formPage({
  path: REGISTER,
  show: () => Promise.resolve(redirect('/register/')),
  submit: async (request, fields) => {
    const key = fields.get('key') ?? '';
    const opened = await openInvitation(request, key, false);
    if ('refusal' in opened) return (await joinedBefore(request, key, fields)) ?? opened.refusal;
    const { invitation } = opened;
    if (fields.has('from_confirmation')) return showRegistration(request, { invitation, key });
    const full_name = (fields.get('full_name') ?? '').trim();
    const password = fields.get('password') ?? '';
    const words = [full_name, invitation.email ?? ''];
    const faults = {
      full_name: nameFault(full_name),
      password: await passwordFaultIn(opened.request, password, words),
    };
    if (isRefused(faults)) return showRegistration(request, { invitation, key, faults, full_name });
    const timezone = zoneOf(fields.get('timezone'));
    const joined = await join(opened.request, key, { full_name, password, timezone });
    if ('fault' in joined) return showRegistration(request, { invitation, key, fault: joined.fault, full_name });
    if ('taken' in joined) return logIn(opened.request, joined.taken, password);
    if ('gone' in joined)
      return (await joinedBefore(request, key, fields)) ?? badLink(request, 'common.linkOver', 'join.over');
    return redirectIn('/', await beginSession(opened.request, joined.user));
  },
});

/**
 * Answers a form whose invitation has made an account already: the browser that sent it twice, because no answer came, is
 * signed in as by the first one. Undefined if it has not.
 */
async function joinedBefore(
  request: PageRequest,
  key: string,
  fields: ReadonlyMap<string, string>,
): Promise<PageResponse | undefined> {
  if (!hasRealm(request) || !isKeyShape(key)) return undefined;
  const { context, realm } = request;
  const found = await context.store.in(realm).query((tx) => findInvitationByKey(tx, keyHash(key)));
  if (!found?.email || found.invitation_state !== 'used') return undefined;
  const typed = { username: found.email, password: fields.get('password') ?? '' };
  return (await enterAgain(request, key, { typed, next: '/' })) ?? badLink(request, 'join.exists', 'join.existsLede');
}
