/** A provider's claims about somebody who signed in there; they have been verified to come from the provider. */
export interface Vouched {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | undefined;
  readonly email: string | undefined;
  /** Whether the provider says that it verified the address. */
  readonly isVerified: boolean;
  /** Undefined if the provider says nothing about groups. */
  readonly groups: readonly string[] | undefined;
  /** Seconds since 1970 of the person's authentication there, if the provider says so. */
  readonly signedInAt?: number | undefined;
  /** Address of a picture of them. */
  readonly picture?: string | undefined;
  /**
   * The session there: the provider's ID of it, and what is needed to end it: the ID token, or the provider's name for
   * the person as JSON. `subject` is the name for the person in that session, if it differs from the one above.
   */
  readonly session?: {
    readonly sid: string | undefined;
    readonly token: string | undefined;
    readonly subject?: string | undefined;
  };
}

/** Secrets of a sign-in that are kept between its beginning here and the provider's answer. */
export interface Secrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Seconds since 1970 before which somebody must not have authenticated at the provider. */
  readonly notBefore?: number | undefined;
}

/** Reasons why a provider's answer lets nobody in. */
export type FailureReason =
  /** The person or the provider refused. */
  | 'refused'
  /** The provider cannot be reached, or takes too long. */
  | 'away'
  /** Too many sign-ins wait for it. */
  | 'busy'
  /** The answer is not valid, or does not match the request. */
  | 'invalid';

/** A sign-in that failed at the provider. `code` is for the log and contains nothing of the answer. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';
  readonly reason: FailureReason;
  readonly code: string;

  constructor(reason: FailureReason, code: string, cause?: unknown) {
    super(`sign-in by a provider failed: ${reason}`, { cause });
    this.reason = reason;
    this.code = code;
  }
}
