import { type At, type Field } from '../field.ts';
import type { Call, Said } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { branchOf, isBranchWanted, pushed } from '../words/index.ts';
import { project, who } from './common.ts';

const NO_COMMIT = /^0+$/;

export function push(at: At, call: Call): Said | undefined {
  const branch = branchOf(at('ref'));
  if (!isBranchWanted(call.option('branches'), branch)) return undefined;
  const [before, after, home] = [at('before').text, at('after').text, at('project.web_url').text];
  const change = NO_COMMIT.test(after) ? 'deleted' : NO_COMMIT.test(before) ? 'created' : undefined;
  const url = change === 'created' ? `${home}/-/tree/${branch}` : `${home}/-/compare/${before}...${after}`;
  return {
    topic: `${project(at)} / ${branch}`,
    content: pushed({
      who: who(at),
      branch,
      url,
      commits: at('commits').list.map(toCommit),
      count: Math.max(at('total_commits_count').number ?? 0, at('commits').count),
      change,
    }),
  };
}

function toCommit(commit: Field) {
  return {
    sha: commit.at('id').text,
    url: commit.at('url').text,
    message: commit.at('message').text,
    author: commit.at('author.name').text,
  };
}

export function tag(at: At): Said {
  const name = branchOf(at('ref'));
  // A deleted tag has no commit.
  const isGone = NO_COMMIT.test(at('after').text) || at('checkout_sha').value === null;
  const url = isGone ? '' : `${at('project.web_url').text}/-/tags/${encodeURIComponent(name)}`;
  return {
    topic: project(at),
    content: md`${who(at)} ${isGone ? 'removed' : 'pushed'} the tag ${link(name, url)}.`,
  };
}
