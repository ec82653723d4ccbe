import { apiError } from '#kernel/errors';

export const InvalidDomain = apiError<Record<never, never>, { why: string }>({
  message: (e) => `Invalid domain: ${e.why}`,
});
export const DomainKnown = apiError<Record<never, never>, { domain: string }>({
  message: (e) => `The domain ${e.domain} is already a part of your organization.`,
});
export const NoSuchDomain = apiError<Record<never, never>, { domain: string }>({
  message: (e) => `No entry found for domain ${e.domain}.`,
});
