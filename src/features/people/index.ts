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
export { changePerson } from './change.ts';
export { addMember } from './create.ts';
export { deactivatePerson } from './deactivate.ts';
export { reactivate } from './reactivate.ts';
