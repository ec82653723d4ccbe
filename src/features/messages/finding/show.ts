import { type CallerReadTx, hasActor } from '#kernel/auth';
import type { MessageId } from '#kernel/ids';
import { type RealmReadTx, together } from '#kernel/store';
import { readRealm, settingsOf } from '#features/realms';
import { flagsOfReader } from '../reading/index.ts';
import { toFullMessages } from './full.ts';
import { type MessageRow, toSeenMessage } from '../core/index.ts';
import { escapeHtml, highlight, type Search } from '../search/index.ts';
import type { FullMessage, MessageForm, WireMessage } from '../wire.ts';

const SPECTATOR_FLAGS: readonly string[] = ['read'];
const NO_FLAGS: Promise<ReadonlyMap<MessageId, readonly string[]>> = Promise.resolve(new Map());

/** Options of an answer: the form of its messages, the search to highlight, and the host for addresses. */
export interface Showing {
  readonly form: MessageForm;
  readonly search: Search | undefined;
  readonly host: string;
  readonly withAdditions?: boolean;
}

/** Messages as one reader sees them, with flags and, for a search, the highlighted matches. */
export async function showRows(
  tx: CallerReadTx,
  rows: readonly MessageRow[],
  { form, search, ...reading }: Showing,
): Promise<WireMessage[]> {
  const [full, flags, history] = await together([
    toFullMessages(tx, rows, reading),
    hasActor(tx) ? flagsOfReader(tx, rows) : NO_FLAGS,
    historyPolicy(tx, rows),
  ]);
  return full.map((message) => {
    const shown = toSeenMessage(withVisibleEdits(message, history), form, tx.actor?.viewer.hidden);
    const matches = search && matchesOf(message, shown.subject, search);
    return Object.assign(shown, { flags: [...(flags.get(message.id) ?? SPECTATOR_FLAGS)] }, matches);
  });
}

/** The HTML of a message and its topic with the searched words wrapped. See protocol/fetching#search. */
export function matchesOf(
  { rendered_content }: Pick<FullMessage, 'rendered_content'>,
  subject: string,
  search: Search | undefined,
) {
  const topic = escapeHtml(subject);
  if (!search) return { match_content: rendered_content, match_subject: topic };
  return { match_content: highlight(rendered_content, search), match_subject: highlight(topic, search) };
}

type HistoryPolicy = 'all' | 'moves' | 'none';

/** The policy that decides who sees edit history; read only if a message has any. */
export async function historyPolicy(tx: RealmReadTx, rows: readonly MessageRow[]): Promise<HistoryPolicy> {
  if (!rows.some((row) => row.edit_history)) return 'none';
  return settingsOf(await readRealm(tx)).message_edit_history_visibility_policy;
}

function withVisibleEdits(message: FullMessage, policy: HistoryPolicy): FullMessage {
  const { edit_history, ...rest } = message;
  const edits = visibleEdits(edit_history ?? [], policy);
  return edits.length > 0 || edits === edit_history ? { ...rest, edit_history: [...edits] } : rest;
}

/** A change of a message, with what it was before. */
type Edit = NonNullable<FullMessage['edit_history']>[number];

/** The changes of a message that a policy shows to its readers. See protocol/editing#history. */
export function visibleEdits(edits: readonly Edit[], policy: HistoryPolicy): readonly Edit[] {
  if (policy === 'all') return edits;
  if (policy === 'none') return [];
  return edits.flatMap(({ prev_content, prev_rendered_content: _html, ...move }) =>
    prev_content !== undefined && move.topic === undefined && move.stream === undefined ? [] : [move],
  );
}
