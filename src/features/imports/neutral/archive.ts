import { createHash } from 'node:crypto';
import { emojiCode } from '#kernel/markdown';
import { takeCodePoints } from '#kernel/text';
import { isTime } from '../entry.ts';
import type { Report } from '../report.ts';
import type { Scratch, Source } from '../source.ts';
import type { Community, Post, PostFile } from './community.ts';
import { numberOf } from './mentions.ts';
import { OrderedPosts } from './ordered.ts';
import { realmOf } from './realm.ts';
import { Threads } from './topics.ts';

/** Messages of one file. */
const FILE = 1000;
/** Most code points of a message: more than it keeps, and so few that all messages of a file fit into memory. */
const MAX_TEXT = 20_000;

/** A file of an imported message. */
interface Upload {
  /** The number of its message in the order of arrival. */
  readonly post: number;
  readonly file: PostFile;
  readonly owner: number;
  readonly at: number;
  readonly pathId: string;
}

interface Reaction {
  readonly post: number;
  readonly row: object;
}

/**
 * Gives what another product's archive holds the form of an established server's: numbers for keys, messages in the order of
 * their times, topics for threads. See protocol/organizations#import-from-other-products.
 */
export async function archiveOf(community: Community, scratch: Scratch, report: Report): Promise<Source> {
  const archive = new Archive(community, new OrderedPosts(scratch), report);
  try {
    await archive.lookThrough();
  } catch (error) {
    await scratch.close();
    throw error;
  }
  return {
    report,
    close: () => scratch.close(),
    json: (path) => archive.json(path),
    messageFiles: () => Promise.resolve(archive.files),
    open: async (path) => {
      const place = archive.pathOf(path);
      return place === undefined ? undefined : community.open(place);
    },
  };
}

class Archive {
  readonly #community: Community;
  readonly #posts: OrderedPosts;
  readonly #report: Report;
  readonly #threads: Threads;
  readonly #people: ReadonlyMap<string, number>;
  readonly #places: ReadonlyMap<string, number>;
  readonly #isChannel: ReadonlySet<string>;
  readonly #emoji: ReadonlyMap<string, number>;
  readonly #uploads: Upload[] = [];
  readonly #paths = new Map<string, string>();
  readonly #reactions: Reaction[] = [];
  #order: Uint32Array = new Uint32Array();

  constructor(community: Community, posts: OrderedPosts, report: Report) {
    const { people, channels, conversations, emoji, product } = community;
    this.#community = community;
    this.#posts = posts;
    this.#report = report;
    this.#threads = new Threads(product);
    this.#people = new Map(people.map(({ key }, index) => [key, numberOf(index)]));
    this.#places = new Map([...channels, ...conversations].map(({ key }, index) => [key, index + 1]));
    this.#isChannel = new Set(channels.map(({ key }) => key));
    this.#emoji = new Map(emoji.map(({ name }, index) => [name, index + 1]));
  }

  /** Reads all messages once: puts them aside, and notes threads, files and reactions. */
  async lookThrough(): Promise<void> {
    for await (const post of this.#community.posts()) {
      if (!this.#places.has(post.channel)) {
        this.#report.remark('messages left out', `${post.place}: its channel is not in the archive`);
        continue;
      }
      if (!isTime(post.at)) {
        this.#report.remark('messages left out', `${post.place}: its time is too far away`);
        continue;
      }
      this.#threads.note(post);
      const editedAt = isTime(post.editedAt ?? 0) ? post.editedAt : null;
      const number = await this.#posts.add({ ...post, editedAt, text: takeCodePoints(post.text, MAX_TEXT) });
      for (const [index, file] of post.files.entries()) this.#noteFile(post, number, index, file);
      for (const { emoji, by } of post.reactions) this.#noteReactions(post, number, emoji, by);
    }
    this.#order = this.#posts.sort();
  }

