import { t } from '../../words/deferred.ts';

/** The API's numbers of the roles; a smaller number is a stronger role. */
const ROLES = {
  100: 'role.owner',
  200: 'role.administrator',
  300: 'role.moderator',
  400: 'role.member',
  600: 'role.guest',
} as const;
export type RoleNumber = keyof typeof ROLES;
const NUMBERS: readonly RoleNumber[] = [100, 200, 300, 400, 600];

/** The roles as options of a field. */
export function roleOptions(): readonly { readonly value: `${RoleNumber}`; readonly label: string }[] {
  return NUMBERS.map((number) => ({ value: `${number}` as const, label: t(ROLES[number]) }));
}

/** Converts an option's value to the API's number of the role. */
export function roleNumber(value: string): RoleNumber {
  return NUMBERS.find((number) => String(number) === value) ?? 400;
}

export function roleName(number: number): string {
  return roleOptions().find(({ value }) => value === String(number))?.label ?? String(number);
}
