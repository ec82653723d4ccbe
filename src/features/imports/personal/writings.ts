import { asId } from '#kernel/ids';
import type { WholeRow, WriteTx } from '#kernel/store';
import type { Places } from '../channels.ts';
import type { Entry } from '../entry.ts';
import { unique } from '../groups.ts';
import { keyed } from '../keyed.ts';
import type { Plan } from '../plan.ts';
import { ownerOf } from './rows.ts';

/** Stores what people have written and not sent, and counts it in the report. */
export async function importWritings(tx: WriteTx, plan: Plan, places: Places): Promise<void> {
  const { report } = plan;
  report.count('saved snippets', await keyed(tx, plan, 'saved_snippet', (row, id) => toSnippet(plan, row, id)));
  report.count('drafts', await keyed(tx, plan, 'draft', (row, id) => toDraft(plan, row, id)));
  report.count(
    'scheduled messages',
    await keyed(tx, plan, 'scheduled_message', (row, id) => toScheduled(plan, places, row, id)),
  );
}

function toSnippet(plan: Plan, row: Entry, id: number): WholeRow<'saved_snippet'> | undefined {
  const user_id = ownerOf(plan, row);
  if (user_id === undefined) return undefined;
  const [title, content] = [row.text('title', ''), row.text('content', '')];
  return {
    id: asId(id),
    realm_id: plan.realmId,
    user_id,
    title,
    content,
    date_created: row.time('date_created', plan.now),
  };
}

function toDraft({ users, channels, realmId }: Plan, row: Entry, id: number): WholeRow<'draft'> | undefined {
  const user_id = users.of(row.idOrNull('user_profile'));
  const draft_type = (['', 'stream', 'private'] as const).find((known) => known === row.raw('draft_type'));
  if (user_id === undefined || draft_type === undefined) return undefined;
  const here = (one: number) => (draft_type === 'stream' ? channels.of(one) : users.of(one));
  return {
    id: asId(id),
    realm_id: realmId,
    user_id,
    draft_type,
    draft_to: row.ids('draft_to').flatMap((one) => here(one) ?? []),
    topic: row.text('topic', ''),
    content: row.text('content', ''),
    edited_at: row.time('last_edit_time', 0),
  };
}

function toScheduled(plan: Plan, places: Places, row: Entry, id: number): WholeRow<'scheduled_message'> | undefined {
  const { users, channels, realmId } = plan;
  const user_id = users.of(row.idOrNull('sender'));
  const recipient = row.id('recipient');
  if (user_id === undefined) return undefined;
  const named = row.ids('recipient_ids').flatMap((one) => users.of(one) ?? []);
  const people = places.groups.get(recipient)?.filter((one) => one !== user_id) ?? [
    places.people.get(recipient) ?? user_id,
  ];
  return {
    id: asId(id),
    realm_id: realmId,
    user_id,
    channel_id: channels.orNull(row.idOrNull('stream')),
    recipient_ids:
      row.raw('stream') === null
        ? unique((named.length > 0 ? named : people).map((one) => ({ one }))).map(({ one }) => one)
        : [],
    topic: row.text('subject', ''),
    content: row.text('content', ''),
    // What it will be is rendered when it is sent.
    rendered_content: '',
    deliver_at: row.time('scheduled_timestamp', 0),
    is_read_by_sender: row.bool('read_by_sender', true),
    client: 'import',
    failed: row.bool('failed', false),
    failure: row.textOrNull('failure_message'),
    version: 1,
    delivered_at: row.bool('delivered', false) ? row.time('scheduled_timestamp', 0) : null,
    message_id: plan.messages.orNull(row.idOrNull('delivered_message')),
  };
}
