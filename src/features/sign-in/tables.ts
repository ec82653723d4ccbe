import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Password hashes (Argon2id); people without a row cannot sign in with a password. */
export const userPassword = table('user_password', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  password_hash: col.text(),
  changed_at: col.int(),
});

/**
 * Links that work once: for a new password, for a new address, back to the old address, for signing in, or for a new
 * organization (whose realm is 0). The token is not stored.
 */
export const oneTimeLink = table('one_time_link', {
  token_hash: col.text(),
  realm_id: col.ref<RealmId>(),
  user_id: col.refOrNull<UserId>(),
  purpose: col.text<'reset' | 'organization' | 'email' | 'email-stop' | 'sign-in'>(),
  /** The address that the link confirms or keeps; null for other links. */
  address: col.textOrNull(),
  expires_at: col.int(),
});
export type OneTimeLinkRow = SelectOf<typeof oneTimeLink>;

/**
 * Identities at providers. An identity is issuer and subject together, never an address, because addresses pass on to
 * other people (security#asvs, 6.8.1).
 */
export const externalIdentity = table('external_identity', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  /** ID of the provider in the operator's configuration at the time of linking. */
  provider: col.text(),
  issuer: col.text(),
  subject: col.text(),
  linked_at: col.int(),
  last_used_at: col.int(),
  /** The picture that the provider named most recently. */
  picture_url: col.textOrNull(),
});
export type ExternalIdentityRow = SelectOf<typeof externalIdentity>;

/** Tokens and log-in attempts that were used up, kept for as long as they would otherwise be valid. */
export const spentToken = table('spent_token', {
  token_hash: col.text(),
  realm_id: col.ref<RealmId>(),
  expires_at: col.int(),
});

/** Second factors: time-based codes. The secret is sealed with the server's secret. */
export const secondFactor = table('second_factor', {
  user_id: col.ref<UserId>(),
  realm_id: col.ref<RealmId>(),
  sealed_secret: col.text(),
  /** Time step (half minutes since 1970) of the last code that was used, so that no code works twice. */
  last_step: col.int(),
  confirmed_at: col.int(),
});
export type SecondFactorRow = SelectOf<typeof secondFactor>;

/** Recovery codes that are left, as keyed hashes. */
export const recoveryCode = table('recovery_code', {
  code_hash: col.text(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
});

/** Passkeys of people (WebAuthn credentials): a second factor, or a replacement for the password. */
export const passkey = table('passkey', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  /** The authenticator's ID of the credential, in base64url. */
  credential_id: col.text(),
  /** COSE key in base64url. */
  public_key: col.text(),
  /** Use counter of the authenticator; 0 if it does not count. */
  use_count: col.int(),
  /** Transports by which a browser reaches it (`internal`, `usb`, …), separated by commas. */
  transports: col.text(),
  name: col.text(),
  /** Host name for which it was made, the only one where it works; null for older rows. */
  relying_party: col.textOrNull(),
  created_at: col.int(),
  last_used_at: col.intOrNull(),
});
export type PasskeyRow = SelectOf<typeof passkey>;

declare module '#kernel/store' {
  interface Tables {
    user_password: RowOf<typeof userPassword>;
    one_time_link: RowOf<typeof oneTimeLink>;
    external_identity: RowOf<typeof externalIdentity>;
    spent_token: RowOf<typeof spentToken>;
    second_factor: RowOf<typeof secondFactor>;
    recovery_code: RowOf<typeof recoveryCode>;
    passkey: RowOf<typeof passkey>;
  }
}
