export { mediaSignature } from './addresses/proxy.ts';
export { type AlertWord, type AlertWords, alertWords } from './alert-words.ts';
export { cutBody, normalizeBody } from './body.ts';
export { EXTRA_EMOJI, EXTRA_EMOJI_URL } from './elements/emoji.ts';
export { LOADER_URL } from './elements/media.ts';
export { codeToNames, emojiCode } from './emoji/table.ts';
export { type ContentHtmlDiff, loadContentHtmlDiff } from './html-diff/content-html-diff.ts';
export { checkLinkifier, type ProposedLinkifier } from './linkifiers/check-linkifier.ts';
export { checkPlayground, mayNameLanguage } from './linkifiers/check-playground.ts';
export { type CompiledLinkifiers, compileInTurns, compileLinkifiers } from './linkifiers/compile.ts';
export { compilePattern } from './linkifiers/pattern.ts';
export { type FieldErrors, firstMessage } from './linkifiers/faults.ts';
export { exchangeThumbnails, pendingIn, showsImage } from './previews/exchange.ts';
export { type Rendering, renderMarkdown } from './render.ts';
export { type MarkdownNames, scanMarkdown } from './scan.ts';
export { type TopicLink, topicLinks } from './topic-links.ts';
export type {
  LinkableChannel,
  LinkableTopic,
  MarkdownWorld,
  MediaProxy,
  MentionableGroup,
  MentionableUser,
  RealmWords,
  UploadFacts,
  WebsitePreview,
} from './world.ts';
