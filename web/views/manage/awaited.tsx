import { FieldError, ListSkeleton } from '../../ui/index.ts';
import type { useAnswer } from '../answer.ts';

interface AwaitedProps {
  /** ID of the error. */
  readonly id: string;
  readonly answer: Pick<ReturnType<typeof useAnswer>, 'found' | 'failure'>;
  /** Rows that are drawn until the answer is there. */
  readonly count?: number;
}

/** Empty rows until an answer of the server is there, or what the server said instead. */
export function Awaited({ id, answer: { found, failure }, ...rows }: AwaitedProps) {
  if (failure !== undefined) return <FieldError id={id} text={failure} />;
  return found === undefined && <ListSkeleton {...rows} />;
}
