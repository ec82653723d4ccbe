import type { ChannelId, GroupId, MessageId, UserId } from '#kernel/ids';
import type { AlertWords } from './alert-words.ts';
import type { Linkifiers } from './linkifiers/compile.ts';

/** A user that a mention can name: cross-realm bots included, users hidden from the sender left out. */
export interface MentionableUser {
  readonly user_id: UserId;
  readonly full_name: string;
  readonly is_active: boolean;
}

/** A user group that a mention may mean. */
export interface MentionableGroup {
  readonly id: GroupId;
  readonly name: string;
  readonly is_system_group: boolean;
  readonly deactivated: boolean;
}

/** A channel whose content the acting user may read. */
export interface LinkableChannel {
  readonly stream_id: ChannelId;
  readonly name: string;
}

/** The latest message of a linked topic that the acting user may read (protocol/markdown#channel-links). */
export interface LinkableTopic {
  readonly stream_id: ChannelId;
  /** The name as it stands in the link; compared without letter case. */
  readonly topic: string;
  readonly latest_message_id: MessageId;
}

/** What is known of an uploaded file, by the path behind `/user_uploads/`. */
export interface UploadFacts {
  readonly path_id: string;
  readonly content_type: string;
  /** Pixels after EXIF rotation; null for what is not an image with thumbnails. */
  readonly width: number | null;
  readonly height: number | null;
  /** Name of the format to show, such as `840x560.webp`; null while the thumbnail is being made. */
  readonly thumbnail_format: string | null;
  /** Name of a stored large format of a type that browsers lack, or null. */
  readonly transcoded: string | null;
}

/** What the page behind a link says about itself. */
export interface WebsitePreview {
  readonly title: string | null;
  readonly description: string | null;
  readonly image: string | null;
  /** HTML of a video player; only ever shown as the value of an attribute. */
  readonly embedHtml: string | null;
  readonly kind: 'card' | 'photo' | 'video';
}

/** Proxy for pictures and sounds of other hosts (protocol/markdown#addresses-and-safety). */
export interface MediaProxy {
  /** What addresses begin with, such as `/external_content/`. */
  readonly base: string;
  readonly key: string;
}

/** What the texts of a realm may mean; the same for all its messages until the realm changes. */
export interface RealmWords {
  /** Address of the realm without a trailing slash. */
  readonly url: string;
  /** Addresses of active custom emoji by name. */
  readonly emoji: ReadonlyMap<string, { readonly source_url: string }>;
  readonly linkifiers: Linkifiers;
  /** Language word of bare fences, or "". */
  readonly defaultCodeLanguage: string;
  readonly mediaProxy: MediaProxy | null;
}

/** What the names in one text mean; looked up after `scanMarkdown` has told which names there are. */
export interface MarkdownWorld {
  /**
   * Null outside a realm: mentions, channel links, custom emoji and emoticons are inert
   * (protocol/markdown#what-rendering-needs).
   */
  readonly realm: RealmWords | null;
  readonly users: readonly MentionableUser[];
  readonly groups: readonly MentionableGroup[];
  readonly channels: readonly LinkableChannel[];
  readonly topics: readonly LinkableTopic[];
  readonly uploads: readonly UploadFacts[];
  /** Words that the readers of the realm watch for; null where nobody is alerted. */
  readonly alertWords: AlertWords | null;
  /** What is known of websites by address; null means known to have nothing to show. */
  readonly websites: ReadonlyMap<string, WebsitePreview | null>;
  /** Pictures, videos and YouTube from links. Off for descriptions and the like. */
  readonly imagePreviews: boolean;
  /** Cards of websites. Off for descriptions, the like, and what bots send. */
  readonly websitePreviews: boolean;
  readonly translateEmoticons: boolean;
  /** Text that came by mail has no indented code (protocol/markdown#indented-code). */
  readonly fromMail: boolean;
}
