import { listUploads } from './addresses/uploads.ts';

/** The names a text uses, for which its world must be looked up; more than will be used, never fewer. */
export interface MarkdownNames {
  /** Full names as typed, to be compared without letter case. */
  readonly userNames: readonly string[];
  readonly userIds: readonly number[];
  readonly groupNames: readonly string[];
  /** Names of channels, to be compared exactly. */
  readonly channelNames: readonly string[];
  readonly topics: readonly { readonly channelName: string; readonly topic: string }[];
  readonly uploadPathIds: readonly string[];
}

const users = /@_?\*\*([^*]+)\*\*/g;
const groups = /@_?\*([^*]+)\*/g;
const channels = /#\*\*([^*]+)\*\*/g;
const withId = /^[^|]*\|(\d{1,10})$/;

/** Finds the names that a text may mean by mentions, links and uploads. Pure and quick; needs no world. */
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
