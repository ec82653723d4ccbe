import type { At } from '../field.ts';
import { firstOf } from '../field.ts';
import type { Call, Said } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { branchOf, isBranchWanted, person, pushed } from '../words/index.ts';
import { isOfQueue, repository, who } from './common.ts';

/** Describes pushed commits, or a pushed tag. */
export function push(at: At, call: Call): Said | undefined {
  const branch = branchOf(at('ref'));
  const created = at('created').isTrue;
  const deleted = at('deleted').isTrue;
  if (at('ref').text.startsWith('refs/tags/'))
    return {
      event: 'tag_push',
      topic: repository(at),
      content: md`${who(at) || person(at('pusher'))} ${deleted ? 'removed' : 'pushed'} the tag ${link(branch, `${at('repository.html_url').text}/releases/tag/${encodeURIComponent(branch)}`)}.`,
    };
  if (isOfQueue(branch)) return undefined;
  if (!isBranchWanted(call.option('branches'), branch)) return undefined;
  const commits = at('commits').list.map((commit) => ({
    sha: commit.at('id').text,
    url: commit.at('url').text,
    message: commit.at('message').text,
    author: firstOf(commit.at('author.username'), commit.at('author.name')),
  }));
  const change = deleted ? 'deleted' : at('forced').isTrue ? 'forced' : created ? 'created' : undefined;
  return {
    topic: `${repository(at)} / ${branch}`,
    content: pushed({
      who: firstOf(person(at('sender')), person(at('pusher'))),
      branch,
      url: at('compare').text,
      commits,
      count: at('commits').count,
      change,
    }),
  };
}
