import { integration } from '../integration.ts';
import { sha256 } from '../signature.ts';
import { likeGitea } from '../words/index.ts';

export const gogs = integration({
  name: 'gogs',
  title: 'Gogs',
  category: 'Code',
  setUp:
    'In the repository open Settings, Webhooks, Add a new webhook, Gogs. Paste the address as Payload URL and choose the content type application/json.',
  ...likeGitea('x-gogs-event', { isGogs: true }),
  signature: sha256('x-gogs-signature'),
});
