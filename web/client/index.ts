export {
  type Client,
  ClientProvider,
  dismissNotice,
  type Notice,
  openClient,
  tellNotice,
  useClient,
} from './client.ts';
export { conversationOfDraft } from './draft-sync.ts';
export { after } from './drafts.ts';
export { pageFact } from './page.ts';
export { goToLogIn } from './session.ts';
