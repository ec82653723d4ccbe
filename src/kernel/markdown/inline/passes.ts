import { mayHold, type Test } from '../characters.ts';
import { autolinks } from './autolinks.ts';
import { channelLinks } from './channel-links.ts';
import { inlineCode } from './code.ts';
import type { Pass } from './context.ts';
import { emojiNames } from './emoji.ts';
import { emoticonPass } from './emoticons.ts';
import { emphasis, strike, strong, strongEmphasis } from './emphasis.ts';
import { images } from './images.ts';
import { linkifiers } from './linkifiers.ts';
import { links } from './links.ts';
import { inlineMath } from './math.ts';
import { groupMentions, userMentions } from './mentions.ts';
import { times } from './times.ts';

/** Every syntax of the passes but linkifiers has one of these, or two stars; the round bracket only in emoticons. */
const mayHoldSyntax = mayHold(/[`@$#<[:.~(;]|\*[^*]*\*/, '*');

// The passes of protocol/markdown#inline-passes, built from the last to the first, because the text inside strong,
// emphasis and strike goes through the passes behind the one that made it. Not here: entities, which the writer keeps;
// free-standing runs of marks, which no later pass would take; line breaks and emoji characters, which are made of what
// is left.
const behindStrike = inOrder(emojiNames, emoticonPass);
const behindEmphasis = inOrder(strike(onlyWith(mayHold(/[:<(;]/), behindStrike)), behindStrike);
const behindStrong = inOrder(emphasis(onlyWith(mayHold(/[~:<(;]/), behindEmphasis)), behindEmphasis);
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
  strong(onlyWith(mayHold(/[~:<(;]|\*[^*]*\*/, '*'), behindStrong)),
  behindStrong,
);

/** Runs all passes over a text, each over the whole of it, and gives it with tokens for what they found. */
export const runPasses = unlessPlain(
  inOrder(inlineCode, strongEmphasis(unlessPlain(behindStrongEmphasis)), behindStrongEmphasis),
);

function inOrder(...passes: readonly Pass[]): Pass {
  return (text, context) => {
    let done = text;
    for (const pass of passes) done = pass(done, context);
    return done;
  };
}

/** Spares texts in which there is nothing to be found the way through many passes. */
function unlessPlain(pass: Pass): Pass {
  const unlessBare = onlyWith(mayHoldSyntax, pass);
  return (text, context) => (context.lookups.realm?.linkifiers.any ? pass(text, context) : unlessBare(text, context));
}

/** Runs a pass that is no linkifier over texts that have one of the characters it looks for. */
function onlyWith(mayFind: Test, pass: Pass): Pass {
  return (text, context) => (mayFind(text) ? pass(text, context) : text);
}
