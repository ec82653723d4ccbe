import { readRealm, settingsOf } from '#features/realms';
import { isMailAddress } from '#kernel/mail';
import { email, firstFault } from '#kernel/schema';
import type { RealmReadTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { listDomains } from './queries.ts';
import { isListed } from './rules.ts';
import type { WireDomain } from './wire.ts';

/** The best-known domains of disposable addresses. */
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

/** Whether a domain (in lower case) is one for disposable addresses. */
function isDisposable(domain: string): boolean {
  return DISPOSABLE.has(domain);
}

/** The rules of an organization for email addresses of users. */
interface EmailRules {
  /** Undefined for any domain. */
  readonly domains: readonly WireDomain[] | undefined;
  readonly refusesDisposable: boolean;
}

/** Why an organization refuses an address. */
export type EmailFault = 'malformed' | 'domain' | 'plus' | 'disposable';

/** Returns an organization's rules for addresses. A restriction to domains has no effect while there are none. */
export async function readEmailRules(tx: RealmReadTx): Promise<EmailRules> {
  const settings = settingsOf(await readRealm(tx));
  const domains = settings.emails_restricted_to_domains ? await listDomains(tx) : [];
  return {
    domains: domains.length > 0 ? domains : undefined,
    refusesDisposable: settings.disallow_disposable_email_addresses && domains.length === 0,
  };
}

/** Returns why an address is refused; does not look for accounts that have it. See protocol/invitations#addresses. */
export function emailFault({ domains, refusesDisposable }: EmailRules, address: string): EmailFault | undefined {
  if (!isMailAddress(address) || 'fault' in firstFault(email(), 'email', address)) return 'malformed';
  const [local = '', domain = ''] = foldCase(address).split('@');
  if (domains && !isListed(domains, domain)) return 'domain';
  if (domains && local.includes('+')) return 'plus';
  return refusesDisposable && isDisposable(domain) ? 'disposable' : undefined;
}
