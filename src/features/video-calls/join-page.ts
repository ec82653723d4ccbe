import { page, type PageRequest } from '#kernel/endpoint';
import { redirect, show, wayOn } from '#features/pages';
import { findUser } from '#features/users';
import { enterMeeting, JOIN_PATH, type JoinFault, readMeeting } from './bigbluebutton.ts';

const FAULTS: Readonly<Record<JoinFault | 'absent', { readonly status: number; readonly lede: string }>> = {
  absent: { status: 404, lede: 'BigBlueButton is not configured.' },
  signature: { status: 400, lede: 'Invalid signature. Ask whoever sent you this address for a new one.' },
  unreachable: { status: 502, lede: 'Error connecting to the BigBlueButton server. Try again in a moment.' },
  checksum: {
    status: 502,
    lede: 'Error authenticating to the BigBlueButton server. Tell whoever runs this server.',
  },
  refused: { status: 502, lede: 'BigBlueButton server returned an unexpected error. Tell whoever runs this server.' },
};

const failed = (request: PageRequest, fault: keyof typeof FAULTS) =>
  show(request, { title: 'No call', ...FAULTS[fault], body: wayOn('Back to the messages', '/') });

/** Brings somebody into a meeting of BigBlueButton by the name that they have here. See protocol/organizations#calls. */
export const joinPage = page({
  methods: ['GET'],
  path: JOIN_PATH,
  handle: async (request) => {
    const { actor, realm, context, url } = request;
    if (!actor || !realm) return redirect(`/login/?next=${encodeURIComponent(`${url.pathname}${url.search}`)}`);
    const service = context.calls.bigBlueButton;
    if (!service) return failed(request, 'absent');
    const meeting = readMeeting(context.server.secret, url.searchParams.get('bigbluebutton') ?? '');
    const person = await context.store.in(realm).query((tx) => findUser(tx, actor.userId));
    if (!person || meeting?.realm !== realm.id) return failed(request, 'signature');
    const entered = await enterMeeting(context, service, meeting, person);
    return 'fault' in entered ? failed(request, entered.fault) : redirect(entered.url);
  },
});
