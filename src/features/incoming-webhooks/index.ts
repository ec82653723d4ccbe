import { slice } from '#kernel/slice';
import { incomingEndpoints } from './endpoints.ts';

export const incomingWebhooks = slice({ name: 'incoming-webhooks', endpoints: incomingEndpoints });
