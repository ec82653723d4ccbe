import type { RealmRef } from '#kernel/auth';
import type { ReadContext } from '#kernel/context';
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
import type { RealmReadTx } from '#kernel/store';
import { mediaProxyOf } from './addresses.ts';
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
export type RenderingContext = Pick<ReadContext, 'store' | 'realmUrl' | 'events' | 'server'>;

/** What the names of a text mean to its author; asked of the slices that know who may see what. */
export interface Visibility {
  /** Users hidden from the author. */
  readonly hidden: { has(userId: number): boolean } | undefined;
  readonly channels: (tx: RealmReadTx, names: readonly string[]) => Promise<readonly LinkableChannel[]>;
  readonly topics: (
    tx: RealmReadTx,
    channels: readonly LinkableChannel[],
    topics: MarkdownNames['topics'],
  ) => Promise<readonly LinkableTopic[]>;
  readonly uploads: (tx: RealmReadTx, pathIds: readonly string[]) => Promise<readonly UploadFacts[]>;
}

/** How the text of a message is shown, besides what it says. */
export interface MessageLook {
  readonly visibility: Visibility;
  /** Words that readers watch for. */
  readonly alertWords: AlertWords | null;
  readonly translateEmoticons: boolean;
  /** Whether pages behind its links may be shown; not for what bots send. */
  readonly hasWebsites: boolean;
  /** What is known of pages; null: nothing to show. */
  readonly websites?: ReadonlyMap<string, WebsitePreview | null>;
  /** Whether it came by mail, where what is indented is no code. */
  readonly isFromMail?: boolean;
}

type Names = Pick<MarkdownWorld, 'users' | 'groups' | 'channels' | 'topics' | 'uploads'>;

const NOTHING: Names = { users: [], groups: [], channels: [], topics: [], uploads: [] };

/**
 * Turns Markdown of this organization into HTML: channel and folder descriptions, notes, welcome texts. They have no
 * previews, and link only channels that everybody may know. Reads the names; never call it inside a transaction.
 */
export async function renderMarkdown(context: RenderingContext, realm: RealmRef, text: string): Promise<Rendered> {
  return renderWith(context, realm, text, undefined);
}

/** Turns the text of a message into HTML, as its author may see things. Never call it inside a transaction. */
export async function renderMessage(
  context: RenderingContext,
  realm: RealmRef,
  text: string,
  look: MessageLook,
): Promise<Rendered> {
  return renderWith(context, realm, text, look);
}

/** What makes links of the names of topics. See protocol/markdown#linkifiers. */
export async function topicLinker(
  context: RenderingContext,
  realm: RealmRef,
): Promise<(topic: string) => readonly TopicLink[]> {
  const { linkifiers } = await wordsOf(context, realm.id);
  return (topic) => topicLinks(topic, linkifiers);
}

async function renderWith(
  context: RenderingContext,
  realm: RealmRef,
  text: string,
  look: MessageLook | undefined,
): Promise<Rendered> {
  assertOutsideTransaction('rendering Markdown');
  const words = await wordsOf(context, realm.id);
  const { emoji, defaultCodeLanguage } = words;
  const linkifiers = await words.linkifiers.forText(text, nextTurn);
  // Member by member: what is added to a spread object costs a look-up each, for every message.
  const { users, groups, channels, topics, uploads } = await namesIn(context, realm, text, look?.visibility);
  return render(text, {
    users,
    groups,
    channels,
    topics,
    uploads,
    realm: { emoji, linkifiers, defaultCodeLanguage, url: context.realmUrl(realm), mediaProxy: mediaProxyOf(context) },
    alertWords: look?.alertWords ?? null,
    websites: look?.websites ?? new Map(),
    imagePreviews: look !== undefined && words.imagePreviews,
    websitePreviews: look?.hasWebsites === true && words.websitePreviews,
    translateEmoticons: look?.translateEmoticons ?? false,
    fromMail: look?.isFromMail ?? false,
  });
}

/** Lets the event loop do something else. */
const nextTurn = () => new Promise(setImmediate);

/** What the names in a text mean; one snapshot, and none for a text without names. */
async function namesIn(
  context: RenderingContext,
  realm: RealmRef,
  text: string,
  visibility: Visibility | undefined,
): Promise<Names> {
  const names = scanMarkdown(text);
  const lists = [names.userNames, names.groupNames, names.channelNames, visibility ? names.uploadPathIds : []];
  if (lists.every((list) => list.length === 0)) return NOTHING;
  // One list needs no snapshot, and people are what most texts name.
  const isOne = lists.every((list) => list.length === 0 || list === names.userNames);
  const work = async (tx: RealmReadTx): Promise<Names> => {
    const users = await mentionableUsers(tx, names.userNames, names.userIds);
    const groups = await mentionableGroups(tx, names.groupNames);
    if (!visibility) return { ...NOTHING, users, groups, channels: await publicChannels(tx, names.channelNames) };
    const channels = names.channelNames.length === 0 ? [] : await visibility.channels(tx, names.channelNames);
    return {
      users: users.filter((user) => !visibility.hidden?.has(user.user_id)),
      groups,
      channels,
      topics: channels.length === 0 ? [] : await visibility.topics(tx, channels, names.topics),
      uploads: names.uploadPathIds.length === 0 ? [] : await visibility.uploads(tx, names.uploadPathIds),
    };
  };
  const store = context.store.in(realm);
  return isOne ? store.query(work) : store.read(work);
}
