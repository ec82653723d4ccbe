import { slice } from '#kernel/slice';

export const accounts = slice({ name: 'accounts' });

export { addPerson, defaultChannelsOf, type NewPerson } from './add.ts';
export { deactivateAccount, reactivateAccount } from './activity.ts';
export { changeEmail, formerAddressMail, rename } from './profile.ts';
export { changeRole } from './role.ts';
