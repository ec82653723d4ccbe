import { redirect } from '#features/pages';
import { tryToEnter } from '#features/sign-in';
import type { PageResponse, RealmRequest } from '#kernel/endpoint';

/** Signs in somebody who has an account, or asks for its password. */
export async function logIn(request: RealmRequest, email: string, password: string): Promise<PageResponse> {
  const entered = await tryToEnter(request, { username: email, password }, '/');
  return entered ?? redirect(`/login/?${new URLSearchParams({ email }).toString()}`);
}
