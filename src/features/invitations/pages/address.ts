import { below, show, wordsFor } from '#features/pages';
import type { PageResponse, RealmRequest } from '#kernel/endpoint';
import { ApiError } from '#kernel/errors';
import { enqueue } from '#kernel/jobs';
import { networkOf } from '#kernel/limits';
import { foldCase } from '#kernel/text';
import { addressReason } from '../addresses.ts';
import { confirmationJob } from '../confirm.ts';
import type { InvitationRow } from '../tables.ts';
import { showAddressForm } from './forms.ts';

export const TOO_MANY = 'Too many requests. Wait a while.';

/** Counts an attempt to join, by network and by email address; false if it exceeds a limit. */
export async function mayTry({ context, address, realm }: RealmRequest, email: string): Promise<boolean> {
  try {
    await context.limits.take('sign-up-address', networkOf(address));
    await context.limits.take('sign-up', `${realm.id}:${foldCase(email)}`);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}

/**
 * Mails a confirmation link to an address. One that has an account gets none; neither the page nor the time it takes
 * shows the difference.
 */
export async function takeAddress(
  request: RealmRequest,
  link: InvitationRow | undefined,
  fields: ReadonlyMap<string, string>,
): Promise<PageResponse> {
  const { context, realm } = request;
  const email = (fields.get('email') ?? '').trim();
  const fault = await context.store.in(realm).read((tx) => addressReason(tx, email));
  if (fault !== undefined) return showAddressForm(request, { invitation: link, fault });
  if (!(await mayTry(request, email))) return showAddressForm(request, { invitation: link, fault: TOO_MANY }, 429);
  const payload = { email, link_id: link?.id ?? null };
  await context.store.in(realm).write((tx) => enqueue(tx, confirmationJob, payload));
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('common.checkEmail'),
    lede: t('join.sent', { email }),
    body: below({ text: t('common.backToLogIn'), href: '/login/' }),
  });
}
