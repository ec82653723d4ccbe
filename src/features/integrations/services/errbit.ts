import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { facts, link, md, paragraphs } from '../markdown.ts';
import { mark } from '../words/index.ts';

const error = {
  id: 1,
  message: 'no boat named raft',
  error_class: 'NameError',
  where: 'harbour#moor',
  app_name: 'Boats',
  environment: 'production',
  notices_count: 3,
  url: 'https://errbit.ferry.example/apps/1/problems/1',
};

export const errbit = integration({
  name: 'errbit',
  title: 'Errbit',
  category: 'Monitoring',
  setUp: 'In the app open Edit, choose the notification service WebHook, and paste the address.',
  read: (at) => ({
    topic: `${at('problem.app_name').need} / ${at('problem.environment').need}`,
    content: paragraphs(
      md`${mark('bad')} ${link(firstOf(at('problem.error_class'), 'Error'), at('problem.url'))}: ${at('problem.message').text}`,
      facts({ Where: at('problem.where'), Times: at('problem.notices_count') }),
    ),
  }),
  samples: [
    { of: 'An error happens', json: { problem: error } },
    {
      of: 'An error happens for the first time',
      json: { problem: { ...error, notices_count: 1, environment: 'staging' } },
    },
    {
      of: 'An error without a class',
      json: { problem: { ...error, error_class: null, message: 'timeout', where: null } },
    },
  ],
});
