import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS } from '../integration.ts';
import { bold, facts, lines, link, md, paragraphs } from '../markdown.ts';
import { asWords, capital } from '../words/index.ts';

const candidate = {
  id: 27,
  first_name: 'Gus',
  last_name: 'Guest',
  phone_numbers: [],
  email_addresses: [{ value: 'gus@ferry.example', type: 'personal' }],
  attachments: [{ filename: 'resume.pdf', url: 'https://storage.example/resume.pdf', type: 'resume' }],
};
const application = {
  id: 1,
  candidate,
  jobs: [{ name: 'Helmsman' }],
  current_stage: { name: 'Interview' },
  rejection_reason: { name: 'Position filled' },
};
const ACTIONS = [
  'candidate_stage_change',
  'candidate_hired',
  'candidate_rejected',
  'candidate_unrejected',
  'hire_candidate',
  'reject_candidate',
  'new_candidate_application',
  'prospect_created',
  'application_updated',
  'candidate_updated',
];

export const greenhouse = integration({
  name: 'greenhouse',
  title: 'Greenhouse',
  category: 'Other',
  setUp: 'In Greenhouse open Configure, Dev Center, Web Hooks, and make one with the address as Endpoint URL.',
  options: [OPTIONS.secret],
  signature: { header: 'signature', algorithm: 'sha256', prefix: 'sha256 ' },
  events: ACTIONS,
  read: (at) => {
    const event = at('action').need;
    if (event === 'ping') return { topic: 'Greenhouse', content: md`Greenhouse is connected.` };
    const it = at('payload.application').exists ? at('payload.application') : at('payload');
    const who = it.at('candidate');
    if (!who.exists) throw new UnsupportedEvent(event);
    const name = `${who.at('first_name').text} ${who.at('last_name').text}`.trim() || `#${who.at('id').need}`;
    const jobs = (it.at('jobs').count > 0 ? it.at('jobs').list : [it.at('job')]).map((job) => job.at('name').text);
    return {
      event,
      topic: `${capital(asWords(event))} - ${name}`,
      content: paragraphs(
        md`${bold(name)}: ${asWords(event)}.`,
        facts({
          Role: jobs.join(', '),
          Stage: it.at('current_stage.name'),
          Reason: /reject/.test(event) ? it.at('rejection_reason.name') : '',
          Email: who
            .at('email_addresses')
            .list.map((one) => one.at('value').text)
            .join(', '),
          Files: lines(
            who.at('attachments').list.map((file) => link(file.at('filename').text || 'file', file.at('url'))),
            ', ',
          ),
        }),
      ),
    };
  },
  samples: ACTIONS.map((action) => ({ of: `A candidate: ${action}`, json: { action, payload: { application } } })),
});
