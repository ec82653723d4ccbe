import type { GroupId, UserId } from '#kernel/ids';
import { divideAtFences, type Segment } from './blocks/fences.ts';
import { separateLists } from './blocks/list-separation.ts';
import { parseBlocks } from './blocks/parser.ts';
import { emptyBlank, expandTabs, normalizeLineEnds } from './blocks/indentation.ts';
import { CodeBlocks } from './code/code-blocks.ts';
import { type Facts, noFacts } from './facts.ts';
import { finishTree } from './finish.ts';
import { Formulas } from './formulas/formulas.ts';
import { Stash } from './inline/stash.ts';
import { Lookups } from './lookups.ts';
import { attachPreviews } from './previews/attach.ts';
import { serialize } from './serialize.ts';
import { isMeMessage, parseWidget, type Widget } from './widgets.ts';
import type { MarkdownWorld } from './world.ts';

/** What rendering returns (protocol/markdown#result). */
export interface Rendering {
  readonly html: string;
  /** Active users mentioned loudly by name; members of groups are not among them. */
  readonly mentionedUserIds: ReadonlySet<UserId>;
  /** Groups mentioned loudly. */
  readonly mentionedGroupIds: ReadonlySet<GroupId>;
  /** `@**all**` and the like, loud. */
  readonly mentionsChannel: boolean;
  /** `@**topic**`, loud. */
  readonly mentionsTopic: boolean;
  readonly alertedUserIds: ReadonlySet<UserId>;
  /** Addresses whose pages are wanted for cards; the caller fetches them and renders again. */
  readonly previewLinks: readonly string[];
  /** Path IDs of uploads linked anywhere but in code; claiming checks that they exist and may be claimed. */
  readonly attachmentPathIds: readonly string[];
  /** Path IDs of images shown as placeholders until their thumbnails are made. */
  readonly pendingThumbnails: readonly string[];
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
  readonly isMeMessage: boolean;
  readonly widget: Widget | undefined;
}

/** Renders a text; `world` says what the names in it mean (protocol, whole). */
export async function renderMarkdown(text: string, world: MarkdownWorld): Promise<Rendering> {
  const [formulas, code, lookups, facts] = [new Formulas(), new CodeBlocks(), new Lookups(world), noFacts()];
  const segments = divide(text, world.realm?.defaultCodeLanguage ?? '');
  const codeBlock = (word: string | undefined, source: string) => code.fenced(word, source);
  const mathBlock = (source: string) => formulas.block(source);
  const root = parseBlocks(segments, { codeBlock, mathBlock, indentedCode: !world.fromMail });
  finishTree(root, { lookups, facts, formulas, code, stash: new Stash() });
  const highlighting = code.areWanted ? code.highlight() : undefined;
  if (formulas.areWanted) await formulas.draw();
  if (highlighting) await highlighting;
  attachPreviews(root, lookups, facts);
  return toldOf(text, serialize(root.children), facts, world.alertWords?.usersAlertedBy(textOutsideFences(segments)));
}

function toldOf(text: string, html: string, facts: Facts, alerted: ReadonlySet<UserId> = new Set()): Rendering {
  return {
    html,
    mentionedUserIds: facts.mentionedUsers,
    mentionedGroupIds: facts.mentionedGroups,
    mentionsChannel: facts.mentionsChannel,
    mentionsTopic: facts.mentionsTopic,
    alertedUserIds: alerted,
    previewLinks: [...facts.previewLinks],
    attachmentPathIds: [...facts.attachments],
    pendingThumbnails: [...facts.pendingThumbnails],
    hasLink: facts.hasLink,
    hasImage: facts.hasImage,
    hasAttachment: facts.attachments.size > 0,
    isMeMessage: isMeMessage(text),
    widget: parseWidget(text),
  };
}

/** Steps B to D of protocol/markdown#order-of-work. */
function divide(text: string, defaultLanguage: string): Segment[] {
  if (text.trim() === '') return [];
  const lines = separateLists(normalizeLineEnds(text).split('\n'));
  const spaced = text.includes('\t') ? lines.map(expandTabs) : lines;
  return divideAtFences(spaced.map(emptyBlank), defaultLanguage);
}

/**
 * The text in which alert words are looked for: all but code and formulas of fences (protocol/markdown#order-of-work,
 * step E).
 */
function textOutsideFences(segments: readonly Segment[]): string {
  return segments
    .map((segment) => {
      if (segment.kind === 'lines') return segment.lines.join('\n');
      if (segment.kind === 'quote') return textOutsideFences(segment.segments);
      return segment.kind === 'spoiler' ? `${segment.header}\n${textOutsideFences(segment.segments)}` : '';
    })
    .join('\n');
}
