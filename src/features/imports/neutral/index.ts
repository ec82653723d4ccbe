// A community as other products describe it, and the archive that is made of it.
export { archiveOf } from './archive.ts';
export { outsideOfCode, withMentions } from './code.ts';
export type { Channel, Community, Conversation, CustomEmoji, Person, Post, PostFile } from './community.ts';
export { linesOf, parsedLine } from './lines.ts';
export { channelLinksOf, mentionsOf } from './mentions.ts';
export { entriesOf, firstText, partOf, textsIn } from './reading.ts';
