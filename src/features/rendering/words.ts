import { listLinkifiers } from '#features/linkifiers';
import { readRealm, settingsOf } from '#features/realms';
import { nextTurn } from '#kernel/endpoint';
import { realmCache } from '#kernel/events';
import { type CompiledLinkifiers, compileInTurns, type RealmWords } from '#kernel/markdown';
import { activeEmoji } from './queries.ts';

/** What all texts of an organization share: its emoji, linkifiers and default language, and which previews it wants. */
interface Words extends Pick<RealmWords, 'emoji' | 'defaultCodeLanguage'> {
  /** Compiled when first needed, which is never inside a transaction. */
  readonly linkifiers: () => Promise<CompiledLinkifiers>;
  readonly imagePreviews: boolean;
  readonly websitePreviews: boolean;
}

/** The words of an organization, cached until one of them changes. */
export const wordsOf = realmCache({
  endedBy: ['realm', 'realm_emoji', 'realm_linkifiers'],
  read: async (tx): Promise<Words> => {
    const settings = settingsOf(await readRealm(tx));
    const sources = await listLinkifiers(tx);
    let compiled: Promise<CompiledLinkifiers> | undefined;
    return {
      emoji: await activeEmoji(tx),
      linkifiers: () => (compiled ??= compileInTurns(sources, nextTurn)),
      defaultCodeLanguage: settings.default_code_block_language,
      imagePreviews: settings.inline_image_preview,
      websitePreviews: settings.inline_url_embed_preview,
    };
  },
});
