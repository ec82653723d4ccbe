import { CONFIRMED_SECONDS } from '#kernel/auth';
import { endpoint, humans, raw, withDefault } from '#kernel/endpoint';
import { RateLimited } from '#kernel/errors';
import { bool, list, object, str, text } from '#kernel/schema';
import { accessUserRow } from './own.ts';
import { ConfirmationFailed, DirectoryAway, NotAdmitted, PasswordAuthDisabled, SessionNeeded } from '../errors.ts';
import { confirm, isOwnerShown, waysToConfirm } from './confirm.ts';

/** Address of the page that asks for a passkey, in a window of its own. */
const PAGE = `/accounts/confirm/?next=${encodeURIComponent('/accounts/confirm/?done')}`;
const SOURCE = 'protocol/authentication#confirmation';

const getConfirmation = endpoint({
  id: 'get-confirmation',
  method: 'GET',
  path: '/users/me/confirmation',
  source: SOURCE,
  doc: 'Whether this session may call dangerous operations now, and how its owner can confirm their identity.',
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
        // A page of this server, which already has the script for passkeys.
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
  doc: "Confirms the identity of the session's owner by password and second factor, so that the session may call dangerous operations.",
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
    const here = { context, realm, address };
    if (!(await isOwnerShown(here, user, params))) throw ConfirmationFailed();
    await confirm(here, user, actor.shownBy);
    return {};
  },
});

export const confirmationEndpoints = [getConfirmation, confirmEndpoint];
