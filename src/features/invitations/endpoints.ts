import type { RealmRef } from '#kernel/auth';
import { endpoint, humanMembers, json, optional, path, raw, withDefault } from '#kernel/endpoint';
import type { ChannelId, GroupId } from '#kernel/ids';
import type { ReadContext } from '#kernel/context';
import { readRights } from '#features/groups';
import { isAdministrator, Role, ROLES } from '#kernel/permissions';
import { bool, idOf, int, list, maybe, nullable, object, refined, type SchemaOf, str, text } from '#kernel/schema';
import { createInvitationLink, INVITING_ERRORS, linkOf, sendInvitations } from './actions.ts';
import * as errors from './errors.ts';
import { resend, revoke } from './manage.ts';
import { listInvitations } from './queries.ts';
import { offerableOf } from './rights.ts';
import {
  MAX_ADDRESSES,
  MAX_ADDRESSES_TEXT,
  MAX_VALIDITY_MINUTES,
  MAX_WELCOME_TEXT,
  VALIDITY_MINUTES,
} from './rules.ts';
import type { InvitationRow } from './tables.ts';

const roles: readonly number[] = ROLES;
/** Most channels, and most groups, of an invitation. */
const MAX_OFFERED = 1000;

const role = refined<number>(int(), (value) => roles.includes(value), 'Not in the list of possible values');

const offer = {
  group_ids: withDefault(json(list(idOf<GroupId>(), { max: MAX_OFFERED }), 'User groups that the person joins.'), []),
  include_realm_default_subscriptions: withDefault(
    json(bool(), 'Whether the person is subscribed to the default channels too.'),
    false,
  ),
  invite_as: withDefault(json(role, 'Role of the person: 100, 200, 300, 400 or 600.'), 400),
  invite_expires_in_minutes: withDefault(
    json(
      nullable(int({ min: 1, max: MAX_VALIDITY_MINUTES })),
      'Minutes that it is good for; null for ever; ten days when absent.',
    ),
    VALIDITY_MINUTES,
  ),
} as const;
const welcome = optional(
  raw(text({ max: MAX_WELCOME_TEXT }), 'Message of the welcome bot; empty for none. Administrators only.'),
);
const offerErrors = [
  ...INVITING_ERRORS,
  errors.InvalidInviteChannel,
  errors.MayNotSubscribeOthers,
  errors.InvalidInviteGroup,
  errors.InviteGroupDeactivated,
];

/** Whether the invitation is for the role of owner. */
const invitesOwners = ({ invite_as }: { readonly invite_as: number }) => invite_as === Role.owner;

const sendInvites = endpoint({
  id: 'send-invites',
  method: 'POST',
  path: '/invites',
  source: 'protocol/invitations#parameters',
  doc: 'Invites people by mail.',
  who: humanMembers,
  dangerous: invitesOwners,
  params: {
    ...offer,
    invitee_emails: raw(
      text({ max: MAX_ADDRESSES_TEXT }),
      `Addresses, separated by commas or newlines; at most ${MAX_ADDRESSES}.`,
    ),
    notify_referrer_on_join: withDefault(json(bool(), 'Whether the caller is told when somebody joins.'), true),
    stream_ids: json(list(idOf<ChannelId>(), { max: MAX_OFFERED }), 'Channels that the person is subscribed to.'),
    welcome_message_custom_text: welcome,
  },
  returns: {},
  fails: [...offerErrors, errors.NoEmails, errors.TooManyEmails, errors.InvitationFailed],
  async run({ context, actor, params }) {
    await sendInvitations(context, actor, withText(params));
    return {};
  },
});

const createLink = endpoint({
  id: 'create-invite-link',
  method: 'POST',
  path: '/invites/multiuse',
  source: 'protocol/invitations#links',
  doc: 'Makes a reusable invitation link.',
  who: humanMembers,
  dangerous: invitesOwners,
  params: {
    ...offer,
    stream_ids: withDefault(
      json(list(idOf<ChannelId>(), { max: MAX_OFFERED }), 'Channels that people are subscribed to.'),
      [],
    ),
    welcome_message_custom_text: welcome,
  },
  returns: { invite_link: str() },
  fails: offerErrors,
  async run({ context, actor, params }) {
    return { invite_link: await createInvitationLink(context, actor, withText(params)) };
  },
});

