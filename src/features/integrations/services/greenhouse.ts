import { lookUp } from '#kernel/lists';
import { type At, type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS, type Said } from '../integration.ts';
import { bold, facts, lines, link, type Markdown, md, paragraphs } from '../markdown.ts';
import { asWords, capital } from '../words/index.ts';

const home = 'https://app.greenhouse.io/people/27';
const person = { id: 27, first_name: 'Gus', last_name: 'Guest', title: 'Deckhand', company: null };
const candidate = {
  ...person,
  phone_numbers: [],
  email_addresses: [{ value: 'gus@ferry.example', type: 'personal' }],
  attachments: [{ filename: 'resume.pdf', url: 'https://storage.example/resume.pdf', type: 'resume' }],
};
const job = {
  id: 4,
  name: 'Helmsman',
  status: 'open',
  departments: [{ name: 'Crew' }],
  offices: [{ name: 'Harbour' }],
};
const application = {
  id: 1,
  status: 'active',
  url: `${home}?application_id=1`,
  source: { id: 16, public_name: 'Referral' },
  credited_to: { id: 15, email: 'mia@ferry.example', name: 'Mia Member' },
  candidate,
  jobs: [job],
  current_stage: { id: 71416, name: 'Interview' },
  rejection_reason: null,
};
const offer = { id: 13, application_id: 1, job_id: 4, version: 1, sent_on: '2026-11-20', offer_status: 'Created' };

/** Events about candidates, with sample payloads. */
const OF_CANDIDATES: Readonly<Record<string, readonly [did: string, payload: object]>> = {
  new_candidate_application: ['has applied', { application }],
  new_prospect_application: [
    'is a new prospect',
    { application: { ...application, prospect: true, current_stage: null } },
  ],
  candidate_stage_change: ['is at another stage', { application }],
  hire_candidate: ['was hired', { application: { ...application, status: 'hired', jobs: undefined, job } }],
  unhire_candidate: ['is no longer hired', { application }],
  reject_candidate: [
    'was rejected',
    { application: { ...application, rejection_reason: { id: 14, name: 'Position filled' } } },
  ],
  unreject_candidate: ['is no longer rejected', { application }],
  application_updated: ['has a changed application', { application }],
  update_candidate: ['has changed', { candidate: { ...candidate, url: home } }],
  delete_candidate: ['was deleted', { person }],
  merge_candidate: ['was merged into another candidate', { person: { ...person, new_candidate_id: 28 } }],
  candidate_anonymized: ['was made anonymous', { candidate_id: 27, anonymized_fields: ['full_name'] }],
  delete_application: ['has one application less', { application: { id: 1, candidate_id: 27, job_id: 4 } }],
  scorecard_deleted: ['has one scorecard less', { scorecard: { id: 60, candidate_id: 27 } }],
};
/** Other events: kind, verb and sample payload. */
const OTHERS: Readonly<Record<string, readonly [kind: string, did: string, payload: object]>> = {
  job_created: ['job', 'was created', { job }],
  job_approved: ['job', 'was approved', { approval_flow: { approval_flow_type: 'open_job' }, job }],
  job_updated: ['job', 'was updated', { job: { ...job, status: 'closed' } }],
  job_deleted: ['job', 'was deleted', { job: { id: 4, name: 'Helmsman' } }],
  job_post_created: ['job_post', 'was created', { id: 18, title: 'Helmsman', location: 'Harbour', job_id: 4 }],
  job_post_updated: ['job_post', 'was updated', { id: 18, title: 'Helmsman', location: 'At sea', job_id: 4 }],
  job_post_deleted: ['job_post', 'was deleted', { job_post: { id: 18, title: 'Helmsman', job_id: 4 } }],
  job_interview_stage_deleted: [
    'job_interview_stage',
    'was deleted',
    { job_interview_stage: { id: 43, name: 'Rowing' } },
  ],
  offer_created: ['offer', 'was created', offer],
  offer_approved: ['offer', 'was approved', offer],
  offer_updated: ['offer', 'was updated', { ...offer, version: 2, offer_status: 'Accepted' }],
  offer_deleted: ['offer', 'was deleted', { offer }],
  interview_deleted: ['interview', 'was deleted', { interview: { id: 31 } }],
  department_deleted: ['department', 'was deleted', { department: { id: 106, name: 'Crew' } }],
  office_deleted: ['office', 'was deleted', { office: { id: 16, name: 'Harbour', location: { name: 'Oslo' } } }],
};

