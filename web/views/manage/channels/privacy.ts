import type { Channel } from '../../../model/index.ts';

/** Who may see a channel and its past, and the permission that making one so takes. */
export const PRIVACIES = [
  { key: 'public', permission: 'can_create_public_channel_group' },
  { key: 'private', permission: 'can_create_private_channel_group' },
  { key: 'webPublic', permission: 'can_create_web_public_channel_group' },
] as const;
export type Privacy = (typeof PRIVACIES)[number]['key'];

export function privacyOf({ is_web_public, invite_only }: Channel['channel']): Privacy {
  if (is_web_public) return 'webPublic';
  return invite_only ? 'private' : 'public';
}

/** As the API makes a channel of it. */
export function privacyFields(privacy: Privacy) {
  return { invite_only: privacy === 'private', is_web_public: privacy === 'webPublic' };
}

/** As the API changes a channel to it. */
export function privacyChange(privacy: Privacy) {
  return { is_private: privacy === 'private', is_web_public: privacy === 'webPublic' };
}
