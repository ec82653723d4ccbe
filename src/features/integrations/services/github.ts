import { lookUp } from '#kernel/lists';
import { integration, OPTIONS } from '../integration.ts';
import { UnsupportedEvent } from '../faults.ts';
import { ALERTS, BUILDS, PEOPLE, push, type Reader, REPOSITORIES, THREADS } from '../github/index.ts';
import { sha256 } from '../signature.ts';
import { githubSamples } from './github.samples.ts';

const READERS: Readonly<Record<string, Reader>> = {
  push,
  ...THREADS,
  ...BUILDS,
  ...REPOSITORIES,
  ...PEOPLE,
  ...ALERTS,
};

/** Events that follow a push or a pull request and repeat what its message says. */
const ECHOES = new Set(['check_suite', 'workflow_job', 'label', 'installation', 'installation_repositories', 'meta']);

export const github = integration({
  name: 'github',
  title: 'GitHub',
  category: 'Code',
  setUp:
    'In the repository or organization open Settings, Webhooks, Add webhook. Paste the address as Payload URL and choose the content type application/json.',
  events: [...Object.keys(READERS), 'tag_push'],
  options: [OPTIONS.branches, OPTIONS.noPrivate, OPTIONS.secret],
  signature: sha256('x-hub-signature-256', 'sha256='),
  read: (at, call) => {
    const event = call.header('x-github-event');
    if (call.option('ignore_private_repositories') === 'true' && at('repository.private').isTrue) return undefined;
    if (ECHOES.has(event)) return undefined;
    const reader = lookUp(READERS, event);
    if (!reader) throw new UnsupportedEvent(event);
    const said = reader(at, call);
    return said && { event, ...said };
  },
  samples: githubSamples,
});
