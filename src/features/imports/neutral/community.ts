/**
 * What an archive of another product holds, in words that all of them share. A key is what the product itself calls a thing;
 * texts are our Markdown already. See protocol/organizations#import-from-other-products.
 */
export interface Community {
  /** As people call the product. */
  readonly product: string;
  readonly people: readonly Person[];
  readonly channels: readonly Channel[];
  readonly conversations: readonly Conversation[];
  readonly emoji: readonly CustomEmoji[];
  /** All messages from the beginning, in whatever order they come. */
  posts(): AsyncIterable<Post>;
  /** The bytes of a file that a person, an emoji or a message names. */
  open(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
}

export interface Person {
  readonly key: string;
  /** As names may be here; see `allowedName`. */
  readonly name: string;
  /** Empty where the archive has none. */
  readonly email: string;
  readonly isActive: boolean;
  readonly isBot: boolean;
  readonly role: Role;
  readonly timezone: string;
  /** Where their picture is in the archive. */
  readonly picture?: string | undefined;
}

/** Numbers of roles, as the API has them: owner, administrator, member, guest. */
export type Role = 100 | 200 | 400 | 600;

export interface Channel {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
  readonly isDefault: boolean;
  /** Only moderators write to it. */
  readonly isReadOnly?: boolean | undefined;
  /** Seconds since 1970. */
  readonly created: number | null;
  readonly creator: string | undefined;
  /** Keys of people. */
  readonly members: readonly string[];
}

/** Messages between some people only. */
export interface Conversation {
  readonly key: string;
  readonly members: readonly string[];
}

export interface CustomEmoji {
  readonly name: string;
  readonly path: string;
}

export interface Post {
  /** The same however often the archive is read. */
  readonly key: string;
  /** Where it is in the archive, as reports name it. */
  readonly place: string;
  /** A person's key; anybody else's messages come from a bot that is called like the product. */
  readonly author: string | undefined;
  /** A channel's or a conversation's. */
  readonly channel: string;
  /** The key of the message that a thread began with; its own for that one. */
  readonly thread?: string | undefined;
  /** Undefined: the thread's, or the one of messages outside of threads. */
  readonly topic?: string | undefined;
  /** Seconds since 1970, with fractions. */
  readonly at: number;
  readonly editedAt: number | null;
  readonly text: string;
  readonly files: readonly PostFile[];
  readonly reactions: readonly PostReaction[];
}

export interface PostFile {
  readonly name: string;
  /** Where it is in the archive, or what it is about instead. */
  readonly path?: string | undefined;
  /** Its address elsewhere, where the archive does not have it. */
  readonly address?: string | undefined;
  readonly type?: string | undefined;
}

export interface PostReaction {
  readonly emoji: string;
  /** Keys of people. */
  readonly by: readonly string[];
}
