import { endpoint, everyone, humans, optional, paramsOfSettings, raw } from '#kernel/endpoint';
import { RateLimited } from '#kernel/errors';
import { str, text } from '#kernel/schema';
import { SETTING_ERRORS, USER_SETTINGS } from '#features/user-settings';
import { NameFault } from '#features/users';
import { regenerateOwnKey } from './api-key.ts';
import * as errors from './errors.ts';
import { updateOwnAccount } from './update.ts';

const password = () => optional(raw(text({ max: 1000, nul: 'allowed' })));
const account = {
  full_name: optional(raw(text())),
  email: optional(raw(text(), 'Used once its owner has followed the link of a mail.')),
  old_password: password(),
  new_password: password(),
};

/** The operation under its name and under the two that older clients know. Contract clients, rows 57 and 58. */
const updateOwnSettings = ['/settings', '/settings/display', '/settings/notifications'].map((path) =>
  endpoint({
    id: `update${path.replaceAll('/', '-')}`,
    method: 'PATCH',
    path,
    source: 'contract surrounding 2.7.1',
    doc: "Changes the caller's own account and settings; what is left out stays as it is.",
    who: humans,
    params: { ...paramsOfSettings(USER_SETTINGS), ...account },
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
    ],
    async run({ kit, realm, actor, params }) {
      await updateOwnAccount(kit, realm, actor, params, params);
      return {};
    },
  }),
);

const regenerateKey = endpoint({
  id: 'regenerate-own-api-key',
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  source: 'contract operations 5.13',
  doc: "Makes the caller's API key worthless and gives a new one.",
  who: everyone,
  params: {},
  returns: { api_key: str() },
  run: async ({ kit, realm, actor }) => ({ api_key: await regenerateOwnKey(kit, realm, actor) }),
});

export const ownAccountEndpoints = [...updateOwnSettings, regenerateKey];
