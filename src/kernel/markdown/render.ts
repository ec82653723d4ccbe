import type { GroupId, UserId } from '#kernel/ids';
import { divideAtFences, type Segment } from './blocks/fences.ts';
import { separateLists } from './blocks/list-separation.ts';
import { parseBlocks } from './blocks/parser.ts';
import { emptyBlank, expandTabs, normalizeLineEnds } from './blocks/indentation.ts';
import { CodeBlocks } from './code/code-blocks.ts';
import { type Findings, noFindings } from './findings.ts';
import { finishTree } from './finish.ts';
import { Formulas } from './formulas/formulas.ts';
import { Stash } from './inline/stash.ts';
import { Lookups } from './lookups.ts';
import { attachPreviews } from './previews/attach.ts';
import { serialize } from './serialize.ts';
import { isMeMessage, parseWidget, type Widget } from './widgets.ts';
import type { MarkdownWorld } from './world.ts';

/** The result of rendering (protocol/markdown#result). */
export interface Rendering {
  readonly html: string;
  /** Active users mentioned by name and not silently; excludes members of mentioned groups. */
  readonly mentionedUserIds: ReadonlySet<UserId>;
  /** Groups mentioned and not silently. */
  readonly mentionedGroupIds: ReadonlySet<GroupId>;
  /** Whether there is a channel wildcard, such as `@**all**`, that is not silent. */
  readonly mentionsChannel: boolean;
  /** Whether there is an `@**topic**` that is not silent. */
  readonly mentionsTopic: boolean;
  readonly alertedUserIds: ReadonlySet<UserId>;
  /** Addresses whose website data is missing; the caller fetches it and renders again. */
  readonly previewLinks: readonly string[];
  /** Path IDs of uploads linked outside of code; the caller checks that they exist and may be claimed. */
  readonly attachmentPathIds: readonly string[];
  /** Path IDs of images shown as placeholders until their thumbnails are finished. */
  readonly pendingThumbnails: readonly string[];
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
  readonly isMeMessage: boolean;
  readonly widget: Widget | undefined;
}

/** Renders a text; `world` has the users, channels and others that it may name. See protocol/markdown. */
export async function renderMarkdown(text: string, world: MarkdownWorld): Promise<Rendering> {
  const [formulas, code, lookups, findings] = [new Formulas(), new CodeBlocks(), new Lookups(world), noFindings()];
  const segments = divide(text, world.realm?.defaultCodeLanguage ?? '');
  const codeBlock = (word: string | undefined, source: string) => code.fenced(word, source);
  const mathBlock = (source: string) => formulas.block(source);
  const root = parseBlocks(segments, { codeBlock, mathBlock, indentedCode: !world.fromMail });
  finishTree(root, { lookups, findings, formulas, code, stash: new Stash() });
  const highlighting = code.areWanted ? code.highlight() : undefined;
  if (formulas.areWanted) await formulas.draw();
  if (highlighting) await highlighting;
  attachPreviews(root, lookups, findings);
  return renderingOf(
    text,
    serialize(root.children),
    findings,
    world.alertWords?.usersAlertedBy(textOutsideFences(segments)),
  );
}

function renderingOf(
  text: string,
  html: string,
  findings: Findings,
  alerted: ReadonlySet<UserId> = new Set(),
): Rendering {
  return {
    html,
    mentionedUserIds: findings.mentionedUsers,
    mentionedGroupIds: findings.mentionedGroups,
    mentionsChannel: findings.mentionsChannel,
    mentionsTopic: findings.mentionsTopic,
    alertedUserIds: alerted,
    previewLinks: [...findings.previewLinks],
    attachmentPathIds: [...findings.attachments],
    pendingThumbnails: [...findings.pendingThumbnails],
    hasLink: findings.hasLink,
    hasImage: findings.hasImage,
    hasAttachment: findings.attachments.size > 0,
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
 * Returns the text in which alert words are searched: everything but code and formulas in fences
 * (protocol/markdown#order-of-work, step E).
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
