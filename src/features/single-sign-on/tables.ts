import type { RealmId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/**
 * Verified answers of SAML providers. They come in a form from another site, without this server's cookies; the browser
 * takes its answer a moment later, by a token of which only the hash is stored.
 */
export const samlAnswer = table('saml_answer', {
  token_hash: col.text(),
  realm_id: col.ref<RealmId>(),
  provider: col.text(),
  /** The request that the answer is for. */
  request_id: col.text(),
  /** The provider's claims about somebody, as JSON. */
  said: col.text(),
  expires_at: col.int(),
});
export type SamlAnswerRow = SelectOf<typeof samlAnswer>;

declare module '#kernel/store' {
  interface Tables {
    saml_answer: RowOf<typeof samlAnswer>;
  }
}
