import { listUploads } from './addresses/uploads.ts';

/** The names in a text that must be looked up before rendering; may include some that are not used. */
export interface MarkdownNames {
  /** Full names as typed; case is ignored. */
  readonly userNames: readonly string[];
  readonly userIds: readonly number[];
  readonly groupNames: readonly string[];
  /** Names of channels; case matters. */
  readonly channelNames: readonly string[];
  readonly topics: readonly { readonly channelName: string; readonly topic: string }[];
  readonly uploadPathIds: readonly string[];
}

const users = /@_?\*\*([^*]+)\*\*/g;
const groups = /@_?\*([^*]+)\*/g;
const channels = /#\*\*([^*]+)\*\*/g;
const withId = /^[^|]*\|(\d{1,10})$/;

/** Finds the names that a text may use in mentions, links and uploads. Pure and fast. */
export function scanMarkdown(text: string): MarkdownNames {
  const userNames = namesBy(users, text);
  const links = namesBy(channels, text);
  return {
    userNames,
    userIds: unique(userNames.flatMap((name) => withId.exec(name)?.[1] ?? [])).map(Number),
    groupNames: namesBy(groups, text),
    channelNames: unique(links.flatMap((name) => [name, name.split('>', 1)[0] ?? ''])).filter((name) => name !== ''),
    topics: links.flatMap(topicOf),
    uploadPathIds: listUploads(text),
  };
}

function topicOf(link: string): { channelName: string; topic: string }[] {
  const cut = link.indexOf('>');
  return cut === -1 ? [] : [{ channelName: link.slice(0, cut), topic: link.slice(cut + 1) }];
}

function namesBy(pattern: RegExp, text: string): string[] {
  return unique([...text.matchAll(pattern)].map(([, name = '']) => name));
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
