import type { RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, table } from '#kernel/store';

/** Hints that a user has read. */
export const onboardingStep = table('onboarding_step', {
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  step_name: col.text(),
  /** Seconds since 1970. */
  read_at: col.int(),
});

declare module '#kernel/store' {
  interface Tables {
    onboarding_step: RowOf<typeof onboardingStep>;
  }
}
