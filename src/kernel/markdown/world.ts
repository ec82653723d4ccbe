import type { ChannelId, GroupId, MessageId, UserId } from '#kernel/ids';
import type { AlertWords } from './alert-words.ts';
import type { Linkifiers } from './linkifiers/compile.ts';

/** A user that can be mentioned, including cross-realm bots; users hidden from the sender are left out. */
export interface MentionableUser {
  readonly user_id: UserId;
  readonly full_name: string;
  readonly is_active: boolean;
}

/** A user group that can be mentioned. */
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

/** The latest message that the acting user may read in a linked topic (protocol/markdown#channel-links). */
export interface LinkableTopic {
  readonly stream_id: ChannelId;
  /** The name as typed in the link; case is ignored. */
  readonly topic: string;
  readonly latest_message_id: MessageId;
}

/** An uploaded file, by the path after `/user_uploads/`. */
export interface UploadFacts {
  readonly path_id: string;
  readonly content_type: string;
  /** In pixels, after EXIF rotation; null if it is not an image with thumbnails. */
  readonly width: number | null;
  readonly height: number | null;
  /** Name of the thumbnail's format, such as `840x560.webp`; null while the thumbnail is pending. */
  readonly thumbnail_format: string | null;
  /** Name of a stored full-size version, if browsers do not display the type; otherwise null. */
  readonly transcoded: string | null;
}

/** Metadata of the page behind a link. */
export interface WebsitePreview {
  readonly title: string | null;
  readonly description: string | null;
  readonly image: string | null;
  /** HTML of a video player; only ever written as an attribute's value. */
  readonly embedHtml: string | null;
  readonly kind: 'card' | 'photo' | 'video';
}

/** The proxy for images and audio of other hosts (protocol/markdown#addresses-and-safety). */
export interface MediaProxy {
  /** Path prefix, such as `/external_content/`. */
  readonly base: string;
  readonly key: string;
}

/** The data of a realm for rendering; the same for all messages until the realm changes. */
export interface RealmWords {
  /** Address of the realm, without a trailing slash. */
  readonly url: string;
  /** Active custom emoji by name. */
  readonly emoji: ReadonlyMap<string, { readonly source_url: string }>;
  readonly linkifiers: Linkifiers;
  /** Language of fences without a word, or "". */
  readonly defaultCodeLanguage: string;
  readonly mediaProxy: MediaProxy | null;
}

/** What the names in one text refer to; looked up after `scanMarkdown` has found the names. */
export interface MarkdownWorld {
  /**
   * Null outside of a realm: mentions, channel links, custom emoji and emoticons stay text
   * (protocol/markdown#what-rendering-needs).
   */
  readonly realm: RealmWords | null;
  readonly users: readonly MentionableUser[];
  readonly groups: readonly MentionableGroup[];
  readonly channels: readonly LinkableChannel[];
  readonly topics: readonly LinkableTopic[];
  readonly uploads: readonly UploadFacts[];
  /** Alert words of the realm; null if nobody is to be alerted. */
  readonly alertWords: AlertWords | null;
  /** Website metadata by address; null if the website has nothing to show. */
  readonly websites: ReadonlyMap<string, WebsitePreview | null>;
  /** Whether links to images, videos and YouTube get previews. Off for descriptions and the like. */
  readonly imagePreviews: boolean;
  /** Whether websites get cards. Off for descriptions and the like, and for messages of bots. */
  readonly websitePreviews: boolean;
  readonly translateEmoticons: boolean;
  /** Whether the text came by mail; then there is no indented code (protocol/markdown#indented-code). */
  readonly fromMail: boolean;
}
