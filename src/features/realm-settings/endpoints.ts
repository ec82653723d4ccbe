import { administrators, endpoint } from '#kernel/endpoint';
import { OwnerRequired, ParameterInvalid } from '#kernel/errors';
import { json, maybe } from '#kernel/schema';
import { InvalidChannelId } from '#features/channels';
import { GROUP_VALUE_ERRORS } from '#features/groups';
import { OwnersLockedOut } from '#features/sign-in';
import { updateRealm } from './actions.ts';
import * as errors from './errors.ts';
import { realmParams } from './params.ts';

/**
 * Settings whose change is dangerous: who gets in, how hard it is for attackers, and how long the audit log is kept.
 */
const DANGEROUS = [
  'audit_log_retention_days',
  'authentication_methods',
  'password_min_guesses',
  'password_min_length',
  'second_factor_required_role',
] as const;

const updateRealmEndpoint = endpoint({
  id: 'update-realm',
  method: 'PATCH',
  path: '/realm',
  source: 'protocol/organizations#changing-settings',
  doc: 'Changes settings of the organization; parameters that are not sent keep their values.',
  who: administrators,
  dangerous: (sent) => DANGEROUS.some((name) => sent[name] !== undefined),
  params: realmParams,
  returns: Object.fromEntries(Object.keys(realmParams).map((name) => [name, maybe(json())])),
  fails: [
    OwnerRequired,
    ParameterInvalid,
    InvalidChannelId,
    ...Object.values(errors),
    OwnersLockedOut,
    ...GROUP_VALUE_ERRORS,
  ],
  async run({ context, actor, params }) {
    return updateRealm(context, actor, params);
  },
});

export const realmEndpoints = [updateRealmEndpoint];
