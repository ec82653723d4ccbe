import { timingSafeEqual } from 'node:crypto';

/** Compares two secrets without telling, by its duration, how much of them agrees; their lengths are no secret. */
export function constantTimeEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
