import { slice } from '#kernel/slice';
import { incomingEndpoints } from './endpoints.ts';
import { probePage } from './pages.ts';

export const incomingWebhooks = slice({ name: 'incoming-webhooks', endpoints: incomingEndpoints, pages: [probePage] });
