import { slice } from '#kernel/slice';
import { sweepingPictures } from '#features/pictures';
import { organizationPictureEndpoints } from './endpoints.ts';
import { organizationPicturePages } from './pages.ts';
import { organizationFolder } from './actions.ts';

export const organizationPictures = slice({
  name: 'organization-pictures',
  endpoints: organizationPictureEndpoints,
  pages: organizationPicturePages,
  background: sweepingPictures(organizationFolder),
});
