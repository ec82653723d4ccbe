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

// The passes of protocol/markdown#inline-passes, built from the last to the first, because the text inside strong,
// emphasis and strike goes through the passes behind the one that made it. Not here: entities, which the writer keeps;
// free-standing runs of marks, which no later pass would take; line breaks and emoji characters, which are made of what
// is left.
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
/** All passes over a text, each over the whole of it. */
const all = inOrder(inlineCode, strongEmphasis(withLinkifiers(behindStrongEmphasis)), behindStrongEmphasis);

/** Every syntax by itself. */
export const SYNTAXES: readonly Syntax[] = [...new Set(leavesOf(all))];

/** Units of which every syntax has one, but linkifiers, whose patterns people choose. */
export const SYNTAX_TRIGGERS = all.triggers;

/** Runs all passes over a text and gives it with tokens for what they found. */
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

/** Spares texts in which there is nothing to be found the way through many passes. */
function guarded({ triggers, pass }: Syntax): Pass {
  const mayFind = testFor(triggers);
  return (text, context) => (mayFind(text) ? pass(text, context) : text);
}

/** The same for passes with linkifiers among them. */
function withLinkifiers(part: Syntax): Pass {
  const unlessPlain = guarded(part);
  return (text, context) =>
    context.lookups.realm?.linkifiers.any ? part.pass(text, context) : unlessPlain(text, context);
}

/** Whether one of the triggers stands in a text, or two stars. */
function testFor(triggers: string): Test {
  const units = oneOfUnits(triggers.replace('*', ''));
  return triggers.includes('*') ? mayHold(new RegExp(`${units}|\\*[^*]*\\*`), '*') : mayHold(new RegExp(units));
}
