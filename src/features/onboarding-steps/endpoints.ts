import { endpoint, humans, raw } from '#kernel/endpoint';
import { text } from '#kernel/schema';
import { markStepRead } from './actions.ts';
import { UnknownStep } from './errors.ts';

const markOnboardingStep = endpoint({
  id: 'mark-onboarding-step-as-read',
  method: 'POST',
  path: '/users/me/onboarding_steps',
  source: 'protocol/settings#small-operations',
  since: 233,
  doc: 'Marks an onboarding hint as read by the caller.',
  who: humans,
  params: { onboarding_step: raw(text(), 'Name of the hint.') },
  returns: {},
  fails: [UnknownStep],
  async run({ actor, params, context }) {
    await markStepRead(context, actor, params.onboarding_step);
    return {};
  },
});

export const stepEndpoints = [markOnboardingStep];
