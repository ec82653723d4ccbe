import { firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS } from '../integration.ts';
import { isBranchWanted, pushed } from '../words/code.ts';

const home = 'https://code.ferry.example/boats';
const COMMIT = {
  raw_id: '1bb2a3c4d5e6f708',
  message: 'Caulk the seams',
  author: 'Mia Member <mia@ferry.example>',
  url: `${home}/changeset/1bb2a3c`,
};

export const rhodecode = integration({
  name: 'rhodecode',
  title: 'RhodeCode',
  category: 'Code',
  setUp:
    'In the repository open Settings, Integrations, Create new integration, Webhook. Paste the address as URL and choose the method POST with JSON.',
  events: ['repo-push'],
  options: [OPTIONS.branches],
  read: (at, { option }) => {
    const event = at('event.name').need;
    if (event !== 'repo-push') throw new UnsupportedEvent(event);
    const branches = at('event.push.branches')
      .list.map((branch) => branch.at('name').text)
      .filter((name) => isBranchWanted(option('branches'), name));
    return branches.map((branch) => {
      const commits = at('event.push.commits')
        .list.filter((commit) => firstOf(commit.at('branch'), branch) === branch)
        .map((commit) => ({
          sha: commit.at('raw_id').text,
          url: commit.at('url').text,
          message: commit.at('message').text,
          author: commit.at('author').text.replace(/ <.*/, ''),
        }));
      return {
        event,
        topic: `${at('event.repo.repo_name').need} / ${branch}`,
        content: pushed({ who: at('event.actor.username').need, branch, url: at('event.repo.url').text, commits }),
      };
    });
  },
  samples: [
    {
      of: 'Commits are pushed',
      json: {
        event: {
          name: 'repo-push',
          actor: { username: 'mia' },
          repo: { repo_name: 'boats', url: home },
          push: { branches: [{ name: 'main' }], commits: [COMMIT] },
        },
      },
    },
    {
      of: 'Two branches are pushed',
      json: {
        event: {
          name: 'repo-push',
          actor: { username: 'mia' },
          repo: { repo_name: 'boats', url: home },
          push: {
            branches: [{ name: 'main' }, { name: 'oars' }],
            commits: [
              { ...COMMIT, branch: 'main' },
              { ...COMMIT, branch: 'oars' },
            ],
          },
        },
      },
    },
  ],
});
