import { describe, expect, it } from 'vitest';
import { asId, type GroupId, recordOf } from '#kernel/ids';
import { mayAdminister, mayKnow, mayRead } from '#features/channels';
import { CHANNEL_SETTING_NAMES, CHANNEL_SETTINGS } from '#features/groups';
import { applyNewestEvent } from '#features/messages';

const OWN: GroupId = asId(1);
const NOBODY: GroupId = asId(2);
const member = { role: 400, isSubscribed: false, groups: new Set([OWN]) };

describe('what a permission opens of a private channel (protocol/channels#access)', () => {
  it.each(CHANNEL_SETTINGS)('is as declared, by the rules: $name', ({ name, opens }) => {
    const channel = {
      ...recordOf(CHANNEL_SETTING_NAMES, (other) => (other === name ? OWN : NOBODY)),
      invite_only: true,
      is_web_public: false,
      is_archived: false,
      history_public_to_subscribers: false,
    };
    expect(mayRead(channel, member)).toBe(opens === 'content');
    expect(mayKnow(channel, member)).toBe(opens !== undefined);
    expect(mayAdminister(channel, member)).toBe(name === 'can_administer_channel_group');
    expect(mayKnow(channel, { ...member, role: 600 })).toBe(false);
  });

  it.each(CHANNEL_SETTINGS)(
    'is as declared, by what a change tells of the newest message: $name',
    ({ name, opens }) => {
      const event = { type: 'stream', op: 'update', stream_id: 3, property: name } as const;
      const { max_message_id } = applyNewestEvent({ max_message_id: 7 }, event, 5);
      expect(max_message_id).toBe(opens === 'content' ? undefined : 7);
    },
  );
});
