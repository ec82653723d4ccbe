import { firstOf, oneOf } from '../field.ts';
import { integration, OPTIONS } from '../integration.ts';
import { code, link, md } from '../markdown.ts';
import { sha256 } from '../signature.ts';
import { built, capital } from '../words/index.ts';

const call = {
  version: '1.0.0',
  organization: { name: 'ferry' },
  project: { name: 'boats' },
  repository: { url: 'https://github.com/ferry/boats', slug: 'ferry/boats' },
  revision: {
    commit_sha: '2d9f5fcec1',
    commit_message: 'Caulk the seams',
    reference_type: 'branch',
    branch: { name: 'main' },
    sender: { login: 'mia' },
  },
  pipeline: { id: 'p1', name: 'Tests', state: 'done', result: 'passed' },
  workflow: { id: 'w1' },
};

export const semaphore = integration({
  name: 'semaphore',
  title: 'Semaphore',
  category: 'Builds and deployments',
  setUp: 'In Semaphore open Notifications, Create New Notification, and paste the address as Webhook endpoint.',
  options: [OPTIONS.secret],
  signature: sha256('x-semaphore-signature-256', 'sha256='),
  read: (at) => {
    // Payloads of Semaphore Classic have no nested objects.
    if (at('event').exists)
      return {
        topic: `${at('project_name').need} / ${at('branch_name').need}`,
        content: built({
          what: `${capital(at('event').need)} ${firstOf(at('build_number'), at('number'))}`,
          url: firstOf(at('build_url'), at('html_url')),
          state: at('result').need,
          rest: md`${link(at('commit.id').text.slice(0, 7) || 'Commit', at('commit.url'))} by ${at('commit.author_name').text}: ${at('commit.message').text}`,
        }),
      };
    const place = firstOf(
      at('revision.branch.name'),
      at('revision.tag.name'),
      at('revision.pull_request.name'),
      'unknown',
    );
    const url = `https://${at('organization.name').need}.semaphoreci.com/workflows/${at('workflow.id').text}?pipeline_id=${at('pipeline.id').text}`;
    return {
      topic: `${at('project.name').need} / ${place}`,
      content: built({
        what: `${at('pipeline.name').need} pipeline`,
        url,
        state: oneOf(at('pipeline.result'), at('pipeline.state')),
        rest: md`Commit ${code(at('revision.commit_sha').text.slice(0, 7))} by ${at('revision.sender.login').text}: ${at('revision.commit_message').text}`,
      }),
    };
  },
  samples: [
    { of: 'A pipeline passes', json: call },
    { of: 'A pipeline fails', json: { ...call, pipeline: { ...call.pipeline, result: 'failed' } } },
    {
      of: 'A build of Semaphore Classic',
      json: {
        event: 'build',
        project_name: 'boats',
        branch_name: 'main',
        build_url: 'https://semaphoreci.com/ferry/boats/builds/4',
        build_number: 4,
        result: 'failed',
        commit: {
          id: '2d9f5fcec1',
          url: 'https://github.com/ferry/boats/commit/2d9f5f',
          author_name: 'Mia Member',
          message: 'Caulk the seams',
        },
      },
    },
  ],
});
