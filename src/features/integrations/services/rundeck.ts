import { integration } from '../integration.ts';
import { md } from '../markdown.ts';
import { built } from '../words/index.ts';

const execution = (status: string) => ({
  trigger: status,
  status,
  executionId: 3,
  execution: {
    id: 3,
    href: 'https://rundeck.ferry.example/project/ferry/execution/show/3',
    status,
    user: 'mia',
    job: { name: 'Deploy boats', href: 'https://rundeck.ferry.example/project/ferry/job/show/1', project: 'ferry' },
  },
});

export const rundeck = integration({
  name: 'rundeck',
  title: 'Rundeck',
  category: 'Builds and deployments',
  setUp:
    'In the job open Edit, Notifications, and add Send Webhook with the address, the payload format JSON, and the method POST.',
  read: (at) => ({
    topic: at('execution.job.name').need,
    content: built({
      what: `${at('execution.job.name').need} #${at('executionId').text || at('execution.id').text}`,
      url: at('execution.href'),
      state: at('status').text || at('trigger').need,
      rest: md`Started by ${at('execution.user').text || 'somebody'}.`,
    }),
  }),
  samples: ['running', 'succeeded', 'failed'].map((status) => ({ of: `A job: ${status}`, json: execution(status) })),
});
