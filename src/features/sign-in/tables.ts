import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** Password hashes (Argon2id); people without a row cannot sign in with one. */
export const userPassword = table('user_password', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  password_hash: col.text(),
  changed_at: col.int(),
});

/**
 * Links that work once: to a new password, to a new address, from there back to the old one, into an account, or to a new organization (whose
 * realm is 0). The token is not stored.
 */
export const oneTimeLink = table('one_time_link', {
  token_hash: col.text(),
  realm_id: col.ref<RealmId>(),
  user_id: col.refOrNull<UserId>(),
  purpose: col.text<'reset' | 'organization' | 'email' | 'email-stop' | 'sign-in'>(),
  /** The address that the link confirms or keeps, where it does. */
  address: col.textOrNull(),
  expires_at: col.int(),
});
export type OneTimeLinkRow = SelectOf<typeof oneTimeLink>;

/**
 * Accounts of identity providers. A person of a provider is issuer and subject together, never an address: addresses pass
 * on to others (security#asvs, 6.8.1).
 */
export const externalIdentity = table('external_identity', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  /** ID of the provider in the operator's file when it was linked. */
  provider: col.text(),
  issuer: col.text(),
  subject: col.text(),
  linked_at: col.int(),
  last_used_at: col.int(),
  /** The picture that the provider named last. */
  picture_url: col.textOrNull(),
});
export type ExternalIdentityRow = SelectOf<typeof externalIdentity>;

/** Tokens and log-in attempts that were used up, for as long as they would be good otherwise. */
export const spentToken = table('spent_token', {
  token_hash: col.text(),
  realm_id: col.ref<RealmId>(),
  expires_at: col.int(),
});

/** Second factors of people: time-based codes. The secret is sealed with the server's. */
export const secondFactor = table('second_factor', {
  user_id: col.ref<UserId>(),
  realm_id: col.ref<RealmId>(),
  sealed_secret: col.text(),
  /** Number of the half minute of the last code that was used: no code counts twice. */
  last_step: col.int(),
  confirmed_at: col.int(),
});
export type SecondFactorRow = SelectOf<typeof secondFactor>;

/** Recovery codes that are left; only keyed hashes of them. */
export const recoveryCode = table('recovery_code', {
  code_hash: col.text(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
});

/** Passkeys of people (WebAuthn credentials): a second factor, and what stands in for the password. */
export const passkey = table('passkey', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  /** What the authenticator calls it, in base64url. */
  credential_id: col.text(),
  /** COSE key in base64url. */
  public_key: col.text(),
  /** How often the authenticator says it was used; 0 where it does not count. */
  use_count: col.int(),
  /** How a browser reaches it (`internal`, `usb`, …), with commas. */
  transports: col.text(),
  name: col.text(),
  /** Host name for which it was made, and where alone it works; null for those from before this was kept. */
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
