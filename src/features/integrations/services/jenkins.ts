import { type At, firstOf, oneOf } from '../field.ts';
import { integration } from '../integration.ts';
import { code, lines, md } from '../markdown.ts';
import { built, links } from '../words/index.ts';

const build = (phase: string, status?: string) => ({
  name: 'boats',
  display_name: 'boats',
  url: 'job/boats/',
  build: {
    full_url: 'https://jenkins.ferry.example/job/boats/18/',
    number: 18,
    phase,
    status,
    scm: { branch: 'origin/main', commit: 'c6d86dc6540f' },
  },
});

const commit = (at: At) =>
  at('build.scm.commit').text === ''
    ? undefined
    : md`Commit ${code(at('build.scm.commit').text.slice(0, 7))} on ${at('build.scm.branch').text.replace(/^origin\//, '') || 'no branch'}.`;

/** Numbers of tests and of failed tests. */
const tests = (at: At) =>
  at('build.test_summary.total').exists
    ? md`${at('build.test_summary.total').text} tests, ${at('build.test_summary.failed').text || '0'} failed.`
    : undefined;

/** Links to the artifacts. */
const artifacts = (at: At) =>
  links(
    Object.fromEntries(
      at('build.artifacts')
        .members.slice(0, 5)
        .map(([name, one]) => [name, firstOf(one.at('archive'), one.at('s3'))]),
    ),
  );

export const jenkins = integration({
  name: 'jenkins',
  title: 'Jenkins',
  category: 'Builds and deployments',
  setUp:
    'Install the Notification plugin. In the job open Job Notifications, add an endpoint in the format JSON with the protocol HTTP, and paste the address as URL.',
  events: ['STARTED', 'COMPLETED', 'FINALIZED', 'QUEUED'],
  read: (at) => {
    const event = at('build.phase').need.toUpperCase();
    return {
      event,
      topic: oneOf(at('display_name'), at('name')),
      content: built({
        // FINALIZED means that all steps after the build are done, too.
        what: `${event === 'FINALIZED' ? 'All after build' : 'Build'} #${at('build.number').need} of ${at('name').need}`,
        url: at('build.full_url'),
        state: at('build.status').text || event,
        rest: lines([commit(at), tests(at), artifacts(at)], ' '),
      }),
    };
  },
  samples: [
    { of: 'A build waits', json: build('QUEUED') },
    { of: 'A build begins', json: build('STARTED') },
    { of: 'A build fails', json: build('COMPLETED', 'FAILURE') },
    {
      of: 'A build succeeds with tests and artifacts',
      json: {
        ...build('COMPLETED', 'SUCCESS'),
        build: {
          ...build('COMPLETED', 'SUCCESS').build,
          test_summary: { total: 12, failed: 0, passed: 11, skipped: 1, failed_tests: [] },
          artifacts: { 'boats.jar': { archive: 'https://jenkins.ferry.example/job/boats/18/artifact/boats.jar' } },
        },
      },
    },
    { of: 'A build is over', json: build('FINALIZED', 'SUCCESS') },
  ],
});
