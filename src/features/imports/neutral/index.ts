// A community as other products describe it, and the archive that is made of it.
export { archiveOf } from './archive.ts';
export { channelLinksOf, mentionsOf, outsideOfCode, withMentions } from './mentions.ts';
export type { Channel, Community, Conversation, CustomEmoji, Person, Post, PostFile } from './community.ts';
export { linesOf, parsedLine } from './lines.ts';
export { entriesOf, firstText, partOf, textsIn } from './reading.ts';
