import { NoSuchUser } from '#features/users';
import { endpoint, everyone, path } from '#kernel/endpoint';
import type { UserId } from '#kernel/ids';
import { idOf } from '#kernel/schema';
import { muteUser, unmuteUser } from './actions.ts';
import { AlreadyMuted, CannotMuteSelf, NotMuted } from './errors.ts';

const muted_user_id = path(idOf<UserId>());

const mute = endpoint({
  id: 'mute-user',
  method: 'POST',
  path: '/users/me/muted_users/{muted_user_id}',
  source: 'protocol/users#operations',
  doc: "Mutes a user: the caller's unread messages of that user, and later ones, are marked as read.",
  who: everyone,
  params: { muted_user_id },
  returns: {},
  fails: [CannotMuteSelf, NoSuchUser, AlreadyMuted],
  async run({ actor, params, context }) {
    await muteUser(context, actor, params.muted_user_id);
    return {};
  },
});

const unmute = endpoint({
  id: 'unmute-user',
  method: 'DELETE',
  path: '/users/me/muted_users/{muted_user_id}',
  source: 'protocol/users#operations',
  doc: 'Unmutes a user.',
  who: everyone,
  params: { muted_user_id },
  returns: {},
  fails: [NoSuchUser, NotMuted],
  async run({ actor, params, context }) {
    await unmuteUser(context, actor, params.muted_user_id);
    return {};
  },
});

export const mutedUserEndpoints = [mute, unmute];
