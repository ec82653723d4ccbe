import { formPage } from '#features/pages';
import { beginSession, passwordFaultIn, redirectIn } from '#features/sign-in';
import { nameFault } from '#features/users';
import type { PageResponse, RealmRequest } from '#kernel/endpoint';
import { addressReason } from '../addresses.ts';
import { trustAddress } from '../confirm.ts';
import { join } from '../join.ts';
import type { InvitationRow } from '../tables.ts';
import { mayTry, takeAddress, TOO_MANY } from './address.ts';
import { isRefused, type JoiningFaults, showAccountForm, showAddressForm, zoneOf } from './forms.ts';
import { logIn } from './log-in.ts';
import { badLink, type Invited, openLink, settingsFor } from './open.ts';

/** Lets whoever follows a link join: with a name and a password at once, or with an address that is verified first. */
export const linkPage = formPage({
  path: '/join/{key}',
  show: async (request) => {
    const opened = await openLink(request);
    if ('refusal' in opened) return opened.refusal;
    const { invitation } = opened;
    return (await isTrusted(opened))
      ? showAccountForm(request, { invitation })
      : showAddressForm(request, { invitation });
  },
  submit: async (request, fields) => {
    const opened = await openLink(request);
    if ('refusal' in opened) return opened.refusal;
    const { invitation } = opened;
    if (invitation && (await isTrusted(opened))) return joinAtOnce(opened.request, invitation, fields);
    return takeAddress(opened.request, invitation, fields);
  },
});

/**
 * Whether an address is accepted without verification when its user follows a link: only if this server sends no mail,
 * no identity provider finds accounts by address, and the organization does not restrict addresses. See
 * protocol/invitations#joining.
 */
async function isTrusted({ request, invitation }: Invited<InvitationRow | undefined>): Promise<boolean> {
  const { sendsMail, mode } = request.context.server;
  if (!invitation || sendsMail || mode === 'development') return false;
  if (findsAccountsByAddress(request)) return false;
  return !(await settingsFor(request)).emails_restricted_to_domains;
}

/**
 * Whether identity providers or directories find accounts by address: the owner of an address would then sign in to the
 * account of whoever joined with it before.
 */
function findsAccountsByAddress({ context, realm }: RealmRequest): boolean {
  const { providers, proxy, jwt, directories } = context.identity;
  const isInDirectory = directories.has(realm.subdomain);
  return providers.length > 0 || proxy !== undefined || Object.keys(jwt).length > 0 || isInDirectory;
}

/** Creates the account without a confirmation mail. */
async function joinAtOnce(
  request: RealmRequest,
  invitation: InvitationRow,
  fields: ReadonlyMap<string, string>,
): Promise<PageResponse> {
  const { context, realm } = request;
  const email = (fields.get('email') ?? '').trim();
  const full_name = (fields.get('full_name') ?? '').trim();
  const password = fields.get('password') ?? '';
  const refuse = (fault: string | undefined, faults: JoiningFaults = {}, status?: number) =>
    showAccountForm(request, { invitation, fault, faults, email, full_name }, status);
  const faults = {
    full_name: nameFault(full_name),
    email: await context.store.in(realm).read((tx) => addressReason(tx, email)),
    password: await passwordFaultIn(request, password, [full_name, email]),
  };
  if (isRefused(faults)) return refuse(undefined, faults);
  if (!(await mayTry(request, email))) return refuse(TOO_MANY, {}, 429);
  const key = await trustAddress(request, { link: invitation, email });
  const joined = await join(request, key, { full_name, password, timezone: zoneOf(fields.get('timezone')) });
  if ('fault' in joined) return refuse(joined.fault);
  if ('taken' in joined) return logIn(request, joined.taken, password);
  if ('gone' in joined) return badLink(request, 'common.linkOver', 'join.revoked');
  return redirectIn('/', await beginSession(request, joined.user));
}
