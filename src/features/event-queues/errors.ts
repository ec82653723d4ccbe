import { apiError } from '#kernel/errors';

export const MissingQueueId = apiError({ message: "Missing 'queue_id' argument" });
export const MissingLastEventId = apiError({ message: "Missing 'last_event_id' argument" });
export const SpectatorGravatar = apiError({ message: "Invalid 'client_gravatar' parameter for anonymous request" });
export const SpectatorSubscribers = apiError({
  message: "Invalid 'include_subscribers' parameter for anonymous request",
});
export const OperatorNotSupported = apiError<Record<never, never>, { operator: string }>({
  message: (e) => `Operator ${e.operator} not supported.`,
});
export const FollowedNotSupported = apiError({ message: 'Operand followed not supported.' });
export const NarrowTooLong = apiError<Record<never, never>, { limit: number }>({
  message: (e) => `narrow is too long (limit: ${e.limit} characters)`,
});
export const BadNarrowElement = apiError<Record<never, never>, { index: number }>({
  message: (e) => `Invalid narrow[${e.index}]`,
});