/** An invitation in the list. See protocol/invitations#managing. */
const listed = object({
  id: int(),
  email: maybe(str()),
  link_url: maybe(str()),
  invited_by_user_id: nullable(int()),
  invited: int(),
  expiry_date: nullable(int()),
  invited_as: int(),
  is_multiuse: bool(),
  notify_referrer_on_join: maybe(bool()),
}).meta({ id: 'Invitation' });

const listInvites = endpoint({
  id: 'get-invites',
  method: 'GET',
  path: '/invites',
  source: 'protocol/invitations#managing',
  doc: "Invitations that can still be accepted, at most the 2,000 newest: the caller's own; everybody's for administrators. `link_url` is left out where the caller could not make such a link.",
  who: humanMembers,
  params: {},
  returns: { invites: list(listed) },
  async run({ context, realm, actor }) {
    const inviter = isAdministrator(actor) ? undefined : actor.userId;
    return context.store.as(actor).read(async (tx) => {
      const rows = await listInvitations(tx, inviter);
      const rights = await readRights(tx);
      const offerable = await offerableOf(tx, rights, rows);
      const mayMake = rights.holds('create_multiuse_invite_group');
      const mayHaveLink = (row: InvitationRow) =>
        row.inviter_id === actor.userId ? row.invited_as >= actor.role : mayMake && offerable.has(row);
      return { invites: rows.map((row) => toListed(context, realm, row, mayHaveLink(row))) };
    });
  },
});

const managing = { params: { invite_id: path(int()) }, returns: {}, who: humanMembers } as const;
const managingErrors = [errors.NoSuchInvitation, ...INVITING_ERRORS];

const revokeInvite = endpoint({
  id: 'revoke-email-invite',
  method: 'DELETE',
  path: '/invites/{invite_id}',
  source: 'protocol/invitations#managing',
  doc: 'Revokes an invitation by mail.',
  ...managing,
  fails: managingErrors,
  async run({ context, actor, params }) {
    await revoke(context, actor, 'email', params.invite_id);
    return {};
  },
});

const revokeLink = endpoint({
  id: 'revoke-invite-link',
  method: 'DELETE',
  path: '/invites/multiuse/{invite_id}',
  source: 'protocol/invitations#managing',
  doc: 'Revokes a reusable invitation link.',
  ...managing,
  fails: [...managingErrors, errors.InvitationRevoked],
  async run({ context, actor, params }) {
    await revoke(context, actor, 'link', params.invite_id);
    return {};
  },
});

const resendInvite = endpoint({
  id: 'resend-email-invite',
  method: 'POST',
  path: '/invites/{invite_id}/resend',
  source: 'protocol/invitations#managing',
  doc: "Sends an invitation's mail again.",
  ...managing,
  fails: [...managingErrors, errors.InvitationFailed],
  async run({ context, actor, params }) {
    await resend(context, actor, params.invite_id);
    return {};
  },
});

/** Null means the organization's own text, which is the default. See protocol/invitations#parameters. */
function withText<P extends { readonly welcome_message_custom_text: string | undefined }>(params: P) {
  return { ...params, welcome_message_custom_text: params.welcome_message_custom_text ?? null };
}

function toListed(
  context: Pick<ReadContext, 'server'>,
  realm: RealmRef,
  row: InvitationRow,
  mayHaveLink: boolean,
): SchemaOf<typeof listed> {
  const shared = {
    id: row.id,
    invited_by_user_id: row.inviter_id,
    invited: row.created_at,
    expiry_date: row.expires_at,
    invited_as: row.invited_as,
  };
  if (row.invitation_kind === 'link')
    return { ...shared, ...(mayHaveLink && { link_url: linkOf(context, realm, row.key_seed) }), is_multiuse: true };
  return {
    ...shared,
    email: row.email ?? '',
    is_multiuse: false,
    notify_referrer_on_join: row.notifies_referrer,
  };
}

export const invitationEndpoints = [sendInvites, createLink, listInvites, revokeInvite, revokeLink, resendInvite];
