import { administrators, endpoint, paramsOfSettings } from '#kernel/endpoint';
import { updateRealmDefaults } from './actions.ts';
import { SETTING_ERRORS } from './errors.ts';
import { DEFAULTED_SETTINGS } from './settings.ts';

const updateDefaults = endpoint({
  id: 'update-realm-user-settings-defaults',
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  source: 'protocol/organizations#defaults-for-new-people',
  since: 96,
  doc: 'Changes the settings that new users start with.',
  who: administrators,
  params: paramsOfSettings(DEFAULTED_SETTINGS),
  returns: {},
  fails: SETTING_ERRORS,
  async run({ context, realm, params }) {
    await updateRealmDefaults(context, realm, params);
    return {};
  },
});

export const settingEndpoints = [updateDefaults];
