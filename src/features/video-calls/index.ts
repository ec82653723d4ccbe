import { slice } from '#kernel/slice';
import { videoCallEndpoints } from './endpoints.ts';
import { joinPage } from './join-page.ts';

export const videoCalls = slice({ name: 'video-calls', endpoints: videoCallEndpoints, pages: [joinPage] });
