import { CallFailure } from '../../../api/index.ts';

/** Returns the addresses that a refusal leaves out, if it is one that invited the others; else undefined. */
export function notInvited(error: unknown): readonly string[] | undefined {
  if (!(error instanceof CallFailure) || error.extra['sent_invitations'] !== true) return undefined;
  const { errors } = error.extra;
  const faults: readonly unknown[] = Array.isArray(errors) ? errors : [];
  const addresses = faults.map((fault): unknown => (Array.isArray(fault) ? fault[0] : undefined));
  return addresses.filter((address) => typeof address === 'string');
}
