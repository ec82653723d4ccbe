import { type FromBrowser, formToken } from '#features/pages';
import type { PageResponse, RealmRequest } from '#kernel/endpoint';
import { ApiError } from '#kernel/errors';
import type { RealmWriteTx } from '#kernel/store';
import { isSpent, spend } from './identities.ts';
import { enterOrAsk } from './second-factor/index.ts';
import { signIn, type Typed } from './sign-in.ts';

/** Seconds for which a form with a one-use key leads on when its browser sends it again. */
const AGAIN_SECONDS = 600;

/** Remembers which browser used up a one-use key. */
export async function noteSender(tx: RealmWriteTx, request: FromBrowser, key: string): Promise<void> {
  await spend(tx, useOf(request, key), AGAIN_SECONDS);
}

/** Whether this browser used up a one-use key, so that its form came a second time. */
export function isSender(request: RealmRequest, key: string): Promise<boolean> {
  return request.context.store.in(request.realm).query((tx) => isSpent(tx, useOf(request, key)));
}

/**
 * Signs in a browser that sent the form that made its account again, because the answer to the first one did not come;
 * undefined for any other browser, as a key has one use, and if the account has another password. It is an attempt to
 * log in, and counted as one.
 */
export async function enterAgain(
  request: RealmRequest,
  key: string,
  { typed, next }: { readonly typed: Typed; readonly next: string },
): Promise<PageResponse | undefined> {
  return (await isSender(request, key)) ? tryToEnter(request, typed, next) : undefined;
}

/** Signs in with a password; undefined if it is refused. */
export async function tryToEnter(request: RealmRequest, typed: Typed, next: string): Promise<PageResponse | undefined> {
  try {
    return await enterOrAsk(request, await signIn(request, typed), { next, pad: undefined });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return undefined;
  }
}

const useOf = (request: FromBrowser, key: string) => `${formToken(request)} used ${key}`;
