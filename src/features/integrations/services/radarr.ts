import { integration } from '../integration.ts';
import { likeSonarr } from '../words/index.ts';

export const radarr = integration({
  name: 'radarr',
  title: 'Radarr',
  category: 'Other',
  setUp: 'In Radarr open Settings, Connect, add a Webhook, and paste the address.',
  ...likeSonarr('movie', {
    movie: { id: 1, title: 'The Ferry', year: 1999 },
    remoteMovie: { title: 'The Ferry', year: 1999 },
    release: { quality: 'HD' },
  }),
});
