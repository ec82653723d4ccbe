import { firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS } from '../integration.ts';
import { isBranchWanted, type Push, pushed } from '../words/index.ts';

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
    const gone = at('event.push.commits')
      .list.filter((commit) => commit.at('git_ref_change').text === 'branch_delete')
      .map((commit) => commit.at('raw_id').need.replace('delete_branch=>', ''))
      .filter((name) => isBranchWanted(option('branches'), name));
    const told = (branch: string, push: Pick<Push, 'commits' | 'change'>) => ({
      event,
      topic: `${at('event.repo.repo_name').need} / ${branch}`,
      content: pushed({ who: at('event.actor.username').need, branch, url: at('event.repo.url').text, ...push }),
    });
    const branches = at('event.push.branches')
      .list.map((branch) => branch.at('name').text)
      .filter((name) => isBranchWanted(option('branches'), name));
    const changed = branches.map((branch) => {
      const commits = at('event.push.commits')
        .list.filter((commit) => firstOf(commit.at('branch'), branch) === branch)
        .map((commit) => ({
          sha: commit.at('raw_id').text,
          url: commit.at('url').text,
          message: commit.at('message').text,
          author: commit.at('author').text.replace(/ <.*/, ''),
        }));
      return told(branch, { commits });
    });
    return [...changed, ...gone.map((branch) => told(branch, { commits: [], change: 'deleted' }))];
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
    {
      of: 'A branch is deleted',
      json: {
        token: '',
        event: {
          name: 'repo-push',
          actor: { username: 'mia', user_id: 3 },
          repo: { repo_name: 'boats', url: home, repo_type: 'git', repo_id: 4 },
          push: {
            issues: {},
            branches: [],
            tags: [],
            commits: [
              {
                raw_id: 'delete_branch=>oars',
                short_id: 'delete_branch=>oars',
                message: 'Deleted branch oars',
                author: 'Mia Member <mia@ferry.example>',
                branch: null,
                git_ref_change: 'branch_delete',
              },
            ],
          },
        },
      },
    },
  ],
});
