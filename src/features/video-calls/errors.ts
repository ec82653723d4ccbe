import { apiError } from '#kernel/errors';

export const ZoomNotConfigured = apiError({ message: 'Zoom credentials have not been configured' });
export const BigBlueButtonNotConfigured = apiError({ message: 'BigBlueButton is not configured.' });
export const ConstructorGroupsNotConfigured = apiError({ message: 'Constructor Groups is not configured.' });
export const NextcloudTalkNotConfigured = apiError({ message: 'Nextcloud Talk is not configured.' });
