import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { Button, EmptyView } from '../ui/index.ts';
import { t } from '../words/index.ts';

interface GuardProps {
  /** What is shown: another one is tried anew. */
  readonly of?: unknown;
  readonly children: ComponentChildren;
  /** It is the whole view, and has its heading. */
  readonly isPage?: boolean | undefined;
  /** In place of what failed; without it a sentence and a retry. */
  readonly instead?: (() => ComponentChildren) | undefined;
}

/** What fails within it is reported once and shown as failed; the rest of the page goes on. */
export function Guard({ of, children, instead, isPage = false }: GuardProps) {
  const boundary: readonly [unknown, () => void] = useErrorBoundary((error: unknown) => reportError(error));
  const [failure, retry] = boundary;
  const failedOf = useRef(of);
  useEffect(() => {
    if (failure !== undefined && failedOf.current !== of) retry();
    failedOf.current = of;
  }, [of]);
  if (failure === undefined) return <>{children}</>;
  if (instead) return <>{instead()}</>;
  return (
    <>
      {isPage && <h1 class="sr">{t('view.failed')}</h1>}
      <EmptyView title={t('view.failed')} text={t('view.failedHint')}>
        <Button onPress={retry}>{t('common.retry')}</Button>
      </EmptyView>
    </>
  );
}
