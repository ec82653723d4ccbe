import { createHmac } from 'node:crypto';

/** What a call is signed with, and what of it is signed. */
export interface Signed {
  /** As `signingSecretOf` gives it. */
  readonly secret: string;
  /** The same for each try of one call. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly now: number;
  readonly body: string;
}

/** Headers by which a bot's server knows who calls, when, and whether it has had the call before. See protocol/bots#signatures. */
export function signatureHeaders({ secret, id, now, body }: Signed): Readonly<Record<string, string>> {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${now}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(now), 'webhook-signature': `v1,${signature}` };
}
