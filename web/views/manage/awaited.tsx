import { useState } from 'preact/hooks';
import { Button, Icon, ListSkeleton } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';
import type { useAnswer } from '../answer.ts';

interface AwaitedProps {
  /** ID of the error. */
  readonly id: string;
  readonly answer: Pick<ReturnType<typeof useAnswer>, 'found' | 'failure' | 'again'>;
  /** Number of placeholder rows. */
  readonly count?: number;
}

/** Placeholder rows until the server has answered, or its error message with a button to ask again. */
export function Awaited({ id, answer: { found, failure, again }, ...rows }: AwaitedProps) {
  if (failure !== undefined) return <NotLoaded id={id} failure={failure} again={again} />;
  return found === undefined && <ListSkeleton {...rows} />;
}

interface NotLoadedProps {
  readonly id: string;
  readonly failure: string;
  readonly again: () => Promise<void>;
}

/** Stays where it is, unlike the error of a field: nobody has pressed anything, and the rest of the page can be read. */
function NotLoaded({ id, failure, again }: NotLoadedProps) {
  const [isBusy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    await again();
    setBusy(false);
  };
  return (
    <div class="not-loaded">
      <span class="err" id={id} role="alert">
        <Icon name="alert" small />
        <span>{failure}</span>
      </span>
      <Button small icon="retry" busy={isBusy} onPress={() => void retry()}>
        {t('common.retry')}
      </Button>
    </div>
  );
}
