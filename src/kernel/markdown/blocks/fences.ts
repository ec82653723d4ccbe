import { type FenceLine, parseFenceLine } from './fence-line.ts';

/** A part of a text as divided by fences, in order (protocol/markdown#fences). */
export type Segment =
  | { readonly kind: 'lines'; readonly lines: string[] }
  | { readonly kind: 'code'; readonly word: string; readonly code: string }
  | { readonly kind: 'math'; readonly source: string }
  | { readonly kind: 'quote'; readonly segments: Segment[] }
  | { readonly kind: 'spoiler'; readonly header: string; readonly segments: Segment[] };

/** Deepest nesting of fences in quotes and spoilers; deeper ones stay text (protocol/markdown#blocks). */
const MAX_FENCE_DEPTH = 30;

interface OpenFence {
  readonly run: string;
  /** The opening line as typed. */
  readonly opener: string;
  readonly kind: 'quote' | 'spoiler' | 'root' | 'code' | 'math';
  readonly word: string;
  readonly header: string;
  readonly segments: Segment[];
  readonly lines: string[];
  /** The language of fences without a word; none inside spoilers. */
  readonly defaultLanguage: string;
}

/** Divides lines at their fences. `defaultLanguage` is the language of fences without a word, or "". */
export function divideAtFences(lines: string[], defaultLanguage: string): Segment[] {
  if (!lines.some(parseFenceLine)) return [{ kind: 'lines', lines }];
  const root: OpenFence = {
    run: '',
    opener: '',
    kind: 'root',
    word: '',
    header: '',
    segments: [],
    lines: [],
    defaultLanguage,
  };
  const open: OpenFence[] = [root];
  let innermost = root;
  for (const line of lines) {
    if (innermost !== root && line.trimEnd() === innermost.run) {
      const closed = innermost;
      open.pop();
      innermost = open.at(-1) ?? root;
      close(closed, innermost);
      continue;
    }
    const fence = isLiteral(innermost) || open.length > MAX_FENCE_DEPTH ? undefined : parseFenceLine(line);
    if (fence) open.push((innermost = openFence(line, fence, innermost)));
    else addLine(innermost, line);
  }
  for (let inner = open.pop(); inner && inner !== root; inner = open.pop()) leaveOpen(inner, open.at(-1) ?? root);
  return root.segments;
}

function isLiteral(fence: OpenFence): boolean {
  return fence.kind === 'code' || fence.kind === 'math';
}

function openFence(opener: string, fence: FenceLine, outer: OpenFence): OpenFence {
  const word = fence.word || outer.defaultLanguage;
  const kind = kindOf(word);
  const defaultLanguage = kind === 'spoiler' ? '' : outer.defaultLanguage;
  return { run: fence.run, opener, kind, word, header: fence.header, segments: [], lines: [], defaultLanguage };
}

function kindOf(word: string): 'quote' | 'spoiler' | 'math' | 'code' {
  const lower = word.toLowerCase();
  if (lower === 'quote' || lower === 'quoted') return 'quote';
  return lower === 'spoiler' || lower === 'math' ? lower : 'code';
}

function addLine(fence: OpenFence, line: string): void {
  if (isLiteral(fence)) {
    fence.lines.push(line.trimEnd());
    return;
  }
  const last = fence.segments.at(-1);
  if (last?.kind === 'lines') last.lines.push(line);
  else fence.segments.push({ kind: 'lines', lines: [line] });
}

/** Adds a closed fence to the enclosing one; a fence without lines adds nothing. */
function close(fence: OpenFence, outer: OpenFence): void {
  if (fence.segments.length === 0 && fence.lines.length === 0) return;
  outer.segments.push(segmentOf(fence));
}

/** Ends a fence that is not closed. If it is empty, its opening line becomes text. See protocol/markdown#fences. */
function leaveOpen(fence: OpenFence, outer: OpenFence): void {
  const isEmpty = fence.segments.length === 0 && fence.lines.every((line) => line === '');
  if (isEmpty) addLine(outer, fence.opener);
  else close(fence, outer);
}

function segmentOf(fence: OpenFence): Segment {
  const { segments, header } = fence;
  if (fence.kind === 'spoiler') return { kind: 'spoiler', header, segments };
  if (fence.kind === 'math') return { kind: 'math', source: fence.lines.join('\n') };
  if (fence.kind === 'code') return { kind: 'code', word: fence.word, code: fence.lines.join('\n') };
  return { kind: 'quote', segments };
}
