import { OwnersLockedOut } from '#features/sign-in';
import { NoSuchUser } from '#features/users';
import { endpoint, everyone, humans, json, optional, path, raw } from '#kernel/endpoint';
import { InsufficientPermission, OwnerRequired } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import { bool, idOf, lenientObject, maybe, text } from '#kernel/schema';
import { deactivatePerson, deactivateSelf } from './deactivate.ts';
import * as errors from './errors.ts';
import { reactivate } from './reactivate.ts';

/** Longest comment, in code points. See protocol/users#deactivating. */
const MAX_COMMENT = 2000;

const deactivateUser = endpoint({
  id: 'deactivate-user',
  method: 'DELETE',
  path: '/users/{user_id}',
  source: 'protocol/users#deactivating',
  doc: "Deactivates a person, after the person's bots.",
  who: everyone,
  params: {
    user_id: path(idOf<UserId>()),
    deactivation_notification_comment: optional(
      raw(text({ trim: true, max: MAX_COMMENT }), 'Mailed to the person; without it there is no mail.'),
    ),
    actions: optional(
      json(
        lenientObject({
          delete_profile: maybe(bool()),
          delete_public_channel_messages: maybe(bool()),
          delete_private_channel_messages: maybe(bool()),
          delete_direct_messages: maybe(bool()),
        }),
        'What goes with the accounts.',
      ),
    ),
  },
  returns: {},
  fails: [
    NoSuchUser,
    errors.UserIsDeactivated,
    InsufficientPermission,
    OwnerRequired,
    errors.OnlyOwner,
    OwnersLockedOut,
  ],
  async run({ actor, params, context }) {
    const { user_id, actions = {}, deactivation_notification_comment: comment } = params;
    await deactivatePerson(context, actor, user_id, { actions, comment });
    return {};
  },
});

const deactivateOwnUser = endpoint({
  id: 'deactivate-own-user',
  method: 'DELETE',
  path: '/users/me',
  source: 'protocol/users#leaving',
  doc: "Deactivates the caller's own account.",
  who: humans,
  params: {},
  returns: {},
  fails: [errors.LastUser, errors.UserIsDeactivated, OwnersLockedOut],
  async run({ actor, context }) {
    await deactivateSelf(context, actor);
    return {};
  },
});

const reactivateUser = endpoint({
  id: 'reactivate-user',
  method: 'POST',
  path: '/users/{user_id}/reactivate',
  source: 'protocol/users#reactivating',
  doc: 'Brings a deactivated person or bot back.',
  who: everyone,
  params: { user_id: path(idOf<UserId>()) },
  returns: {},
  fails: [NoSuchUser, InsufficientPermission, OwnerRequired, errors.BotNameInUse],
  async run({ actor, params, context }) {
    await reactivate(context, actor, params.user_id);
    return {};
  },
});

export const activityEndpoints = [deactivateUser, deactivateOwnUser, reactivateUser];
