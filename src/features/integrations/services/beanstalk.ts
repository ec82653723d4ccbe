import { firstOf } from '../field.ts';
import { integration, OPTIONS } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { isBranchWanted, noted, person, pushed } from '../words/index.ts';

const user = { name: 'Mia Member', email: 'mia@ferry.example' };

export const beanstalk = integration({
  name: 'beanstalk',
  title: 'Beanstalk',
  category: 'Code',
  setUp:
    'In the repository open Settings, Integrations, Webhooks, and paste the address. Where Beanstalk escapes it, use the form https://{bot address}:{key}@{host}/api/v1/external/beanstalk.',
  options: [OPTIONS.branches],
  read: (at, { option }) => {
    if (!at('repository').exists) {
      const revision = at('revision').need;
      return {
        topic: `svn r${revision}`,
        content: noted(
          md`${at('author_full_name')} pushed ${link(`revision ${revision}`, at('changeset_url'))}`,
          at('message'),
        ),
      };
    }
    const branch = at('branch').need;
    if (!isBranchWanted(option('branches'), branch)) return undefined;
    const commits = at('commits').list.map((commit) => ({
      sha: commit.at('id').text,
      url: firstOf(commit.at('changeset_url'), commit.at('url')),
      message: commit.at('message').text,
      author: person(commit.at('author')),
    }));
    return {
      topic: `${at('repository.name').need} / ${branch}`,
      content: pushed({
        who: firstOf(person(at('user')), at('pusher_name'), at('user_name'), 'Somebody'),
        branch,
        url: at('repository.url').text,
        commits,
        count: at('push_is_too_large').isTrue ? at('commits').count + 1 : at('commits').count,
      }),
    };
  },
  samples: [
    {
      of: 'Commits are pushed with Git',
      form: {
        payload: JSON.stringify({
          branch: 'main',
          pusher_name: user.name,
          pusher_email: user.email,
          repository: { name: 'boats', url: 'https://ferry.beanstalkapp.example/boats' },
          commits: [
            {
              id: 'edf529c7a64342bb',
              changeset_url: 'https://ferry.beanstalkapp.example/boats/changesets/edf529c',
              message: 'Caulk the seams',
              author: user,
            },
          ],
        }),
      },
    },
    {
      of: 'A revision is pushed with Subversion',
      form: {
        payload: JSON.stringify({
          revision: 7,
          author_full_name: 'Mia Member',
          message: 'Paint the hull',
          changeset_url: 'https://ferry.beanstalkapp.example/boats/changesets/7',
        }),
      },
    },
    {
      of: 'More is pushed than is told',
      form: {
        payload: JSON.stringify({
          branch: 'oars',
          user,
          push_is_too_large: true,
          repository: { name: 'boats', url: 'https://ferry.beanstalkapp.example/boats' },
          commits: [
            {
              id: 'aa12',
              changeset_url: 'https://ferry.beanstalkapp.example/boats/changesets/aa12',
              message: 'Oars',
              author: user,
            },
          ],
        }),
      },
    },
  ],
});
