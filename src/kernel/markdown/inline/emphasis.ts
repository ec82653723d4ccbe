import type { Pass } from './context.ts';
import { pairStars } from './star-runs.ts';

/** `***strong emphasis***` (contract 1.11). `inner` runs the passes behind this one. */
export function strongEmphasis(inner: Pass): Pass {
  return (text, context) => {
    if (!text.includes('***')) return text;
    return pairStars(text, 3, context, (content) => {
      const { stash } = context;
      const em = { kind: 'nested', tag: 'em', content: inner(content, context) } as const;
      const strong = { kind: 'nested', tag: 'strong', content: stash.put(em, content) } as const;
      return stash.put(strong, `***${content}***`);
    });
  };
}

/** `*emphasis*` (contract 1.11). */
export function emphasis(inner: Pass): Pass {
  return (text, context) => {
    if (!text.includes('*')) return text;
    return pairStars(text, 1, context, (content) =>
      context.stash.put({ kind: 'nested', tag: 'em', content: inner(content, context) }, `*${content}*`),
    );
  };
}

/** `**strong**`: the shortest possible text on one line, which may begin and end with spaces (contract 1.11). */
export function strong(inner: Pass): Pass {
  return (text, context) => {
    if (!text.includes('**')) return text;
    let result = '';
    let done = 0;
    for (let start = text.indexOf('**'); start !== -1; start = text.indexOf('**', start)) {
      const end = text.indexOf('**', start + 3);
      if (end === -1) break;
      const lineEnd = text.indexOf('\n', start);
      if (lineEnd !== -1 && lineEnd < end) {
        start = lineEnd;
        continue;
      }
      const content = text.slice(start + 2, end);
      result += text.slice(done, start);
      result += context.stash.put(
        { kind: 'nested', tag: 'strong', content: inner(content, context) },
        `**${content}**`,
      );
      done = start = end + 2;
    }
    return result + text.slice(done);
  };
}

const strikes = /(?<!~)~~([^~\n]+)~~(?!~)/g;

/** `~~strike~~`: exactly two tildes on either side (contract 1.11). */
export function strike(inner: Pass): Pass {
  return (text, context) => {
    if (!text.includes('~~')) return text;
    return text.replace(strikes, (source, content: string) =>
      context.stash.put({ kind: 'nested', tag: 'del', content: inner(content, context) }, source),
    );
  };
}
