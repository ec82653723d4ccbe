import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { facts, link, md, paragraphs, time } from '../markdown.ts';
import { mark } from '../words/index.ts';

const error = {
  id: 1,
  error_message: 'no boat named raft',
  error_class: 'NameError',
  file: 'harbour.rb',
  line_number: 41,
  environment: 'production',
  project: { name: 'Boats' },
  last_notice: { request_url: 'https://boats.ferry.example/raft', backtrace: ['harbour.rb:41'] },
  times_occurred: 3,
  first_occurred_at: '2026-11-20T10:00:00Z',
  last_occurred_at: '2026-11-20T11:00:00Z',
};

export const airbrake = integration({
  name: 'airbrake',
  title: 'Airbrake',
  category: 'Monitoring',
  setUp: 'In the project open Settings, Integrations, Webhooks, and paste the address.',
  read: (at) => {
    const it = at('error');
    return {
      topic: it.at('project.name').need,
      content: paragraphs(
        md`${mark('bad')} ${link(firstOf(it.at('error_class'), 'Error'), at('airbrake_error_url'))}: ${it.at('error_message').text}`,
        facts({
          Where: it.at('file').text === '' ? '' : `${it.at('file').text}:${it.at('line_number').text}`,
          Environment: it.at('environment'),
          Times: it.at('times_occurred'),
          Last: it.at('last_occurred_at').exists ? time(it.at('last_occurred_at')) : '',
          Address: it.at('last_notice.request_url'),
        }),
      ),
    };
  },
  samples: [
    { of: 'An error happens', json: { error, airbrake_error_url: 'https://airbrake.example/projects/1/groups/1' } },
    {
      of: 'An error outside of any request',
      json: {
        error: {
          ...error,
          error_class: 'ZeroDivisionError',
          error_message: 'division by zero',
          file: 'tide.py',
          line_number: 2,
          environment: 'dev',
          last_notice: { request_url: null, backtrace: ['tide.py:2:in <module>'] },
          times_occurred: 1,
        },
        airbrake_error_url: 'https://airbrake.example/projects/1/groups/2',
      },
    },
    {
      of: 'An error without a place',
      json: {
        error: { id: 3, error_message: 'out of memory', project: { id: 1, name: 'Boats' } },
        airbrake_error_url: 'https://airbrake.example/projects/1/groups/3',
      },
    },
  ],
});
