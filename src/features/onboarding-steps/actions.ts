import type { Actor } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import { UnknownStep } from './errors.ts';
import { stepsChanged } from './events.ts';
import { insertStep, readSteps } from './queries.ts';
import { isStep, remainingSteps } from './steps.ts';

/** Records that the actor has read a hint; idempotent. See protocol/settings#small-operations. */
export async function markStepRead(context: Context, actor: Actor, name: string): Promise<void> {
  if (!isStep(name)) throw UnknownStep({ name });
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    if (!(await insertStep(tx, name))) return;
    const onboarding_steps = remainingSteps(await readSteps(tx));
    tx.emit(stepsChanged({ onboarding_steps }, { audience: { users: [actor.userId] } }));
  });
}
