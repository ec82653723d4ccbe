import { CallFailure } from '../api/index.ts';
import { t } from '../words/index.ts';

/** Returns the text to show for a failed call: the server's own message if it refused. */
export function sentenceOf(error: unknown, away: 'common.away' | 'manage.away' = 'common.away'): string {
  return error instanceof CallFailure && error.kind === 'refused' ? error.sentence : t(away);
}
