import { endpoint, everyone, humans, json, optional, path, raw } from '#kernel/endpoint';
import { InsufficientPermission } from '#kernel/errors';
import type { ActorReadTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { isAdministrator } from '#kernel/permissions';
import { bool, idOf, text } from '#kernel/schema';
import { accessUser, NoSuchUser } from '#features/users';
import { updateStatus } from './actions.ts';
import { STATUS_ERRORS, UserIsDeactivated } from './errors.ts';
import { findStatus } from './queries.ts';
import { toWireStatus } from './to-wire.ts';
import { wireStatus } from './wire.ts';

const statusParams = {
  emoji_code: optional(raw(text(), 'Identifier of the emoji within its type.')),
  emoji_name: optional(raw(text(), 'Name of the emoji; empty to clear it.')),
  reaction_type: optional(raw(text(), '`unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`.')),
  status_text: optional(raw(text({ line: true }), 'At most 60 characters; empty to clear it.')),
};

const updateOwnStatus = endpoint({
  id: 'update-status',
  method: 'POST',
  path: '/users/me/status',
  source: 'protocol/status#setting',
  doc: "Changes the caller's status; parameters that are not sent keep their values.",
  who: humans,
  params: { away: optional(json(bool(), 'The opposite of `presence_enabled`; deprecated.')), ...statusParams },
  returns: {},
  fails: STATUS_ERRORS,
  async run({ context, actor, params }) {
    await updateStatus(context, actor, params);
    return {};
  },
});

const updateStatusOfUser = endpoint({
  id: 'update-status-for-user',
  method: 'POST',
  path: '/users/{user_id}/status',
  source: 'protocol/status#setting',
  since: 407,
  doc: "Changes another person's status.",
  who: everyone,
  params: { user_id: path(idOf<UserId>()), ...statusParams },
  returns: {},
  fails: [InsufficientPermission, NoSuchUser, UserIsDeactivated, ...STATUS_ERRORS],
  async run({ context, realm, actor, params: { user_id, ...sent } }) {
    if (!isAdministrator(actor)) throw InsufficientPermission();
    await context.store.as(actor).query((tx) => accessPerson(tx, user_id));
    await updateStatus(context, { realm, userId: user_id }, sent);
    return {};
  },
});

const getStatus = endpoint({
  id: 'get-user-status',
  method: 'GET',
  path: '/users/{user_id}/status',
  source: 'protocol/status#shown',
  since: 262,
  doc: "One person's status; empty when nothing is set.",
  who: everyone,
  params: { user_id: path(idOf<UserId>()) },
  returns: { status: wireStatus },
  fails: [NoSuchUser, UserIsDeactivated],
  async run({ context, actor, params }) {
    return context.store.as(actor).read(async (tx) => {
      const user = await accessPerson(tx, params.user_id);
      return { status: toWireStatus(user, await findStatus(tx, user.id)) };
    });
  },
});

/** Finds a person who can have a status. See protocol/status#shown. */
async function accessPerson(tx: ActorReadTx, id: UserId) {
  const user = await accessUser(tx, id);
  if (user.is_bot) throw NoSuchUser();
  if (!user.is_active) throw UserIsDeactivated();
  return user;
}

export const userStatusEndpoints = [updateOwnStatus, updateStatusOfUser, getStatus];
