/** Domains whose addresses are thrown away after use; the best known ones. */
const DISPOSABLE = new Set([
  '10minutemail.com',
  'dispostable.com',
  'fakeinbox.com',
  'getnada.com',
  'grr.la',
  'guerrillamail.com',
  'guerrillamail.net',
  'guerrillamail.org',
  'mailcatch.com',
  'maildrop.cc',
  'mailinator.com',
  'mailnesia.com',
  'mintemail.com',
  'sharklasers.com',
  'spamgourmet.com',
  'temp-mail.org',
  'tempmail.com',
  'throwawaymail.com',
  'trashmail.com',
  'yopmail.com',
]);

/** Whether a domain (in lower case) belongs to a service of addresses to throw away. */
export function isDisposable(domain: string): boolean {
  return DISPOSABLE.has(domain);
}
