import { firstOf } from '../field.ts';
import { integration, OPTIONS } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { isBranchWanted, pushed } from '../words/index.ts';

const payload = JSON.stringify({
  canon_url: 'https://bitbucket.example',
  user: 'mia',
  repository: { name: 'boats', absolute_url: '/ferry/boats/' },
  commits: [
    {
      branch: 'main',
      raw_node: '25f93d22b719e2d678a7ad5ee0ef0d1fcdf39c12',
      node: '25f93d2',
      author: 'mia',
      message: 'Caulk the seams',
    },
  ],
});

export const bitbucket = integration({
  name: 'bitbucket',
  title: 'Bitbucket (POST service)',
  category: 'Code',
  setUp:
    'In the hooks of a repository on an old Bitbucket server add a POST service with the address. Newer ones have an integration of their own.',
  read: (at, { option }) => {
    const branch = firstOf(...at('commits').list.map((commit) => commit.at('branch')), 'several branches');
    if (!isBranchWanted(option('branches'), branch)) return undefined;
    const home = `${at('canon_url').text}${at('repository.absolute_url').text}`;
    if (at('commits').count === 0)
      return { topic: at('repository.name').need, content: md`${at('user')} ${link('pushed', home)} without commits.` };
    const commits = at('commits').list.map((commit) => ({
      sha: firstOf(commit.at('raw_node'), commit.at('node')),
      url: `${home}commits/${commit.at('raw_node').text}`,
      message: commit.at('message').text,
      author: commit.at('author').text,
    }));
    return {
      topic: `${at('repository.name').need} / ${branch}`,
      content: pushed({ who: at('user').need, branch, url: home, commits, count: at('commits').count }),
    };
  },
  options: [OPTIONS.branches],
  samples: [
    { of: 'Commits are pushed', form: { payload } },
    {
      of: 'A push without commits',
      json: {
        canon_url: 'https://bitbucket.example',
        user: 'mia',
        repository: { name: 'boats', absolute_url: '/ferry/boats/' },
        commits: [],
      },
    },
    {
      of: 'Commits by two people',
      json: {
        canon_url: 'https://bitbucket.example',
        user: 'mia',
        repository: { name: 'boats', absolute_url: '/ferry/boats/' },
        commits: [
          { branch: null, raw_node: '620ade18607ac42d', author: 'max', message: 'Tar' },
          { branch: 'main', raw_node: '25f93d22b719e2d6', author: 'mia', message: 'Caulk the seams\n\nAll of them.' },
        ],
      },
    },
  ],
});
