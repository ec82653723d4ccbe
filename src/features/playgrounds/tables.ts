import type { Id, RealmId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type PlaygroundId = Id<'Playground'>;

/** External sites where the code of a block can be tried out. */
export const realmPlayground = table('realm_playground', {
  id: col.id<PlaygroundId>(),
  realm_id: col.ref<RealmId>(),
  name: col.text(),
  /** Name of a language; it need not be one of the highlighter's. */
  pygments_language: col.text(),
  url_template: col.text(),
});
export type PlaygroundRow = SelectOf<typeof realmPlayground>;

declare module '#kernel/store' {
  interface Tables {
    realm_playground: RowOf<typeof realmPlayground>;
  }
}
