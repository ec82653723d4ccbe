import { MAX_TOPIC } from '#features/messages';
import { asId } from '#kernel/ids';
import type { WholeRow, WriteTx } from '#kernel/store';
import { foldCase, isIndexable, takeCodePoints } from '#kernel/text';
import { keyed } from '../keyed.ts';
import type { Plan } from '../plan.ts';
import { lastOfEach, owned, ownerOf } from './rows.ts';

/** Longest alert word and longest name of an onboarding step, in code points. */
const MAX_WORD = 100;
const MAX_STEP = 100;

/** Stores alert words, each once for its user. */
export async function importAlertWords(tx: WriteTx, plan: Plan): Promise<void> {
  const known = new Set<string>();
  await keyed(tx, plan, 'alert_word', (row, id) => {
    const user_id = ownerOf(plan, row);
    const word = takeCodePoints(row.text('word', '').trim(), MAX_WORD);
    const word_key = foldCase(word);
    const key = `${user_id} ${word_key}`;
    if (user_id === undefined || word === '' || known.has(key)) return undefined;
    known.add(key);
    return { id: asId(id), realm_id: plan.realmId, user_id, word, word_key };
  });
}

export function mutedUsers(plan: Plan): readonly WholeRow<'muted_user'>[] {
  const rows = owned(plan, 'zerver_muteduser').flatMap(({ row, user_id }) => {
    const muted_user_id = ownerOf(plan, row, 'muted_user');
    if (muted_user_id === undefined) return [];
    return [{ realm_id: plan.realmId, user_id, muted_user_id, muted_at: row.time('date_muted', plan.now) }];
  });
  return lastOfEach(rows, (row) => `${row.user_id} ${row.muted_user_id}`);
}

/** The visibility policies of topics. */
export function topicPolicies(plan: Plan): readonly WholeRow<'user_topic'>[] {
  const rows = owned(plan, 'zerver_usertopic').flatMap(({ row, user_id }) => {
    const channel_id = plan.channels.of(row.idOrNull('stream'));
    const visibility_policy = ([1, 2, 3] as const).find((known) => known === row.int('visibility_policy', 0));
    if (channel_id === undefined || visibility_policy === undefined) return [];
    const topic = takeCodePoints(row.text('topic_name', ''), MAX_TOPIC);
    const [topic_key, last_updated] = [foldCase(topic), row.time('last_updated', 0)];
    return [{ realm_id: plan.realmId, user_id, channel_id, topic, topic_key, visibility_policy, last_updated }];
  });
  return lastOfEach(rows, (row) => `${row.user_id} ${row.channel_id} ${row.topic_key}`);
}

/** Stores the views that people have put into their sidebar, each once for its user. */
export async function importNavigationViews(tx: WriteTx, plan: Plan): Promise<void> {
  const known = new Set<string>();
  await keyed(tx, plan, 'navigation_view', (row, id) => {
    const user_id = ownerOf(plan, row, 'user');
    const fragment = row.text('fragment', '');
    const key = `${user_id} ${fragment}`;
    if (user_id === undefined || !isIndexable(fragment) || known.has(key)) return undefined;
    known.add(key);
    const [is_pinned, view_name] = [row.bool('is_pinned', true), row.textOrNull('name')];
    return { id: asId(id), realm_id: plan.realmId, user_id, fragment, is_pinned, view_name };
  });
}

export function onboardingSteps(plan: Plan): readonly WholeRow<'onboarding_step'>[] {
  const rows = owned(plan, 'zerver_onboardingstep', 'user').map(({ row, user_id }) => ({
    realm_id: plan.realmId,
    user_id,
    step_name: takeCodePoints(row.text('onboarding_step', ''), MAX_STEP),
    read_at: row.time('timestamp', plan.now),
  }));
  return lastOfEach(rows, (row) => `${row.user_id} ${row.step_name}`);
}

export function botStorage(plan: Plan): readonly WholeRow<'bot_storage'>[] {
  const rows = owned(plan, 'zerver_botstoragedata', 'bot_profile').map(({ row, user_id }) => {
    const [storage_key, storage_value] = [row.text('key'), row.text('value', '')];
    if (!isIndexable(storage_key)) throw row.fault('key', 'is too long');
    const storage_size = [...storage_key].length + [...storage_value].length;
    return { user_id, realm_id: plan.realmId, storage_key, storage_value, storage_size };
  });
  return lastOfEach(rows, (row) => `${row.user_id} ${row.storage_key}`);
}
