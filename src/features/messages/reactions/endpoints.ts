import { EMOJI_ERRORS, NoSuchEmoji } from '#features/emoji';
import { endpoint, everyone, optional, path, raw } from '#kernel/endpoint';
import type { MessageId } from '#kernel/ids';
import { idOf, text } from '#kernel/schema';
import { InvalidMessage } from '../core/index.ts';
import { addReaction, removeReaction } from './actions.ts';
import * as errors from './errors.ts';

const message_id = path(idOf<MessageId>());
const emoji_code = optional(raw(text(), 'Code points in hex, the ID of a custom emoji, or the name of the extra one.'));
const reaction_type = optional(raw(text()));

const addReactionEndpoint = endpoint({
  id: 'add-reaction',
  method: 'POST',
  path: '/messages/{message_id}/reactions',
  source: 'protocol/reactions#reactions',
  doc: 'Reacts to a message with an emoji.',
  who: everyone,
  params: { message_id, emoji_name: raw(text()), emoji_code, reaction_type },
  returns: {},
  fails: [InvalidMessage, ...EMOJI_ERRORS, errors.ReactionExists, errors.TooManyEmoji],
  async run({ actor, params, context }) {
    await addReaction(context, actor, params);
    return {};
  },
});

const removeReactionEndpoint = endpoint({
  id: 'remove-reaction',
  method: 'DELETE',
  path: '/messages/{message_id}/reactions',
  source: 'protocol/reactions#reactions',
  doc: "Removes the caller's reaction.",
  who: everyone,
  params: { message_id, emoji_name: optional(raw(text())), emoji_code, reaction_type },
  returns: {},
  fails: [InvalidMessage, errors.EmojiArgumentMissing, NoSuchEmoji, errors.ReactionMissing],
  async run({ actor, params, context }) {
    await removeReaction(context, actor, params);
    return {};
  },
});

export const reactionEndpoints = [addReactionEndpoint, removeReactionEndpoint];
