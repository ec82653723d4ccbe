import { listLinkifiers } from '#features/linkifiers';
import { readRealm, settingsOf } from '#features/realms';
import { realmCache } from '#kernel/events';
import { type CompiledLinkifiers, compileLinkifiers, type RealmWords } from '#kernel/markdown';
import { activeEmoji } from './queries.ts';

/** What all texts of an organization share: its own words, and which previews it wants. */
interface Words extends Pick<RealmWords, 'emoji' | 'defaultCodeLanguage'> {
  readonly linkifiers: CompiledLinkifiers;
  readonly imagePreviews: boolean;
  readonly websitePreviews: boolean;
}

/** The words of an organization, compiled once per change of them. */
export const wordsOf = realmCache({
  endedBy: ['realm', 'realm_emoji', 'realm_linkifiers'],
  read: async (tx): Promise<Words> => {
    const settings = settingsOf(await readRealm(tx));
    return {
      emoji: await activeEmoji(tx),
      linkifiers: compileLinkifiers(await listLinkifiers(tx)),
      defaultCodeLanguage: settings.default_code_block_language,
      imagePreviews: settings.inline_image_preview,
      websitePreviews: settings.inline_url_embed_preview,
    };
  },
});
