import { passwordFault, USUAL_RULES } from '#features/sign-in';
import { nameFault } from '#features/users';
import { isMailAddress } from '#kernel/mail';

/** Longest name of an organization, in code points. */
export const MAX_NAME = 40;

/** What a new organization is made from: its name and its owner. */
export interface Founding {
  readonly name: string;
  readonly full_name: string;
  readonly email: string;
  readonly password: string;
}

/** What is wrong with it, in words for whoever filled it in; undefined when nothing is. */
export function foundingFault({ name, full_name, email, password }: Founding): string | undefined {
  if (name === '') return 'The organization needs a name.';
  if ([...name].length > MAX_NAME) return `The organization's name has more than ${MAX_NAME} characters.`;
  const fault = nameFault(full_name);
  if (fault !== undefined) return fault;
  if (!isMailAddress(email)) return 'Please enter your email address.';
  return passwordFault(password, [name, full_name, email], USUAL_RULES);
}
