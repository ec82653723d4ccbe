import { ListSkeleton } from '../../ui/index.ts';
import { FieldError } from '../../ui/field.tsx';
import type { useAnswer } from '../answer.ts';

interface AwaitedProps {
  /** ID of the error. */
  readonly id: string;
  readonly answer: Pick<ReturnType<typeof useAnswer>, 'found' | 'failure'>;
  /** Number of placeholder rows. */
  readonly count?: number;
}

/** Placeholder rows until the server has answered, or its error message. */
export function Awaited({ id, answer: { found, failure }, ...rows }: AwaitedProps) {
  if (failure !== undefined) return <FieldError id={id} text={failure} />;
  return found === undefined && <ListSkeleton {...rows} />;
}
