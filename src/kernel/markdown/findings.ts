import type { GroupId, UserId } from '#kernel/ids';

/** What the passes record besides the tree. */
export interface Findings {
  readonly mentionedUsers: Set<UserId>;
  readonly mentionedGroups: Set<GroupId>;
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  readonly attachments: Set<string>;
  readonly pendingThumbnails: Set<string>;
  readonly previewLinks: Set<string>;
  /** Whether an `<a href>` was made. */
  hasLink: boolean;
  hasImage: boolean;
}

export function noFindings(): Findings {
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