  get files(): readonly string[] {
    const count = Math.ceil(this.#posts.count / FILE);
    return Array.from({ length: count }, (_one, index) => `messages-${String(index + 1).padStart(6, '0')}.json`);
  }

  async json(path: string): Promise<unknown> {
    if (path === 'realm.json')
      return realmOf(this.#community, {
        people: this.#people,
        reactions: this.#reactions.map(({ post, row }, index) => ({
          id: index + 1,
          message: this.#idOf(post),
          ...row,
        })),
      });
    if (path === 'attachment.json') return { zerver_attachment: this.#attachments() };
    if (path === 'avatars/records.json') return this.#avatars();
    if (path === 'emoji/records.json')
      return this.#community.emoji.map(({ name }, index) => ({ name, path: `${index}.original` }));
    const file = /^messages-(\d+)\.json$/.exec(path)?.[1];
    return file === undefined ? undefined : { zerver_message: await this.#messages((Number(file) - 1) * FILE) };
  }

  /** Where a file of the archive that is made lies in the one that it is made from. */
  pathOf(path: string): string | undefined {
    const [folder, rest] = splitAt(path, path.indexOf('/'));
    if (folder === 'uploads') return this.#paths.get(rest);
    const index = Number.parseInt(rest, 10);
    return folder === 'emoji' ? this.#community.emoji[index]?.path : this.#community.people[index]?.picture;
  }

  #idOf(post: number): number {
    return (this.#order[post] ?? 0) + 1;
  }

  #senderOf(author: string | undefined): number {
    return this.#people.get(author ?? '') ?? numberOf(this.#people.size);
  }

  #noteFile(post: Post, number: number, index: number, file: PostFile): void {
    if (file.path === undefined) return;
    const pathId = pathIdOf(this.#community.product, post.key, index, file.name);
    this.#paths.set(pathId, file.path);
    this.#uploads.push({ post: number, file, owner: this.#senderOf(post.author), at: Math.floor(post.at), pathId });
  }

  #noteReactions({ place }: Post, post: number, emoji: string, by: readonly string[]): void {
    const own = this.#emoji.get(emoji);
    const emoji_code = own === undefined ? emojiCode(emoji) : String(own);
    if (emoji_code === undefined) {
      this.#report.remark('reactions left out', `${place}: there is no emoji ${emoji}`);
      return;
    }
    const reaction_type = own === undefined ? 'unicode_emoji' : 'realm_emoji';
    for (const key of by) {
      const user_profile = this.#people.get(key);
      if (user_profile === undefined) this.#report.remark('reactions left out', `${place}: nobody is called ${key}`);
      else this.#reactions.push({ post, row: { user_profile, emoji_name: emoji, emoji_code, reaction_type } });
    }
  }

  #attachments(): readonly object[] {
    return this.#uploads.map(({ post, file, owner, at, pathId }, index) => ({
      id: index + 1,
      path_id: pathId,
      owner,
      file_name: file.name,
      ...(file.type !== undefined && { content_type: file.type }),
      create_time: at,
      messages: [this.#idOf(post)],
    }));
  }

  #avatars(): readonly object[] {
    return this.#community.people.flatMap(({ picture }, index) =>
      picture === undefined ? [] : [{ user_profile_id: numberOf(index), path: `${index}.original` }],
    );
  }

  async #messages(from: number): Promise<readonly object[]> {
    const posts = await this.#posts.slice(from, from + FILE);
    return posts.map((post, index) => ({
      id: from + index + 1,
      import_key: post.key,
      sender: this.#senderOf(post.author),
      recipient: this.#places.get(post.channel),
      subject: this.#isChannel.has(post.channel) ? this.#threads.topicOf(post) : '',
      content: takeCodePoints(
        [post.text, ...post.files.map((file, place) => this.#linkTo(post, place, file))]
          .filter((part) => part !== '')
          .join('\n'),
        MAX_TEXT,
      ),
      date_sent: post.at,
      last_edit_time: post.editedAt,
    }));
  }

  #linkTo(post: Post, index: number, { name, path, address }: PostFile): string {
    const text = name.replaceAll(/[[\]]/g, '');
    if (path !== undefined)
      return `[${text}](/user_uploads/${pathIdOf(this.#community.product, post.key, index, name)})`;
    return address === undefined ? text : `[${text}](${address})`;
  }
}

/** The place of a file among uploads: the same however often the archive is read. */
function pathIdOf(product: string, key: string, index: number, name: string): string {
  const token = createHash('sha256')
    .update(JSON.stringify([product, key, index, name]))
    .digest('base64url');
  const safe = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^\.+/g, '') || 'file';
  return `1/${token.slice(0, 2)}/${token.slice(2, 26)}/${[...safe].slice(-60).join('')}`;
}

function splitAt(text: string, place: number): readonly [string, string] {
  return [text.slice(0, place), text.slice(place + 1)];
}
