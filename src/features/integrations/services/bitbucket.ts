import { type At, type Field, firstOf } from '../field.ts';
import { integration, OPTIONS } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { isBranchWanted, pushed, withoutAddress } from '../words/index.ts';

const repository = {
  name: 'boats',
  slug: 'boats',
  absolute_url: '/ferry/boats/',
  owner: 'ferry',
  fork: false,
  is_private: true,
  scm: 'git',
  website: '',
};
const commit = {
  author: 'mia',
  branch: 'main',
  files: [{ file: 'hull.txt', type: 'modified' }],
  message: 'Caulk the seams\n',
  node: '25f93d22b719',
  parents: ['702c70160afc'],
  raw_author: 'Mia Member <mia@ferry.example>',
  raw_node: '25f93d22b719e2d678a7ad5ee0ef0d1fcdf39c12',
  revision: null,
  size: -1,
  timestamp: '2026-11-20 10:00:56',
  utctimestamp: '2026-11-20 09:00:56+00:00',
};
const pushOf = (commits: readonly object[], more: object = {}) => ({
  canon_url: 'https://bitbucket.example',
  commits,
  repository,
  truncated: false,
  user: 'mia',
  ...more,
});

/** The author of a commit: an account's name, or the name before the address in the commit. */
function authorOf(commit: Field): string {
  return firstOf(commit.at('author'), withoutAddress(commit.at('raw_author').text));
}

/** The repository's address with a trailing slash; its parts may or may not have slashes at their ends. */
function homeOf(at: At): string {
  const [server, path] = [at('canon_url').text, at('repository.absolute_url').text];
  return `${server.replace(/\/$/, '')}/${path.replace(/^\//, '').replace(/\/$/, '')}/`;
}

export const bitbucket = integration({
  name: 'bitbucket',
  title: 'Bitbucket (POST service)',
  category: 'Code',
  setUp:
    'In the hooks of a repository on an old Bitbucket server add a POST service with the address. Newer ones have an integration of their own.',
  read: (at, { option }) => {
    const all = at('commits').list;
    const branches = new Set(all.map((commit) => commit.at('branch').text).filter((name) => name !== ''));
    if (branches.size > 0 && ![...branches].some((name) => isBranchWanted(option('branches'), name))) return undefined;
    const name = at('repository.name').need;
    const home = homeOf(at);
    // If the payload does not say who pushed, the commits' authors are named.
    const who = firstOf(at('user'), ...all.map(authorOf), at('repository.owner'), 'Somebody');
    if (all.length === 0) return { topic: name, content: md`${who} ${link('pushed', home)} without commits.` };
    const commits = all.map((commit) => {
      const sha = firstOf(commit.at('raw_node'), commit.at('node'));
      return {
        sha,
        url: sha === '' ? '' : `${home}commits/${sha}`,
        message: commit.at('message').text,
        author: authorOf(commit),
      };
    });
    const [branch = 'several branches'] = branches;
    return {
      topic: branches.size === 0 ? name : `${name} / ${branch}`,
      content: pushed({
        who,
        branch: branches.size === 0 ? branch : [...branches].join(', '),
        url: home,
        commits,
        count: at('commits').count,
      }),
    };
  },
  options: [OPTIONS.branches],
  samples: [
    { of: 'Commits are pushed', form: { payload: JSON.stringify(pushOf([commit])) } },
    { of: 'A push without commits', form: { payload: JSON.stringify(pushOf([])) } },
    {
      of: 'Commits by two people',
      form: {
        payload: JSON.stringify(
          pushOf([
            { ...commit, branch: null, author: 'max', raw_author: 'Max Member <max@ferry.example>', message: 'Tar\n' },
            { ...commit, message: 'Caulk the seams\n\nAll of them.\n' },
          ]),
        ),
      },
    },
    {
      of: 'A push of which only the author of the commit is told',
      json: pushOf([{ ...commit, author: undefined }], {
        canon_url: 'https://bitbucket.example/',
        repository: { ...repository, absolute_url: 'ferry/boats' },
        user: undefined,
        user_uuid: '{387a}',
      }),
    },
  ],
});
