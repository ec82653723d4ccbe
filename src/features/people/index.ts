import { slice } from '#kernel/slice';
import { activityEndpoints } from './activity-endpoints.ts';
import { changeEndpoints } from './endpoints.ts';
import { eraseRestJob } from './erase-messages.ts';
import { getOwnUser } from './own-user.ts';

export const peopleSlice = slice({
  name: 'people',
  reads: ['channel', 'message'],
  endpoints: [getOwnUser, ...changeEndpoints, ...activityEndpoints],
  jobs: [eraseRestJob],
});

export { administrationOf } from './administration.ts';
export { changePerson, changeWithin } from './change.ts';
export { addMember, addWithin } from './create.ts';
export { deactivatePerson, deactivateWithin } from './deactivate.ts';
export { reactivate, reactivateWithin } from './reactivate.ts';
