import type { Channel } from '../../../model/index.ts';

/** Kinds of privacy of a channel, with the permission to create one of each. */
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

/** The parameters that create a channel of this privacy. */
export function privacyFields(privacy: Privacy) {
  return { invite_only: privacy === 'private', is_web_public: privacy === 'webPublic' };
}

/** The parameters that change a channel to this privacy. */
export function privacyChange(privacy: Privacy) {
  return { is_private: privacy === 'private', is_web_public: privacy === 'webPublic' };
}
