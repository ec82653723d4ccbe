import { slice } from '#kernel/slice';
import { videoCallEndpoints } from './endpoints.ts';

export const videoCalls = slice({ name: 'video-calls', endpoints: videoCallEndpoints });
