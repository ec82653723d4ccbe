import { apiError } from '#kernel/errors';

/** The payload is not in the service's format. See protocol/bots#incoming-webhooks. */
export const AnomalousPayload = apiError<{ webhook_name: 'string' }>({
  code: 'ANOMALOUS_WEBHOOK_PAYLOAD',
  extra: { webhook_name: 'string' },
  message: (e) => `Unable to parse request: Did ${e.webhook_name} generate this event?`,
});
export const EventHeaderMissing = apiError<{ header: 'string' }>({
  code: 'MISSING_HTTP_EVENT_HEADER',
  extra: { header: 'string' },
  message: (e) => `Missing the HTTP event header '${e.header}'`,
});
export const SignatureWrong = apiError({ message: 'Webhook signature verification failed.' });
