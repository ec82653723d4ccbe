import { hasRealm } from '#kernel/endpoint';
import { formPage, noOrganization, redirect, wordsFor } from '#features/pages';
import { enter, oneTimePadOf } from './finish.ts';
import { showLogin } from './pages.ts';
import { answeredBy } from './passkeys/index.ts';
import { isOn } from './second-factor/index.ts';

/** Signs somebody in by a passkey without a password: it is both factors, a device and a finger, face or PIN. */
export const passkeySignInPage = formPage({
  path: '/accounts/passkeys/sign-in/',
  show: () => Promise.resolve(redirect('/login/')),
  submit: async (request, fields) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { realm } = request;
    const refuse = (status: number, alert: string) =>
      showLogin(request, { status, alert: wordsFor(request).refusal(alert), fields });
    if (!(await isOn(request))) return refuse(404, 'Logging in with a passkey is off here.');
    const answered = await answeredBy(request, 'sign-in', undefined, fields);
    if ('fault' in answered) return refuse(401, answered.fault);
    const { user } = answered;
    if (!user.is_active || user.is_bot) return refuse(401, 'Account is deactivated');
    if (realm.isDeactivated) return refuse(401, 'This organization has been deactivated');
    return enter(request, user, { next: fields.get('next'), pad: oneTimePadOf(fields.get('mobile_flow_otp')) });
  },
});
