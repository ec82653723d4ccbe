import { apiError } from '#kernel/errors';

export const ZoomNotConfigured = apiError({ message: 'Zoom credentials have not been configured' });
export const ZoomCredentialsWrong = apiError({ message: 'Invalid Zoom credentials' });
/** The caller has connected no Zoom account, or Zoom no longer accepts the connection. */
export const ZoomTokenInvalid = apiError({
  code: 'INVALID_VIDEO_CALL_PROVIDER_TOKEN',
  message: 'Invalid Zoom access token',
});
export const UnknownZoomUser = apiError({ code: 'UNKNOWN_ZOOM_USER', message: 'Unknown Zoom user email' });
export const ZoomFailed = apiError({ message: 'Failed to create Zoom call' });
export const BigBlueButtonNotConfigured = apiError({ message: 'BigBlueButton is not configured.' });
export const ConstructorGroupsNotConfigured = apiError({ message: 'Constructor Groups is not configured.' });
export const ConstructorGroupsFailed = apiError({ message: 'Failed to create Constructor Groups call' });
export const NextcloudTalkNotConfigured = apiError({ message: 'Nextcloud Talk is not configured.' });
export const NextcloudTalkFailed = apiError({ message: 'Failed to create Nextcloud Talk call' });
