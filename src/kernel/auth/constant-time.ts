import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares two secrets without telling, by its duration, how much of them agrees. */
export function constantTimeEqual(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
