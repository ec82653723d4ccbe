import type { RealmRef } from '#kernel/auth';
import type { ReadKit } from '#kernel/kit';
import {
  type AlertWords,
  type LinkableChannel,
  type LinkableTopic,
  type MarkdownNames,
  type MarkdownWorld,
  type Rendering,
  renderMarkdown as render,
  scanMarkdown,
  type TopicLink,
  topicLinks,
  type UploadFacts,
  type WebsitePreview,
} from '#kernel/markdown';
import { assertOutsideTransaction } from '#kernel/scope';
import type { ReadTx } from '#kernel/store';
import { mediaProxyOf } from './media-proxy.ts';
import { mentionableGroups, mentionableUsers, publicChannels } from './queries.ts';
import { wordsOf } from './words.ts';

/** What rendering a text gives. */
export type Rendered = Rendering;
/** What a message makes besides its text. See protocol/messages#content. */
export interface Widget {
  readonly widget_type: string;
  readonly extra_data: Readonly<Record<string, unknown>>;
}

/** Where texts are rendered: what looks names up, and where the organization is reached. */
export type RenderingKit = Pick<ReadKit, 'store' | 'realmUrl' | 'events' | 'server'>;

/** What the names of a text mean to its author; asked of the slices that know who may see what. */
export interface Sight {
  /** Users whom the author may not see. */
  readonly hidden: { has(userId: number): boolean } | undefined;
  readonly channels: (tx: ReadTx, names: readonly string[]) => Promise<readonly LinkableChannel[]>;
  readonly topics: (
    tx: ReadTx,
    channels: readonly LinkableChannel[],
    topics: MarkdownNames['topics'],
  ) => Promise<readonly LinkableTopic[]>;
  readonly uploads: (tx: ReadTx, pathIds: readonly string[]) => Promise<readonly UploadFacts[]>;
}

/** How the text of a message is shown, besides what it says. */
export interface MessageLook {
  readonly sight: Sight;
  /** Words that readers watch for. */
  readonly alertWords: AlertWords | null;
  readonly translateEmoticons: boolean;
  /** Whether pages behind its links may be shown; not for what bots send. */
  readonly hasWebsites: boolean;
  /** What is known of pages; null: nothing to show. */
  readonly websites?: ReadonlyMap<string, WebsitePreview | null>;
}

type Names = Pick<MarkdownWorld, 'users' | 'groups' | 'channels' | 'topics' | 'uploads'>;

const NOTHING: Names = { users: [], groups: [], channels: [], topics: [], uploads: [] };

/**
 * Turns Markdown of this organization into HTML: channel and folder descriptions, notes, welcome texts. They have no
 * previews, and link only channels that everybody may know. Reads the names; never call it inside a transaction.
 */
export async function renderMarkdown(kit: RenderingKit, realm: RealmRef, text: string): Promise<Rendered> {
  return renderWith(kit, realm, text, undefined);
}

/** Turns the text of a message into HTML, as its author may see things. Never call it inside a transaction. */
export async function renderMessage(
  kit: RenderingKit,
  realm: RealmRef,
  text: string,
  look: MessageLook,
): Promise<Rendered> {
  return renderWith(kit, realm, text, look);
}

/** What makes links of the names of topics. See protocol/markdown#linkifiers. */
export async function topicLinker(
  kit: RenderingKit,
  realm: RealmRef,
): Promise<(topic: string) => readonly TopicLink[]> {
  const { linkifiers } = await wordsOf(kit, realm.id);
  return (topic) => topicLinks(topic, linkifiers);
}

async function renderWith(
  kit: RenderingKit,
  realm: RealmRef,
  text: string,
  look: MessageLook | undefined,
): Promise<Rendered> {
  assertOutsideTransaction('rendering Markdown');
  const words = await wordsOf(kit, realm.id);
  const { emoji, defaultCodeLanguage } = words;
  const linkifiers = await words.linkifiers.forText(text, nextTurn);
  // Member by member: what is added to a spread object costs a look-up each, for every message.
  const { users, groups, channels, topics, uploads } = await namesIn(kit, realm, text, look?.sight);
  return render(text, {
    users,
    groups,
    channels,
    topics,
    uploads,
    realm: { emoji, linkifiers, defaultCodeLanguage, url: kit.realmUrl(realm), mediaProxy: mediaProxyOf(kit) },
    alertWords: look?.alertWords ?? null,
    websites: look?.websites ?? new Map(),
    imagePreviews: look !== undefined && words.imagePreviews,
    websitePreviews: look?.hasWebsites === true && words.websitePreviews,
    translateEmoticons: look?.translateEmoticons ?? false,
    fromMail: false,
  });
}

/** Lets the event loop do something else. */
const nextTurn = () => new Promise(setImmediate);

/** What the names in a text mean; one snapshot, and none for a text without names. */
async function namesIn(kit: RenderingKit, realm: RealmRef, text: string, sight: Sight | undefined): Promise<Names> {
  const names = scanMarkdown(text);
  const lists = [names.userNames, names.groupNames, names.channelNames, sight ? names.uploadPathIds : []];
  if (lists.every((list) => list.length === 0)) return NOTHING;
  // One list needs no snapshot, and people are what most texts name.
  const isOne = lists.every((list) => list.length === 0 || list === names.userNames);
  const work = async (tx: ReadTx): Promise<Names> => {
    const users = await mentionableUsers(tx, realm.id, names.userNames, names.userIds);
    const groups = await mentionableGroups(tx, realm.id, names.groupNames);
    if (!sight) return { ...NOTHING, users, groups, channels: await publicChannels(tx, realm.id, names.channelNames) };
    const channels = names.channelNames.length === 0 ? [] : await sight.channels(tx, names.channelNames);
    return {
      users: users.filter((user) => !sight.hidden?.has(user.user_id)),
      groups,
      channels,
      topics: channels.length === 0 ? [] : await sight.topics(tx, channels, names.topics),
      uploads: names.uploadPathIds.length === 0 ? [] : await sight.uploads(tx, names.uploadPathIds),
    };
  };
  return isOne ? kit.store.query(work) : kit.store.read(work);
}
