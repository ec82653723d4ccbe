import { slice } from '#kernel/slice';
import { renderingPages } from './pages.ts';

export const rendering = slice({
  name: 'rendering',
  reads: ['channel', 'realm_emoji', 'user', 'user_group'],
  pages: renderingPages,
});

export { emojiUrl, mediaProxyOf } from './addresses.ts';
export {
  type MessageLook,
  type Rendered,
  renderMarkdown,
  renderMessage,
  type Visibility,
  topicLinker,
  type Widget,
} from './render.ts';
