import type { Actor } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import { UnknownStep } from './errors.ts';
import { stepsChanged } from './events.ts';
import { insertStep, readSteps } from './queries.ts';
import { isStep, remainingSteps } from './steps.ts';

/** Notes that the actor has read a hint; a second time changes nothing. See protocol/settings#small-operations. */
export async function markStepRead(context: Context, { realmId, userId }: Actor, name: string): Promise<void> {
  if (!isStep(name)) throw UnknownStep({ name });
  await context.store.of(realmId).write(async (tx) => {
    await lockLog(tx);
    if (!(await insertStep(tx, userId, name))) return;
    const onboarding_steps = remainingSteps(await readSteps(tx, userId));
    tx.emit(stepsChanged(realmId, { onboarding_steps }, { audience: { users: [userId] } }));
  });
}
