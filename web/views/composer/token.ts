/** A part of the text at the caret that can be completed. */
export interface Token {
  readonly kind: 'mention' | 'channel' | 'topic' | 'emoji' | 'command' | 'language';
  /** The typed part of the name. */
  readonly query: string;
  /** What stands before the caret and is replaced by a completion. */
  readonly typed: string;
  /** Index in the text where the token begins; it ends at the caret. */
  readonly from: number;
  /** The channel's name, for a token of a topic. */
  readonly channel?: string;
  /** Whether it begins with `@_`, which notifies nobody. */
  readonly isSilent?: boolean;
}

type Found = Omit<Token, 'typed'>;

/** Longest name that is completed, in characters. */
const MAX_QUERY = 60;
/** Characters before the caret in which a token begins: a topic of a channel, with the names of both, is the longest. */
const MAX_TOKEN = 200;

/** Finds the token that ends at the caret. */
export function tokenAt(text: string, caret: number): Token | undefined {
  const found = foundAt(text, caret);
  return found && { ...found, typed: text.slice(found.from, caret) };
}

/** Whether two tokens have the same completions at the same place. */
export function isSameToken(one: Token, other: Token | undefined): boolean {
  return one.kind === other?.kind && one.from === other.from && one.typed === other.typed;
}

function foundAt(text: string, caret: number): Found | undefined {
  const near = text.slice(Math.max(0, caret - MAX_TOKEN), caret);
  const line = near.slice(near.lastIndexOf('\n') + 1);
  const start = caret - line.length;
  const language = /^(?:```|~~~)([\w+#-]*)$/.exec(line);
  if (language) return { kind: 'language', query: language[1] ?? '', from: start + 3 };
  const found = tokenIn(line, start);
  // Last, because it reads the whole text.
  return found && !isInCode(text.slice(0, caret)) ? found : undefined;
}

function tokenIn(line: string, start: number): Found | undefined {
  const command = start === 0 ? /^\/([\w-]*)$/.exec(line) : null;
  if (command) return { kind: 'command', query: command[1] ?? '', from: 0 };
  const topic = /#\*\*([^*>]+)>([^*]*)$/.exec(line);
  if (topic) return { kind: 'topic', query: topic[2] ?? '', channel: topic[1] ?? '', from: start + topic.index };
  return named(line, start);
}

/** Finds a mention, channel or emoji, which must begin a word. */
function named(line: string, start: number): Found | undefined {
  const mention = /(?:^|[\s({["'/-])@(_?)(?:\*\*)?([^@#*:\n]*)$/.exec(line);
  const channel = /(?:^|[\s({["'/-])#(?:\*\*)?([^@#*:>\n]*)$/.exec(line);
  const emoji = /(?:^|[\s({["'/-]):([a-z0-9_+-]{2,})$/i.exec(line);
  const at = (found: RegExpExecArray, sign: string) => start + found.index + found[0].indexOf(sign);
  if (mention && isShort(mention[2]))
    return { kind: 'mention', query: mention[2] ?? '', from: at(mention, '@'), isSilent: mention[1] === '_' };
  if (channel && isShort(channel[1])) return { kind: 'channel', query: channel[1] ?? '', from: at(channel, '#') };
  return emoji ? { kind: 'emoji', query: emoji[1] ?? '', from: at(emoji, ':') } : undefined;
}

function isShort(query = ''): boolean {
  // After a second space it is a sentence, not a name.
  return query.length <= MAX_QUERY && query.split(' ').length <= 4 && !query.startsWith(' ');
}

/** Whether the caret is within a fence or backticks, where nothing is a name. */
function isInCode(before: string): boolean {
  const fences = before.match(/^(?:`{3,}|~{3,})/gm)?.length ?? 0;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return fences % 2 === 1 || (line.match(/`/g)?.length ?? 0) % 2 === 1;
}
