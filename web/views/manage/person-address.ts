/** Returns the address of the page on which administrators change somebody's profile. */
export function personAddress(id: number): string {
  return `#organization/users/${id}`;
}
