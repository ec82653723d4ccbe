import { administrators, endpoint } from '#kernel/endpoint';
import { OwnerRequired, ParameterInvalid } from '#kernel/errors';
import { json, maybe } from '#kernel/schema';
import { InvalidChannelId } from '#features/channels';
import { GROUP_VALUE_ERRORS } from '#features/groups';
import { updateRealm } from './actions.ts';
import * as errors from './errors.ts';
import { realmParams } from './params.ts';

const updateRealmEndpoint = endpoint({
  id: 'update-realm',
  method: 'PATCH',
  path: '/realm',
  source: 'protocol/organizations#changing-settings',
  doc: 'Changes the settings of the organization; what is left out stays as it is.',
  who: administrators,
  // Ways to log in decide who gets in.
  dangerous: ({ authentication_methods, second_factor_required_role }) =>
    authentication_methods !== undefined || second_factor_required_role !== undefined,
  params: realmParams,
  returns: Object.fromEntries(Object.keys(realmParams).map((name) => [name, maybe(json())])),
  fails: [OwnerRequired, ParameterInvalid, InvalidChannelId, ...Object.values(errors), ...GROUP_VALUE_ERRORS],
  async run({ context, realm, actor, params }) {
    return updateRealm(context, realm, actor, params, params);
  },
});

export const realmEndpoints = [updateRealmEndpoint];
