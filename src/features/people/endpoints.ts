import { PROFILE_ERRORS, profileItems } from '#features/profile-fields';
import { OwnersLockedOut } from '#features/sign-in';
import { findByVisibleEmail, NameFault, NoSuchUser } from '#features/users';
import { administrators, endpoint, everyone, json, optional, path, pathText, raw } from '#kernel/endpoint';
import { AdministratorRequired, InsufficientPermission, OwnerRequired } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import { Role, ROLES } from '#kernel/permissions';
import { idOf, oneOfNumbers, text } from '#kernel/schema';
import { changePerson } from './change.ts';
import { createMember } from './create.ts';
import * as errors from './errors.ts';
import { recover } from './recover.ts';

const SOURCE = 'protocol/users#creating';

const createUser = endpoint({
  id: 'create-user',
  method: 'POST',
  path: '/users',
  source: SOURCE,
  doc: "Makes the account of a member, for administrators with the operator's permission.",
  who: administrators,
  params: {
    email: raw(text({ trim: true })),
    password: raw(text({ max: 1000, nul: 'allowed' })),
    full_name: raw(text({ trim: true })),
  },
  returns: { user_id: idOf<UserId>() },
  fails: [
    errors.MayNotCreateUsers,
    NameFault,
    errors.BadEmail,
    errors.EmailNotAllowed,
    errors.DisposableEmail,
    errors.EmailWithPlus,
    errors.EmailInUse,
    errors.PasswordTooWeak,
  ],
  run: async ({ actor, params, context }) => ({ user_id: await createMember(context, actor, params) }),
});

const change = {
  full_name: optional(raw(text(), 'A blank one changes nothing.')),
  role: optional(json(oneOfNumbers(...ROLES), '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.')),
  profile_data: optional(json(profileItems, 'Profile fields with their values; an empty value removes.')),
  new_email: optional(raw(text(), "Only for administrators with the operator's permission.")),
};
/** Whether a change is dangerous: it makes an owner, or changes an address. */
const isDangerousChange = ({ role, new_email }: { role?: number | undefined; new_email?: string | undefined }) =>
  role === Role.owner || new_email !== undefined;

const CHANGE_ERRORS = [
  NoSuchUser,
  InsufficientPermission,
  errors.MayNotChangeEmails,
  OwnerRequired,
  AdministratorRequired,
  errors.LastOwnerRole,
  OwnersLockedOut,
  NameFault,
  ...PROFILE_ERRORS,
  errors.InvalidNewEmail,
  errors.NewEmailRefused,
];

const updateUser = endpoint({
  id: 'update-user',
  method: 'PATCH',
  path: '/users/{user_id}',
  source: SOURCE,
  doc: 'Changes an account, for administrators and the owner of a bot.',
  who: everyone,
  params: { user_id: path(idOf<UserId>()), ...change },
  dangerous: isDangerousChange,
  returns: {},
  fails: CHANGE_ERRORS,
  async run({ actor, params, context }) {
    await changePerson(context, actor, params.user_id, params);
    return {};
  },
});

const updateUserByEmail = endpoint({
  id: 'update-user-by-email',
  method: 'PATCH',
  path: '/users/{email}',
  source: SOURCE,
  doc: 'Changes an account, by email address: the real one where the caller may see it, or the API address.',
  who: everyone,
  params: { email: pathText('Address of the user.'), ...change },
  dangerous: isDangerousChange,
  returns: {},
  fails: CHANGE_ERRORS,
  async run({ actor, realm, params, context }) {
    const host = realm.host;
    const user = await context.store.as(actor).read((tx) => findByVisibleEmail(tx, params.email, host));
    if (!user) throw NoSuchUser();
    await changePerson(context, actor, user.id, params);
    return {};
  },
});

const removeSecondFactorEndpoint = endpoint({
  id: 'remove-second-factor',
  method: 'DELETE',
  path: '/users/{user_id}/second_factor',
  source: 'protocol/users#second-factor',
  doc: 'Turns off the second factor of a person who lost it. That person and all owners are told by mail.',
  who: administrators,
  dangerous: true,
  params: { user_id: path(idOf<UserId>()) },
  returns: {},
  fails: [NoSuchUser, InsufficientPermission, OwnerRequired, OwnersLockedOut, errors.NoSecondFactor],
  async run({ actor, params, context }) {
    await recover(context, actor, params.user_id);
    return {};
  },
});

export const changeEndpoints = [createUser, updateUser, updateUserByEmail, removeSecondFactorEndpoint];
