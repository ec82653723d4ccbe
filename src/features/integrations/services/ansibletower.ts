import { type Field, firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { block, bullets, facts, md, paragraphs } from '../markdown.ts';
import { built } from '../words/index.ts';

const job = (status: string) => ({
  id: 8,
  name: 'Deploy boats',
  friendly_name: 'Job',
  status,
  url: 'https://tower.ferry.example/#/jobs/playbook/8',
  created_by: 'mia',
  started: '2026-11-20T10:00:00.276217+00:00',
  finished: status === 'running' ? null : '2026-11-20T10:01:00.927509+00:00',
  traceback: '',
  inventory: 'Harbour',
  project: 'Boats',
  playbook: 'deploy.yml',
  credential: null,
  limit: '',
  extra_vars: '{}',
  hosts: {
    'db-1': { failed: status === 'failed', ok: 7, dark: 0 },
    'web-1': { failed: status === 'failed', ok: 0, dark: status === 'failed' ? 1 : 0 },
  },
});

function stateOf(host: Field): string {
  if ((host.at('dark').number ?? 0) > 0) return 'unreachable';
  return host.at('failed').isTrue ? 'failed' : 'ok';
}

export const ansibletower = integration({
  name: 'ansibletower',
  title: 'Ansible Tower',
  category: 'Builds and deployments',
  setUp:
    'In Ansible Tower or AWX open Notifications, add one of the type Webhook with the address as Target URL, and turn it on for the templates.',
  read: (at) => {
    const kind = firstOf(at('friendly_name'), 'Job');
    // A job started by a schedule has the Python value `None` here.
    const by = at('created_by').text.replace(/^None$/, '');
    return {
      topic: at('name').need,
      content: paragraphs(
        built({
          what: `${kind} #${at('id').need} ${at('name').need}`,
          url: at('url'),
          state: at('status').need,
          rest: by === '' ? undefined : md`Started by ${by}.`,
        }),
        facts({ Inventory: at('inventory'), Playbook: at('playbook'), Limit: at('limit') }),
        bullets(at('hosts').members.map(([name, host]) => md`${name}: ${stateOf(host)}`)),
        block(at('traceback')),
      ),
    };
  },
  samples: [
    ...['running', 'successful', 'failed'].map((status) => ({ of: `A job: ${status}`, json: job(status) })),
    {
      of: 'A project is brought up to date',
      json: {
        id: 9,
        name: 'Boats',
        friendly_name: 'Project Update',
        status: 'failed',
        url: 'https://tower.ferry.example/#/jobs/project/9',
        created_by: 'mia',
        started: '2026-11-20T10:00:00.276217+00:00',
        finished: '2026-11-20T10:00:04.193385+00:00',
        traceback: '',
      },
    },
  ],
});
