import type { Community } from './community.ts';
import { numberOf } from './mentions.ts';

const MAX_CHANNEL = 60;
/** See protocol/organizations#older-releases. */
const MODERATORS_WRITE = 4;

/** What is in the archive beside messages and files, as rows of an established server. */
export function realmOf(
  { product, people, channels, conversations, emoji }: Community,
  {
    people: numbers,
    reactions,
  }: { readonly people: ReadonlyMap<string, number>; readonly reactions: readonly object[] },
): object {
  const stranger = numberOf(people.length);
  const places = [...channels, ...conversations];
  const members = places.flatMap((place, index) =>
    [...new Set(place.members)].flatMap((key) => {
      const user_profile = numbers.get(key);
      return user_profile === undefined ? [] : [{ user_profile, recipient: index + 1, active: true }];
    }),
  );
  return {
    import_source: product.toLowerCase(),
    zerver_realm: [{ id: 1, name: product }],
    zerver_userprofile: [
      ...people.map(({ key, name, email, isActive, isBot, role, timezone }, index) => ({
        id: numberOf(index),
        import_key: key,
        full_name: name,
        delivery_email: email,
        is_active: isActive,
        is_bot: isBot,
        bot_type: isBot ? 1 : null,
        role: isBot ? 400 : role,
        timezone,
      })),
      {
        id: stranger,
        import_key: '',
        full_name: product,
        email: '',
        role: 400,
        is_bot: true,
        bot_type: 1,
        is_active: false,
      },
    ],
    zerver_stream: channels.map((channel, index) => ({
      id: index + 1,
      import_key: channel.key,
      name: [...channel.name].slice(0, MAX_CHANNEL).join(''),
      description: channel.description,
      invite_only: channel.isPrivate,
      history_public_to_subscribers: true,
      deactivated: channel.isArchived,
      ...(channel.isReadOnly && { stream_post_policy: MODERATORS_WRITE }),
      date_created: channel.created,
      creator: numbers.get(channel.creator ?? '') ?? null,
    })),
    zerver_defaultstream: channels.flatMap(({ isDefault }, index) =>
      isDefault ? [{ id: index + 1, stream: index + 1 }] : [],
    ),
    zerver_recipient: places.map((_place, index) => ({
      id: index + 1,
      type: index < channels.length ? 2 : 3,
      type_id: index + 1,
    })),
    zerver_subscription: members.map((row, index) => ({ id: index + 1, ...row })),
    zerver_realmemoji: emoji.map(({ name }, index) => ({ id: index + 1, name })),
    zerver_reaction: reactions,
  };
}
