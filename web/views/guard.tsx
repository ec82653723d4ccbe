import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { Button, EmptyView } from '../ui/index.ts';
import { t } from '../words/index.ts';

interface GuardProps {
  /** What the children show: after an error they are drawn again once it changes. */
  readonly of?: unknown;
  readonly children: ComponentChildren;
  /** Whether it is the whole view, including its heading. */
  readonly isPage?: boolean | undefined;
  /** Draws what replaces the failed content; by default a sentence and a retry. */
  readonly instead?: (() => ComponentChildren) | undefined;
}

/** An error boundary: an error within it is reported once and shown; the rest of the page goes on. */
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
