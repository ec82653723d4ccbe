import { type Inputs, useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { CallFailure } from '../api/index.ts';
import { t } from '../words/index.ts';

/** What a failed call says to the person: the server's own sentence where it refused. */
export function sentenceOf(error: unknown, away: 'common.away' | 'manage.away' = 'common.away'): string {
  return error instanceof CallFailure && error.kind === 'refused' ? error.message : t(away);
}

/** What a question to the server gave: neither `found` nor `failure` while it is on its way. */
interface Answer<T> {
  readonly found: T | undefined;
  /** A sentence for the person. */
  readonly failure: string | undefined;
  /** Asks anew; what was found stays until then. */
  readonly again: () => Promise<void>;
}

/**
 * Asks the server when the view opens, and whenever one of `inputs` changes. An answer without what was asked for, as a newer
 * or a broken server may give it, counts as none. The last question has the last word.
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
      if (answer === undefined) throw new TypeError('the answer lacks what was asked for');
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
