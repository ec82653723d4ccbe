import { Role } from '#kernel/permissions';
import { Refusal } from '../refusal.ts';

/** Names of roles that arguments accept. */
export const ROLE_NAMES = Object.keys(Role).join(', ');

/** Returns a role's number; throws if there is none of the name. */
export function roleNumber(name: string): number {
  const found = Object.entries(Role).find(([known]) => known === name);
  if (!found) throw new Refusal(`"${name}" is no role: use one of ${ROLE_NAMES}`);
  return found[1];
}

/** Returns a role's name. */
export function roleName(number: number): string {
  return Object.entries(Role).find(([, known]) => known === number)?.[0] ?? String(number);
}
