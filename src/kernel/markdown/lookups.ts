import { foldCase } from '#kernel/text';
import type {
  LinkableChannel,
  MarkdownWorld,
  MentionableGroup,
  MentionableUser,
  RealmWords,
  UploadFacts,
} from './world.ts';

/** The world of one text, indexed; each index is built on first use. */
export class Lookups {
  readonly world: MarkdownWorld;
  readonly realm: RealmWords | null;
  #usersByName: ReadonlyMap<string, MentionableUser> | undefined;
  #usersById: ReadonlyMap<number, MentionableUser> | undefined;
  #groups: ReadonlyMap<string, MentionableGroup> | undefined;
  #channels: ReadonlyMap<string, LinkableChannel> | undefined;
  #topics: ReadonlyMap<string, number> | undefined;
  #uploads: ReadonlyMap<string, UploadFacts> | undefined;

  constructor(world: MarkdownWorld) {
    this.world = world;
    this.realm = world.realm;
  }

  /** Finds the user with a full name, ignoring case; of several, the one with the lowest ID. */
  userNamed(name: string): MentionableUser | undefined {
    this.#usersByName ??= usersByName(this.world.users);
    return this.#usersByName.get(foldCase(name));
  }

  userWithId(id: number): MentionableUser | undefined {
    this.#usersById ??= new Map(this.world.users.map((user) => [user.user_id, user]));
    return this.#usersById.get(id);
  }

  groupNamed(name: string): MentionableGroup | undefined {
    this.#groups ??= new Map(this.world.groups.map((group) => [group.name, group]));
    return this.#groups.get(name);
  }

  channelNamed(name: string): LinkableChannel | undefined {
    this.#channels ??= new Map(this.world.channels.map((channel) => [channel.name, channel]));
    return this.#channels.get(name);
  }

  /** Returns the message that a link to a topic leads to. */
  latestMessage(channel: LinkableChannel, topic: string): number | undefined {
    this.#topics ??= new Map(this.world.topics.map((t) => [topicKey(t.stream_id, t.topic), t.latest_message_id]));
    return this.#topics.get(topicKey(channel.stream_id, topic));
  }

  upload(pathId: string): UploadFacts | undefined {
    this.#uploads ??= new Map(this.world.uploads.map((upload) => [upload.path_id, upload]));
    return this.#uploads.get(pathId);
  }
}

function topicKey(channel: number, topic: string): string {
  return `${channel} ${foldCase(topic)}`;
}

function usersByName(users: readonly MentionableUser[]): Map<string, MentionableUser> {
  const byName = new Map<string, MentionableUser>();
  for (const user of users) {
    const key = foldCase(user.full_name);
    const other = byName.get(key);
    if (!other || user.user_id < other.user_id) byName.set(key, user);
  }
  return byName;
}
