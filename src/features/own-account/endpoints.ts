import { endpoint, everyone, humans, json, optional, paramsOfSettings, raw } from '#kernel/endpoint';
import { AdministratorRequired, RateLimited } from '#kernel/errors';
import type { GroupId, UserId } from '#kernel/ids';
import { bool, idOf, list, maybe, object, str, text } from '#kernel/schema';
import { InvalidUserGroup, InvalidUserId } from '#features/groups';
import { NotForOthers, SETTING_ERRORS, USER_SETTINGS } from '#features/user-settings';
import { NameFault } from '#features/users';
import { regenerateOwnKey, showOwnKey } from './api-key.ts';
import * as errors from './errors.ts';
import { updateAccountsOfOthers, updateOwnAccount } from './update.ts';

const password = () => optional(raw(text({ max: 1000, nul: 'allowed' })));
const account = {
  full_name: optional(raw(text())),
  email: optional(raw(text(), 'Used once its owner has followed the link of a mail.')),
  old_password: password(),
  new_password: password(),
};

/** Most users and groups that one request may name. */
const MAX_TARGETS = 20_000;
const targets = optional(
  json(
    object({
      user_ids: maybe(list(idOf<UserId>(), { max: MAX_TARGETS })),
      group_ids: maybe(list(idOf<GroupId>(), { max: MAX_TARGETS })),
      skip_if_already_edited: maybe(bool()),
    }),
    `For administrators: changes these users' settings in place of the caller's own. \`group_ids\` means everybody in the groups, bots excepted. \`skip_if_already_edited\` leaves a setting alone where its user chose it. Name, address, password and what concerns somebody's privacy cannot be changed so.`,
  ),
);

/** The operation's path, and two that older clients use. protocol/clients#operations, rows 57 and 58. */
const PATHS = ['/settings', '/settings/display', '/settings/notifications'] as const;
const updateOwnSettings = PATHS.map((path) =>
  endpoint({
    id: `update${path.replaceAll('/', '-')}`,
    method: 'PATCH',
    path,
    source: 'protocol/settings#changing',
    doc: "Changes the caller's own account and settings, or settings of others; parameters that are not sent keep their values.",
    who: humans,
    params: { ...paramsOfSettings(USER_SETTINGS), ...account, target_users: targets },
    // A new password needs no confirmation, because the old one comes with it.
    dangerous: ({ email }) => email !== undefined,
    returns: {},
    fails: [
      ...SETTING_ERRORS,
      errors.WrongPassword,
      errors.TooManyAttempts,
      errors.NewPasswordTooWeak,
      errors.EmailChangesDisabled,
      errors.AddressRefused,
      RateLimited,
      NameFault,
      AdministratorRequired,
      errors.NoTargets,
      NotForOthers,
      InvalidUserGroup,
      InvalidUserId,
    ],
    async run({ context, actor, params, request: { address } }) {
      const { target_users } = params;
      if (target_users) await updateAccountsOfOthers(context, actor, { ...params, target_users });
      else await updateOwnAccount(context, actor, { ...params, address });
      return {};
    },
  }),
);

const regenerateKey = endpoint({
  id: 'regenerate-own-api-key',
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  source: 'protocol/authentication#api-key',
  doc: 'Makes a new API key for the caller; the old one stops working at once.',
  who: everyone,
  dangerous: true,
  params: {},
  returns: { api_key: str() },
  run: async ({ context, actor }) => ({ api_key: await regenerateOwnKey(context, actor) }),
});

const showKey = endpoint({
  id: 'show-own-api-key',
  method: 'POST',
  path: '/users/me/api_key',
  source: 'protocol/authentication#api-key',
  doc: "The caller's API key.",
  who: humans,
  dangerous: true,
  givesKeys: true,
  params: {},
  returns: { api_key: str() },
  run: async ({ context, actor }) => ({ api_key: await showOwnKey(context, actor) }),
});

export const ownAccountEndpoints = [...updateOwnSettings, regenerateKey, showKey];
