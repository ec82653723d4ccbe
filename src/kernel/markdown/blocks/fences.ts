import { type FenceLine, parseFenceLine } from './fence-line.ts';

/** What the fences of a text divide it into, in order (protocol/markdown#fences). */
export type Segment =
  | { readonly kind: 'lines'; readonly lines: string[] }
  | { readonly kind: 'code'; readonly word: string; readonly code: string }
  | { readonly kind: 'math'; readonly source: string }
  | { readonly kind: 'quote'; readonly segments: Segment[] }
  | { readonly kind: 'spoiler'; readonly header: string; readonly segments: Segment[] };

/** Fences inside quotes and spoilers deeper than this stay text (protocol/markdown#blocks). */
const MAX_FENCE_DEPTH = 30;

interface OpenFence {
  readonly run: string;
  /** The line that opened it, as typed. */
  readonly opener: string;
  readonly kind: 'quote' | 'spoiler' | 'root' | 'code' | 'math';
  readonly word: string;
  readonly header: string;
  readonly segments: Segment[];
  readonly lines: string[];
  /** The language of bare fences at this place; none inside spoilers. */
  readonly defaultLanguage: string;
}

/** Divides lines at their fences. `defaultLanguage` is the word a bare fence gets, or "". */
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

/** Adds what a fence held to the fence around it; a fence without lines adds nothing. */
function close(fence: OpenFence, outer: OpenFence): void {
  if (fence.segments.length === 0 && fence.lines.length === 0) return;
  outer.segments.push(segmentOf(fence));
}

/**
 * Ends a fence at the end of the text. One that holds nothing is the line it was typed as.
 * See protocol/markdown#fences.
 */
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
