import { applier, slice } from '#kernel/slice';
import { sweepingPictures } from '#features/pictures';
import { applyEmojiEvent } from './apply.ts';
import { emojiEndpoints, emojiPages } from './endpoints.ts';
import { emojiEvents } from './events.ts';
import { emojiFolder } from './actions.ts';
import { emojiState } from './state.ts';
import { realmEmoji } from './tables.ts';

export const emoji = slice({
  name: 'emoji',
  tables: [realmEmoji],
  endpoints: emojiEndpoints,
  pages: emojiPages,
  events: emojiEvents,
  state: [emojiState],
  applies: [applier(['realm_emoji'], ['realm_emoji'], applyEmojiEvent)],
  background: sweepingPictures(emojiFolder),
});

export { emojiFolder } from './actions.ts';
export {
  assertEmoji,
  type ChosenEmoji,
  chosenEmoji,
  emojiNamed,
  storedEmojiType,
  UNICODE_EMOJI,
} from './choice.ts';
export { EMOJI_ERRORS, NoSuchEmoji } from './errors.ts';
