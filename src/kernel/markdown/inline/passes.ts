import { mayHold, oneOfUnits, type Test } from '../characters.ts';
import { channelLinks } from './channel-links.ts';
import { inlineCode } from './code.ts';
import type { Pass, Syntax } from './context.ts';
import { emojiNames, emoticonPass } from './emoji.ts';
import { emphasis, strike, strong, strongEmphasis } from './emphasis.ts';
import { autolinks, images, linkifiers, links } from './links.ts';
import { inlineMath } from './math.ts';
import { groupMentions, userMentions } from './mentions.ts';
import { times } from './times.ts';

// The passes of protocol/markdown#inline-passes, built from last to first, because the content of strong, emphasis and
// strike goes through the passes after the one that made it. Missing are entities, which the writer preserves; marks
// surrounded by spaces, which no later pass would match; and line breaks and emoji characters, which are parsed last.
const behindStrike = inOrder(emojiNames, emoticonPass);
const behindEmphasis = inOrder(strike(guarded(behindStrike)), behindStrike);
const behindStrong = inOrder(emphasis(guarded(behindEmphasis)), behindEmphasis);
const behindStrongEmphasis = inOrder(
  userMentions,
  inlineMath,
  channelLinks,
  times,
  groupMentions,
  links,
  images,
  autolinks,
  linkifiers,
  strong(guarded(behindStrong)),
  behindStrong,
);
/** All passes in order. */
const all = inOrder(inlineCode, strongEmphasis(withLinkifiers(behindStrongEmphasis)), behindStrongEmphasis);

/** All kinds of syntax. */
export const SYNTAXES: readonly Syntax[] = [...new Set(leavesOf(all))];

/** Characters of which every syntax but linkifiers needs one; linkifiers have patterns of their own. */
export const SYNTAX_TRIGGERS = all.triggers;

/** Runs all passes over a text; returns it with tokens for what they found. */
export const runPasses = withLinkifiers(all);

function inOrder(...parts: readonly Syntax[]): Syntax {
  const passes = parts.map(({ pass }) => pass);
  const triggers = [...new Set(parts.flatMap((part) => [...part.triggers]))].join('');
  const pass: Pass = (text, context) => {
    let done = text;
    for (const one of passes) done = one(done, context);
    return done;
  };
  return { triggers, pass, parts };
}

function leavesOf(part: Syntax): readonly Syntax[] {
  return part.parts?.flatMap(leavesOf) ?? [part];
}

/** Skips a pass for texts without its triggers. */
function guarded({ triggers, pass }: Syntax): Pass {
  const mayFind = testFor(triggers);
  return (text, context) => (mayFind(text) ? pass(text, context) : text);
}

/** The same for passes that include linkifiers. */
function withLinkifiers(part: Syntax): Pass {
  const unlessPlain = guarded(part);
  return (text, context) =>
    context.lookups.realm?.linkifiers.any ? part.pass(text, context) : unlessPlain(text, context);
}

/** Makes a test whether a text has one of the triggers; of stars it needs two. */
function testFor(triggers: string): Test {
  const units = oneOfUnits(triggers.replace('*', ''));
  return triggers.includes('*') ? mayHold(new RegExp(`${units}|\\*[^*]*\\*`), '*') : mayHold(new RegExp(units));
}
