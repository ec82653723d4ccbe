import { CONFIRMED_SECONDS } from '#kernel/auth';
import { endpoint, humans, raw, withDefault } from '#kernel/endpoint';
import { RateLimited } from '#kernel/errors';
import { bool, list, object, str, text } from '#kernel/schema';
import { accessUserRow } from './own.ts';
import { ConfirmationFailed, DirectoryAway, NotAdmitted, PasswordAuthDisabled, SessionNeeded } from '../errors.ts';
import { confirm, isOwnerShown, waysToConfirm } from './confirm.ts';

/** Where a passkey is asked for, in a window of its own. */
const PAGE = `/accounts/confirm/?next=${encodeURIComponent('/accounts/confirm/?done')}`;
const SOURCE = 'protocol/authentication#confirmation';

const getConfirmation = endpoint({
  id: 'get-confirmation',
  method: 'GET',
  path: '/users/me/confirmation',
  source: SOURCE,
  doc: 'Whether this session may do dangerous acts now, and how its owner can show again who they are.',
  who: humans,
  params: {},
  returns: {
    is_confirmed: bool(),
    asks_password: bool(),
    asks_code: bool(),
    providers: list(object({ name: str(), url: str() })),
  },
  async run({ actor, realm, context }) {
    const ways = await context.store.in(realm).query((tx) => waysToConfirm(context, tx, { id: actor.userId }));
    const { shownBy } = actor;
    const isOld = shownBy?.kind === 'session' && shownBy.confirmedAt <= context.clock.now() - CONFIRMED_SECONDS;
    return {
      is_confirmed: shownBy?.kind !== 'device key' && !isOld,
      asks_password: ways.asksPassword,
      asks_code: ways.asksCode,
      providers: [
        // A page of ours: what the browser does with passkeys is there already.
        ...(ways.hasPasskeys ? [{ name: 'a passkey', url: PAGE }] : []),
        ...ways.providers.map(({ id, name }) => ({ name, url: `/accounts/login/social/${id}/?confirm` })),
      ],
    };
  },
});

const confirmEndpoint = endpoint({
  id: 'confirm-session',
  method: 'POST',
  path: '/users/me/confirmation',
  source: SOURCE,
  doc: 'Shows again who uses this session, by the password and the code that the account has.',
  who: humans,
  params: {
    password: withDefault(raw(text({ max: 1000, nul: 'allowed' })), ''),
    code: withDefault(raw(text({ max: 40 })), ''),
  },
  returns: {},
  fails: [SessionNeeded, ConfirmationFailed, PasswordAuthDisabled, DirectoryAway, NotAdmitted, RateLimited],
  async run({ actor, realm, params, context, request: { address } }) {
    if (actor.shownBy?.kind !== 'session') throw SessionNeeded();
    const user = await accessUserRow(context, actor);
    if (!(await isOwnerShown(context, realm, user, { ...params, address }))) throw ConfirmationFailed();
    await confirm(context, realm, user, actor.shownBy);
    return {};
  },
});

export const confirmationEndpoints = [getConfirmation, confirmEndpoint];
