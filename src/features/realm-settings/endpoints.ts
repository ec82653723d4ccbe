import { administrators, endpoint, owners } from '#kernel/endpoint';
import { OwnerRequired, ParameterInvalid } from '#kernel/errors';
import { json, maybe } from '#kernel/schema';
import { InvalidChannelId } from '#features/channels';
import { GROUP_VALUE_ERRORS } from '#features/groups';
import { updateRealm } from './actions.ts';
import { deactivateRealm } from './deactivate.ts';
import * as errors from './errors.ts';
import { realmParams } from './params.ts';

const updateRealmEndpoint = endpoint({
  id: 'update-realm',
  method: 'PATCH',
  path: '/realm',
  source: 'contract surrounding 2.8.1',
  doc: 'Changes the settings of the organization; what is left out stays as it is.',
  who: administrators,
  params: realmParams,
  returns: Object.fromEntries(Object.keys(realmParams).map((name) => [name, maybe(json())])),
  fails: [OwnerRequired, ParameterInvalid, InvalidChannelId, ...Object.values(errors), ...GROUP_VALUE_ERRORS],
  async run({ kit, realm, actor, params }) {
    return updateRealm(kit, realm, actor, params, params);
  },
});

const deactivateRealmEndpoint = endpoint({
  id: 'deactivate-realm',
  method: 'POST',
  path: '/realm/deactivate',
  source: 'contract surrounding 2.8.2',
  doc: 'Takes the organization out of use; nobody gets in any more.',
  who: owners,
  params: {},
  returns: {},
  async run({ kit, realm }) {
    await deactivateRealm(kit, realm);
    return {};
  },
});

export const realmEndpoints = [updateRealmEndpoint, deactivateRealmEndpoint];
