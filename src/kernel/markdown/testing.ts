import { asId } from '#kernel/ids';
import { compileLinkifiers } from './linkifiers/compile.ts';
import type { MarkdownWorld, RealmWords } from './world.ts';

/** Makes a world for tests: an empty realm with previews on. `parts` and `realm` override its fields. */
export function makeWorld(parts: Partial<MarkdownWorld> = {}, realm: Partial<RealmWords> = {}): MarkdownWorld {
  return {
    realm: {
      url: 'https://chat.example.com',
      emoji: new Map(),
      linkifiers: compileLinkifiers([]),
      defaultCodeLanguage: '',
      mediaProxy: null,
      ...realm,
    },
    users: [{ user_id: asId(4), full_name: 'Max Member', is_active: true }],
    groups: [{ id: asId(21), name: 'support', is_system_group: false, deactivated: false }],
    channels: [{ stream_id: asId(9), name: 'general' }],
    topics: [],
    uploads: [],
    alertWords: null,
    websites: new Map(),
    imagePreviews: true,
    websitePreviews: true,
    translateEmoticons: false,
    fromMail: false,
    ...parts,
  };
}