const texts = (list: Field, path: string) =>
  list.list
    .map((one) => one.at(path).text)
    .filter((text) => text !== '')
    .join(', ');

function ofCandidate(at: At, did: string, topic: string): Said {
  const it = at('payload.application');
  const who =
    [it.at('candidate'), at('payload.candidate'), at('payload.person')].find((one) => one.exists) ?? it.at('-');
  const id = firstOf(
    who.at('id'),
    at('payload.candidate_id'),
    it.at('candidate_id'),
    at('payload.scorecard.candidate_id'),
  );
  const name = `${who.at('first_name').text} ${who.at('last_name').text}`.trim() || `Candidate #${id}`;
  const shown = link(bold(name), firstOf(it.at('url'), who.at('url')));
  return {
    topic: `${topic} - ${id}`,
    content: paragraphs(
      md`${shown} ${did}.`,
      facts({
        Role: firstOf(texts(it.at('jobs'), 'name'), it.at('job.name')),
        Stage: it.at('current_stage.name'),
        Reason: it.at('rejection_reason.name'),
        Source: firstOf(it.at('source.public_name'), it.at('source.name')),
        'Brought by': it.at('credited_to.name'),
        Email: texts(who.at('email_addresses'), 'value'),
        Files: filesOf(who),
      }),
    ),
  };
}

function filesOf(who: Field): Markdown {
  const files = who.at('attachments').list.map((file) => link(file.at('filename').text || 'file', file.at('url')));
  return lines(files, ', ');
}

function ofOther(at: At, kind: string, did: string, topic: string): Said {
  const nested = at('payload').at(kind);
  const it = nested.exists ? nested : at('payload');
  const name = firstOf(it.at('name'), it.at('title'), it.at('id').exists ? `#${it.at('id').text}` : '');
  return {
    topic: name === '' ? topic : `${topic} - ${name}`,
    content: paragraphs(
      md`The ${asWords(kind)} ${name === '' ? undefined : md`${bold(name)} `}${did}.`,
      facts({
        Status: firstOf(it.at('offer_status'), it.at('status')),
        Application: it.at('application_id').exists ? `#${it.at('application_id').text}` : '',
        Departments: texts(it.at('departments'), 'name'),
        Offices: texts(it.at('offices'), 'name'),
        Location: it.at('location'),
        Begins: it.at('start_date'),
      }),
    ),
  };
}

export const greenhouse = integration({
  name: 'greenhouse',
  title: 'Greenhouse',
  category: 'Other',
  setUp: 'In Greenhouse open Configure, Dev Center, Web Hooks, and make one with the address as Endpoint URL.',
  options: [OPTIONS.secret],
  signature: { header: 'signature', algorithm: 'sha256', prefix: 'sha256 ' },
  events: [...Object.keys(OF_CANDIDATES), ...Object.keys(OTHERS)],
  read: (at) => {
    const event = at('action').need;
    if (event === 'ping') return { topic: 'Greenhouse', content: md`Greenhouse is connected.` };
    const topic = asWords(event).split(' ').map(capital).join(' ');
    const candidates = lookUp(OF_CANDIDATES, event);
    if (candidates) return { event, ...ofCandidate(at, candidates[0], topic) };
    const other = lookUp(OTHERS, event);
    if (!other) throw new UnsupportedEvent(event);
    return { event, ...ofOther(at, other[0], other[1], topic) };
  },
  samples: [
    ...Object.entries(OF_CANDIDATES).map(([action, [did, payload]]) => ({
      of: `A candidate ${did}`,
      json: { action, payload },
    })),
    ...Object.entries(OTHERS).map(([action, [kind, did, payload]]) => ({
      of: `A ${asWords(kind)} ${did}`,
      json: { action, payload },
    })),
  ],
});
