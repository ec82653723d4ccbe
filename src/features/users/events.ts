import type { UserId } from '#kernel/ids';
import { event } from '#kernel/events';
import { dict, idOf, int, json, maybe, nullable, object, str } from '#kernel/schema';
import { toInaccessibleUser } from './hidden.ts';
import { apiEmail, seesEmail } from './to-wire.ts';
import { profileData, type WireUser, wireUser } from './wire.ts';

/** Somebody joined the organization, or a bot was made. See protocol/events#realm_user. */
export const realmUserAdded = event({
  type: 'realm_user',
  op: 'add',
  source: 'protocol/events#realm_user',
  payload: {
    person: wireUser,
    email_address_visibility: int(),
    /** The person's profile data; absent means none yet. */
    profile: maybe(profileData),
  },
  forms: [{ person: wireUser }],
  variesBy: ['user_list_incomplete'],
  variesByViewer: ['role', 'hidden'],
  wire: ({ person, email_address_visibility, profile = {} }, { role, hidden, user_list_incomplete }) => {
    if (!person.is_bot && hidden?.has(person.user_id)) {
      const unknown = { ...toInaccessibleUser(person.user_id, hidden.host), is_active: true, profile_data: {} };
      return user_list_incomplete ? [] : [{ person: unknown }];
    }
    const isSeen = seesEmail({ is_bot: person.is_bot, email_address_visibility }, role);
    return [
      {
        person: {
          ...person,
          ...(hidden &&
            !person.is_bot && { email: apiEmailAmongGuests(person, email_address_visibility, hidden.host) }),
          is_active: true,
          delivery_email: isSeen ? person.delivery_email : null,
          profile_data: profile,
        },
      },
    ];
  },
});

/**
 * The address with the host of made-up addresses. The host comes from the guest's own view, because it is not known
 * where the event is emitted.
 */
function apiEmailAmongGuests({ user_id, email }: WireUser, visibility: number, host: string): string {
  return apiEmail({ id: user_id, email, email_address_visibility: visibility, is_bot: false }, host);
}

/**
 * A real address that becomes visible or invisible to others, with its visibility before and after; `before` is null
 * for a new address.
 */
const address = object({ email: str(), before: nullable(int()), after: int() });

/**
 * A user changed: `person` has the ID and the changes. With `address`, only viewers whose view of it changed get
 * `delivery_email`. See protocol/events#realm_user.
 */
export const realmUserUpdated = event({
  type: 'realm_user',
  op: 'update',
  source: 'protocol/events#realm_user',
  payload: { person: dict(json()), address: maybe(address) },
  audit: actOnUser,
  forms: [{ person: dict(json()) }],
  variesByViewer: ['role', 'hidden'],
  wire: ({ person, address: changed }, { role, hidden }) => {
    if (hidden?.has(Number(person['user_id']))) return [];
    if (!changed) return [{ person }];
    const sees = (visibility: number | null) =>
      visibility !== null && seesEmail({ is_bot: false, email_address_visibility: visibility }, role);
    const isSeen = sees(changed.after);
    if (isSeen === sees(changed.before)) return [];
    return [{ person: { ...person, delivery_email: isSeen ? changed.email : null } }];
  },
});

/** A guest may no longer see a user. See protocol/events#realm_user. */
export const realmUserRemoved = event({
  type: 'realm_user',
  op: 'remove',
  source: 'protocol/events#realm_user',
  payload: { person: object({ user_id: idOf<UserId>(), full_name: str() }) },
});

/** Members of a change that the audit log records; pictures, profiles and time zones give nobody rights. */
const AUDITED = ['role', 'full_name', 'is_active', 'delivery_email', 'bot_owner_id', 'is_deleted'];

function actOnUser({ person }: { readonly person: Readonly<Record<string, unknown>> }, before: unknown) {
  const changed = Object.entries(person).filter(([name]) => AUDITED.includes(name));
  const [first] = changed;
  if (!first) return undefined;
  const action = `user.${first[0]}`;
  return {
    action,
    target: { kind: 'user', id: Number(person['user_id']) },
    before,
    after: Object.fromEntries(changed),
  };
}

export const userEvents = [realmUserAdded, realmUserUpdated, realmUserRemoved];
