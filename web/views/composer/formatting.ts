import type { Tool } from '../../compose/index.ts';

/** A text and its selection. */
export interface Selected {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Applies a tool of the formatting bar; undefined for one that asks something first. */
export function formatted(tool: Tool, selected: Selected): Selected | undefined {
  switch (tool) {
    case 'bold':
      return around(selected, '**', '**');
    case 'italic':
      return around(selected, '*', '*');
    case 'strike':
      return around(selected, '~~', '~~');
    case 'link':
      return linked(selected);
    case 'list':
      return eachLine(selected, '- ');
    case 'quote':
      return fenced(selected, '```quote');
    case 'spoiler':
      return fenced(selected, '```spoiler ');
    case 'code':
      return selected.text.slice(selected.from, selected.to).includes('\n')
        ? fenced(selected, '```')
        : around(selected, '`', '`');
    case 'math':
      return around(selected, '$$', '$$');
    case 'mention':
      return inserted(selected, '@');
    case 'poll':
      return selected.text.trim() === '' ? { text: '/poll ', from: 6, to: 6 } : undefined;
    case 'time':
      return inserted(selected, '<time:');
    default:
      return undefined;
  }
}

/** Adds marks on both sides of the selection, or removes them if they are there. */
function around({ text, from, to }: Selected, before: string, after: string): Selected {
  const inside = text.slice(from, to);
  const isMarked = text.slice(0, from).endsWith(before) && text.slice(to).startsWith(after);
  if (isMarked && !(before === '*' && text.slice(0, from).endsWith('**')))
    return {
      text: text.slice(0, from - before.length) + inside + text.slice(to + after.length),
      from: from - before.length,
      to: to - before.length,
    };
  return {
    text: text.slice(0, from) + before + inside + after + text.slice(to),
    from: from + before.length,
    to: to + before.length,
  };
}

/** Makes a link of the selection; its missing part is selected for typing. */
function linked({ text, from, to }: Selected): Selected {
  const name = text.slice(from, to);
  if (/^https?:\/\/\S+$/.test(name)) {
    const at = from + 1;
    return { text: `${text.slice(0, from)}[](${name})${text.slice(to)}`, from: at, to: at };
  }
  const address = from + name.length + 3;
  return { text: `${text.slice(0, from)}[${name}](url)${text.slice(to)}`, from: address, to: address + 3 };
}

function eachLine({ text, from, to }: Selected, mark: string): Selected {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const lines = text.slice(start, to).split('\n');
  const isMarked = lines.every((line) => line.startsWith(mark));
  const changed = lines.map((line) => (isMarked ? line.slice(mark.length) : mark + line)).join('\n');
  const end = start + changed.length;
  return { text: text.slice(0, start) + changed + text.slice(to), from: from === to ? end : start, to: end };
}

/** Puts the selection on lines of its own within a fence, longer than any fence in it. */
function fenced({ text, from, to }: Selected, opener: string): Selected {
  const inside = text.slice(from, to);
  const longest = Math.max(2, ...[...inside.matchAll(/`{3,}/g)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  const lead = text.slice(0, from) === '' || text.slice(0, from).endsWith('\n') ? '' : '\n';
  const head = `${lead}${fence}${opener.slice(3)}\n`;
  const tail = text.slice(to).startsWith('\n') || text.slice(to) === '' ? `\n${fence}` : `\n${fence}\n`;
  const at = from + head.length;
  return { text: text.slice(0, from) + head + inside + tail + text.slice(to), from: at, to: at + inside.length };
}

/** Replaces the selection by text, with the caret after it. */
export function inserted({ text, from, to }: Selected, what: string): Selected {
  const at = from + what.length;
  return { text: text.slice(0, from) + what + text.slice(to), from: at, to: at };
}
