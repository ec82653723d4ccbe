import { integration } from '../integration.ts';
import { sha256 } from '../signature.ts';
import { likeGitea } from '../words/index.ts';

export const gitea = integration({
  name: 'gitea',
  title: 'Gitea',
  category: 'Code',
  setUp:
    'In the repository open Settings, Webhooks, Add Webhook, Gitea. Paste the address as Target URL. Forgejo works the same way.',
  ...likeGitea('x-gitea-event'),
  signature: sha256('x-gitea-signature'),
});
