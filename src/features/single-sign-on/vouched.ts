/** What a provider says of somebody who signed in there; everything in it was checked to come from the provider. */
export interface Vouched {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | undefined;
  readonly email: string | undefined;
  /** Whether the provider says that the address is theirs. */
  readonly isVerified: boolean;
  /** Undefined where it says nothing of groups. */
  readonly groups: readonly string[] | undefined;
  /** Seconds since 1970 when they showed there who they are, where the provider says so. */
  readonly signedInAt?: number | undefined;
  /** Address of a picture of them. */
  readonly picture?: string | undefined;
  /**
   * The session there: the provider's name for it, and by what it knows which is to end: the ID token, or its name for the
   * person as JSON. `subject` where it calls the person otherwise than above.
   */
  readonly session?: {
    readonly sid: string | undefined;
    readonly token: string | undefined;
    readonly subject?: string | undefined;
  };
}

/** What is kept of a sign-in between its beginning here and the provider's answer. */
export interface Secrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Seconds since 1970 before which somebody must not have signed in at the provider, if it says when. */
  readonly notBefore?: number | undefined;
}

/** Why a provider's answer lets nobody in. */
export type FailureReason =
  /** The person said no, or the provider. */
  | 'refused'
  /** The provider cannot be reached, or takes too long. */
  | 'away'
  /** Too many sign-ins wait for it. */
  | 'busy'
  /** The answer is not what was asked for. */
  | 'untrue';

/** A sign-in that failed at the provider. `code` is for the log and holds nothing of the answer. */
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
