import type { StoredEdit } from '#features/messages';
import type { Entry } from '../entry.ts';
import type { Filling } from './prepare.ts';

/** The changes of a message. What it was before is rendered anew: HTML of an archive is never shown. */
export async function editsOf(
  { plan }: Filling,
  entry: Entry,
  render: (content: string) => Promise<string>,
): Promise<readonly StoredEdit[] | null> {
  const edits: StoredEdit[] = [];
  for (const part of entry.parts('edit_history')) {
    const prev_content = part.textOrNull('prev_content');
    const [prev_topic, topic] = [
      part.textOrNull('prev_topic') ?? part.textOrNull('prev_subject'),
      part.textOrNull('topic'),
    ];
    const [prev_stream, stream] = [
      plan.channels.of(part.idOrNull('prev_stream')),
      plan.channels.of(part.idOrNull('stream')),
    ];
    edits.push({
      user_id: plan.users.orNull(part.idOrNull('user_id')),
      timestamp: part.time('timestamp', 0),
      ...(prev_content !== null && { prev_content, prev_rendered_content: await render(prev_content) }),
      ...(prev_topic !== null && { prev_topic }),
      ...(topic !== null && { topic }),
      ...(prev_stream !== undefined && { prev_stream }),
      ...(stream !== undefined && { stream }),
    });
  }
  return edits.length === 0 ? null : edits;
}
