import { type Inputs, useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Client, sentenceOf, showNotice } from '../client/index.ts';
import { t } from '../words/index.ts';

/** Milliseconds after which somebody who waits for the server is told that it has not answered. */
const SLOW_MS = 8000;

/** Awaits a call that somebody waits for, and says so where the answer takes long. */
export async function awaited<T>(client: Client, call: Promise<T>): Promise<T> {
  const answered = new AbortController();
  const { signal } = answered;
  void client.clock.sleep(SLOW_MS, signal).then(() => signal.aborted || showNotice(client, t('notice.slow'), false));
  return await call.finally(() => answered.abort());
}

/** The reply to a request; while it is running, neither `found` nor `failure` is set. */
interface Answer<T> {
  readonly found: T | undefined;
  /** An error message for the person. */
  readonly failure: string | undefined;
  /** Repeats the request; `found` stays until the reply. */
  readonly again: () => Promise<void>;
}

/**
 * Makes a request when the view opens, and again when one of `inputs` changes; only the last request counts. A reply
 * without the requested field, from a newer or a broken server, counts as a failure.
 */
export function useAnswer<T>(ask: () => Promise<T | undefined>, inputs: Inputs): Answer<T> {
  const [found, setFound] = useState<T | undefined>();
  const [failure, setFailure] = useState<string | undefined>();
  const turn = useRef(0);
  const again = useCallback(async () => {
    const own = ++turn.current;
    const isLast = () => own === turn.current;
    try {
      const answer = await ask();
      if (answer === undefined) throw new TypeError('incomplete answer');
      if (!isLast()) return;
      setFound(() => answer);
      setFailure(undefined);
    } catch (error) {
      if (isLast()) setFailure(sentenceOf(error));
    }
  }, inputs);
  useEffect(() => {
    void again();
    return () => void turn.current++;
  }, [again]);
  return { found, failure, again };
}
