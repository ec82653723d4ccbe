import type { GroupId, UserId } from '#kernel/ids';

/** What the passes note while they work, besides the tree they build. */
export interface Facts {
  readonly mentionedUsers: Set<UserId>;
  readonly mentionedGroups: Set<GroupId>;
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  readonly attachments: Set<string>;
  readonly pendingThumbnails: Set<string>;
  readonly previewLinks: Set<string>;
  /** Any `<a href>` was made. */
  hasLink: boolean;
  hasImage: boolean;
}

export function noFacts(): Facts {
  return {
    mentionedUsers: new Set(),
    mentionedGroups: new Set(),
    mentionsChannel: false,
    mentionsTopic: false,
    attachments: new Set(),
    pendingThumbnails: new Set(),
    previewLinks: new Set(),
    hasLink: false,
    hasImage: false,
  };
}
