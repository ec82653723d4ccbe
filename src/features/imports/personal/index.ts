import { insertWhole, type WriteTx } from '#kernel/store';
import type { Places } from '../channels.ts';
import type { Plan } from '../plan.ts';
import {
  botStorage,
  importAlertWords,
  importNavigationViews,
  mutedUsers,
  onboardingSteps,
  topicPolicies,
} from './preferences.ts';
import { importPresences } from './presences.ts';
import { profileValues, statuses } from './profiles.ts';
import { importWritings } from './writings.ts';

export { emojiCode } from './profiles.ts';

/** Stores what people keep for themselves and say about themselves. */
export async function importPersonal(tx: WriteTx, plan: Plan, places: Places): Promise<void> {
  await insertWhole(tx, 'profile_value', profileValues(plan));
  await importAlertWords(tx, plan);
  await insertWhole(tx, 'muted_user', mutedUsers(plan));
  await insertWhole(tx, 'user_topic', topicPolicies(plan));
  await insertWhole(tx, 'user_status', statuses(plan));
  await importPresences(tx, plan);
  await importNavigationViews(tx, plan);
  await insertWhole(tx, 'onboarding_step', onboardingSteps(plan));
  await importWritings(tx, plan, places);
  await insertWhole(tx, 'bot_storage', botStorage(plan));
}
