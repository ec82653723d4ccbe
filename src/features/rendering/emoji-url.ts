import type { RealmId } from '#kernel/ids';

/** Address of the picture of an organization's own emoji. See protocol/markdown#emoji. */
export function emojiUrl(realmId: RealmId, fileName: string): string {
  return `/user_avatars/${realmId}/emoji/images/${fileName}`;
}
