import { event, everyoneInRealm } from '#kernel/events';
import { bool, dict, literal, object, str } from '#kernel/schema';
import { wireEmoji } from './wire.ts';

const SOURCE = 'protocol/events#organization';
const realm_emoji = dict(wireEmoji);
const change = { emoji_id: str(), data: object({ deactivated: bool() }) };

/** An emoji was added. Clients without `individual_emoji_changes` get the list of all emoji. */
export const emojiAdded = event({
  type: 'realm_emoji',
  op: 'add',
  source: SOURCE,
  payload: { emoji: wireEmoji, realm_emoji },
  forms: [{ emoji: wireEmoji }, { op: literal('update'), realm_emoji }],
  audience: () => everyoneInRealm,
  audit: ({ emoji }) => ({ action: 'emoji.added', target: { kind: 'emoji', name: emoji.name } }),
  variesBy: ['individual_emoji_changes'],
  wire: ({ emoji, realm_emoji: all }, view) =>
    view.individual_emoji_changes ? [{ emoji }] : [{ op: 'update', realm_emoji: all }],
});

/**
 * An emoji was deactivated; sent in the form that clients know and in that of the specification. See
 * protocol/register#capabilities.
 */
export const emojiDeactivated = event({
  type: 'realm_emoji',
  op: 'update_one',
  source: SOURCE,
  payload: { ...change, realm_emoji },
  forms: [change, { op: literal('edit'), ...change }, { op: literal('update'), realm_emoji }],
  audience: () => everyoneInRealm,
  audit: ({ emoji_id, data }) => ({
    action: 'emoji.changed',
    target: { kind: 'emoji', id: Number(emoji_id) },
    after: data,
  }),
  variesBy: ['individual_emoji_changes'],
  width: () => 2,
  wire: ({ emoji_id, data, realm_emoji: all }, view) =>
    view.individual_emoji_changes
      ? [
          { emoji_id, data },
          { op: 'edit', emoji_id, data },
        ]
      : [{ op: 'update', realm_emoji: all }],
});

export const emojiEvents = [emojiAdded, emojiDeactivated];
