import { HelperThread } from '#kernel/threads';
import { ProviderFault } from '../vouched.ts';
import type { SamlOptions } from './node-saml.mjs';

/** A message to verify with what is said of both sides: in a form, in Base64, or in a query. */
type Signed = { readonly options: SamlOptions } & (
  | { readonly kind: 'SAMLRequest' | 'SAMLResponse'; readonly message: string }
  | {
      readonly kind: 'query';
      readonly values: Readonly<Record<string, string | undefined>>;
      readonly covered: string;
    }
);

/** An element to decrypt with our key. */
export interface Encrypted {
  readonly kind: 'encrypted';
  readonly message: string;
  readonly key: string;
}

export type Task = Signed | Encrypted;

/** What the signature of an answer covers, as the library parses it and as text; or what was encrypted. */
export interface Verified {
  readonly assertion?: unknown;
  readonly text?: string | undefined;
  readonly loggedOut?: boolean | undefined;
}

/** What became of a message; neither where the thread ended or others were before it for too long. */
interface Answer {
  readonly said?: Verified;
  readonly fault?: { readonly name: string; readonly message: string };
}

/** Most messages that wait, each up to 48 KB: those that one thread verifies in a few seconds. */
const MAX_WAITING = 64;
/** Milliseconds by the clock for one message, the start of the thread included, and for those before it. */
const [PATIENCE_MS, WAIT_MS] = [10_000, 10_000];

/**
 * The process's one thread for verifying messages: anybody may send them, and before a signature is found to be nobody's,
 * the library has parsed and compared all of it, which takes a tenth of a second.
 */
const thread = new HelperThread<Task, Answer>({
  // Next to this file in the sources, and next to the bundle in a build.
  program: new URL('./verify-messages.js', import.meta.url),
  isAnswer: (message): message is Answer => typeof message === 'object' && message !== null,
  nothing: {},
  patienceMs: PATIENCE_MS,
  waitMs: WAIT_MS,
});

let waiting = 0;

/** Verifies or decrypts a message; throws the library's error where it is not as it should be. */
export async function verified(task: Task): Promise<Verified> {
  if (waiting >= MAX_WAITING) throw new ProviderFault('busy', 'too many wait');
  waiting += 1;
  // The thread answers even where it ends.
  const { said, fault } = await thread.ask(task).finally(() => (waiting -= 1));
  if (fault) throw Object.assign(new Error(fault.message), { name: fault.name });
  if (!said) throw new ProviderFault('busy', 'no time to verify');
  return said;
}
