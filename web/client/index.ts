export {
  type Client,
  ClientProvider,
  openClient,
  VISITOR,
  showNotice,
  useClient,
} from './client.ts';
export { browserClock } from './clock.ts';
export { conversationOfDraft } from './draft-sync.ts';
export { after } from './drafts.ts';
export { type Emoji, type EmojiGroup, findEmoji, groupOfEmoji } from './emoji.ts';
export { messageWords } from './message-words.ts';
export { csrfToken, pageFact } from './page.ts';
export type { TopicOfChannel } from './topics.ts';
export { density, visitorTheme } from './stored-choice.ts';
export { NOTICE_MS } from './notices.ts';
export { sentenceOf } from './sentence.ts';
export { Upload, type UploadState } from './upload.ts';
export { Visiting } from './visiting.ts';
export { goToLogIn } from './session.ts';
