import { type At, firstOf } from '../field.ts';
import type { Said } from '../integration.ts';
import { lines, link, type Markdown, md } from '../markdown.ts';
import { built, mark, moodOf, noted, person } from '../words/index.ts';
import { about, type Reader, repository, who } from './common.ts';

/** The deployed commit, if the payload has it besides the branch. */
function commitOf(at: At): Markdown | undefined {
  const sha = at('deployment.sha').text;
  if (sha === '' || sha === at('deployment.ref').text) return undefined;
  return md` (${link(sha.slice(0, 7), `${at('repository.html_url').text}/commit/${sha}`)})`;
}

/** Who started a deployment, and its description. */
function deploymentRest(at: At): Markdown {
  const by = firstOf(person(at('deployment.creator')), person(at('deployment_status.creator')), who(at));
  const said = at('deployment_status.description').text.replace(/\.$/, '');
  return lines([by === '' ? undefined : md`Started by ${by}.`, said === '' ? undefined : md`${said}.`], ' ');
}

/** A deployment that waits for approval, or is approved or rejected. */
function review(at: At): Said {
  const [action, run] = [at('action').need, at('workflow_run')];
  const place = firstOf(
    at('environment'),
    at('workflow_job_runs.0.environment'),
    at('workflow_job_run.environment'),
    'an environment',
  );
  const name = link(`${firstOf(run.at('name'), 'Workflow')} #${run.at('run_number').text}`, run.at('html_url'));
  const asked = at('reviewers').list.map((one) => firstOf(one.at('reviewer.login'), one.at('reviewer.name')));
  const by = asked.length > 0 ? md` (to be approved by ${asked.join(', ')})` : undefined;
  const who = firstOf(person(at('approver')), person(at('requestor')), person(at('sender')));
  const sentence =
    action === 'requested'
      ? md`${mark('wait')} ${who} asks to deploy to ${place}: ${name}${by}`
      : md`${mark(moodOf(action))} ${who} ${action} a deployment to ${place}: ${name}`;
  return { topic: `${repository(at)} / Deployment on ${place}`, content: noted(sentence, at('comment')) };
}

/** Readers of events about builds, checks and deployments. */
export const BUILDS: Readonly<Record<string, Reader>> = {
  deployment: (at) => ({
    topic: `${repository(at)} / Deployment on ${at('deployment.environment').need}`,
    content: md`${who(at)} began a deployment of ${at('deployment.ref')}${commitOf(at)} to ${at('deployment.environment')}.`,
  }),
  deployment_status: (at) => ({
    topic: `${repository(at)} / Deployment on ${at('deployment.environment').need}`,
    content: built({
      what: `Deployment of ${at('deployment.ref').text} to ${at('deployment.environment').need}`,
      url: firstOf(at('deployment_status.environment_url'), at('deployment_status.target_url')),
      state: at('deployment_status.state').need,
      rest: deploymentRest(at),
    }),
  }),
  deployment_review: review,
  status: (at) => ({
    topic: `${repository(at)} / ${at('branches.0.name').text || at('sha').need.slice(0, 7)}`,
    content: built({
      what: `${firstOf(at('context'), 'Status')} of ${at('sha').need.slice(0, 7)}`,
      url: firstOf(at('target_url'), at('commit.html_url')),
      state: at('state').need,
      rest: md`${at('description').text}`,
    }),
  }),
  check_run: (at) =>
    at('action').text === 'rerequested'
      ? {
          topic: `${repository(at)} / checks`,
          content: md`${who(at)} asked for the check ${link(at('check_run.name'), at('check_run.html_url'))} of ${at('check_run.head_sha').text.slice(0, 7)} once more.`,
        }
      : at('action').text === 'completed'
        ? {
            topic: `${repository(at)} / checks`,
            content: built({
              what: `Check ${at('check_run.name').need} of ${at('check_run.head_sha').text.slice(0, 7)}`,
              url: at('check_run.html_url'),
              state: firstOf(at('check_run.conclusion'), at('check_run.status'), 'completed'),
            }),
          }
        : undefined,
  workflow_run: (at) =>
    at('action').text === 'completed'
      ? {
          topic: `${repository(at)} / ${at('workflow_run.head_branch').text}`,
          content: built({
            what: `${firstOf(at('workflow_run.name'), at('workflow.name'), 'Workflow')} #${at('workflow_run.run_number').text}`,
            url: at('workflow_run.html_url'),
            state: firstOf(at('workflow_run.conclusion'), at('workflow_run.status'), 'completed'),
            rest: md`Started by ${person(at('workflow_run.actor')) || who(at)}.`,
          }),
        }
      : undefined,
  page_build: about((at) =>
    built({
      what: 'GitHub Pages',
      url: at('repository.html_url'),
      state: at('build.status').need === 'built' ? 'completed' : at('build.status').need,
      rest: md`${at('build.error.message').text}`,
    }),
  ),
};
