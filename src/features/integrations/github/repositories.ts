import { type At, firstOf } from '../field.ts';
import type { Said } from '../integration.ts';
import { bullets, facts, link, type Markdown, md, paragraphs } from '../markdown.ts';
import { asWords, branchOf, capital, noted } from '../words/index.ts';
import { about, isOfQueue, ofRepository, type Reader, repository, who } from './common.ts';

/** Actions that accompany the publication of a release and need no message. */
const FOLLOWS = new Set(['released', 'prereleased']);

/** Address of a branch or a tag; empty for a new repository, which has neither. */
function refAt(at: At): string {
  const ref = at('ref').text;
  const path = at('ref_type').text === 'tag' ? 'releases/tag' : 'tree';
  return ref === '' ? '' : `${at('repository.html_url').text}/${path}/${ref}`;
}

/** Describes an event about a branch or a tag, except those of a merge queue. */
const ofRef = (at: At, content: Markdown): Said | undefined =>
  isOfQueue(at('ref').text) ? undefined : { topic: repository(at), content };

/** What happened to a repository as a whole. */
function repositoryDone(at: At): Markdown {
  const action = at('action').need;
  const owner = at('changes.owner.from');
  const [name, former] = [
    at('changes.repository.name.from').text,
    firstOf(owner.at('user.login'), owner.at('organization.login')),
  ];
  if (action === 'privatized' || action === 'publicized')
    return md`${who(at)} made the repository ${ofRepository(at)} ${action === 'privatized' ? 'private' : 'public'}.`;
  if (action === 'renamed' && name !== '') return md`${who(at)} renamed the repository ${name} to ${ofRepository(at)}.`;
  const from = action === 'transferred' && former !== '' ? md` from ${former}` : undefined;
  return md`${who(at)} ${asWords(action)} the repository ${ofRepository(at)}${from}.`;
}

/** What was changed of a repository, with the new values. */
function repositoryChanges(at: At): Markdown {
  const changed = ['description', 'homepage', 'default_branch'].flatMap((name) => {
    const from = at(`changes.${name}.from`);
    const now = firstOf(at(`repository.${name}`), 'none');
    return at(`changes.${name}`).exists ? [[capital(asWords(name)), `${from.text || 'none'} → ${now}`] as const] : [];
  });
  return facts(Object.fromEntries(changed));
}

/** Which of GitHub's security features were turned on or off. */
function securityChanges(at: At): Markdown {
  const was = at('changes.from.security_and_analysis');
  const changed = at('repository.security_and_analysis').members.flatMap(([name, one]) => {
    const [before, now] = [was.at(name).at('status').text || 'disabled', one.at('status').text];
    return before === now ? [] : [[capital(asWords(name)), `${before} → ${now}`] as const];
  });
  return facts(Object.fromEntries(changed));
}

/** Readers of events about repositories. */
export const REPOSITORIES: Readonly<Record<string, Reader>> = {
  commit_comment: (at) => ({
    topic: repository(at),
    content: noted(
      md`${who(at)} ${link('commented', at('comment.html_url'))} on ${link(at('comment.commit_id').need.slice(0, 7), `${at('repository.html_url').text}/commit/${at('comment.commit_id').text}`)}`,
      at('comment.body'),
    ),
  }),
  create: (at) => ofRef(at, md`${who(at)} created the ${at('ref_type')} ${link(at('ref').text, refAt(at))}.`),
  delete: (at) => ofRef(at, md`${who(at)} deleted the ${at('ref_type')} ${at('ref').text}.`),
  fork: about(
    (at) => md`${who(at)} forked ${ofRepository(at)} to ${link(at('forkee.full_name'), at('forkee.html_url'))}.`,
  ),
  watch: about((at) => md`${who(at)} starred ${ofRepository(at)}.`),
  star: about((at) => md`${who(at)} ${at('action').text === 'deleted' ? 'unstarred' : 'starred'} ${ofRepository(at)}.`),
  public: about((at) => md`${who(at)} made ${ofRepository(at)} public.`),
  repository: about((at) => paragraphs(repositoryDone(at), repositoryChanges(at))),
  repository_import: about((at) => md`The import of ${ofRepository(at)} by ${who(at)}: ${at('status')}.`),
  repository_ruleset: about(
    (at) =>
      md`${who(at)} ${at('action')} the rules ${link(at('repository_ruleset.name'), at('repository_ruleset._links.html.href'))} of ${ofRepository(at)}.`,
  ),
  branch_protection_configuration: about(
    (at) =>
      md`${who(at)} turned the protection of branches ${at('action').text === 'enabled' ? 'on' : 'off'} in ${ofRepository(at)}.`,
  ),
  security_and_analysis: about((at) =>
    paragraphs(md`${who(at)} changed what watches over ${ofRepository(at)}:`, securityChanges(at)),
  ),
  gollum: (at) => ({
    topic: `${repository(at)} / wiki pages`,
    content: paragraphs(
      md`${who(at)} changed the wiki:`,
      bullets(
        at('pages').list.map((page) => md`${page.at('action')} ${link(page.at('title'), page.at('html_url'))}`),
        at('pages').count,
      ),
    ),
  }),
  milestone: about(
    (at) => md`${who(at)} ${at('action')} the milestone ${link(at('milestone.title'), at('milestone.html_url'))}.`,
  ),
  release: (at) =>
    FOLLOWS.has(at('action').need)
      ? undefined
      : {
          topic: `${repository(at)} / ${at('release.tag_name').need} ${at('release.name').text}`,
          content: noted(
            md`${who(at)} ${asWords(at('action').need)} the release ${link(firstOf(at('release.name'), at('release.tag_name')), at('release.html_url'))}`,
            at('release.body'),
          ),
        },
  package: about(
    (at) =>
      md`${who(at)} ${at('action')} the package ${link(md`${at('package.name')} ${at('package.package_version.version').text}`, at('package.html_url'))}.`,
  ),
  registry_package: about(
    (at) =>
      md`${who(at)} ${at('action')} the package ${link(md`${at('registry_package.name')} ${at('registry_package.package_version.version').text}`, at('registry_package.html_url'))}.`,
  ),
  deploy_key: about(
    (at) =>
      md`${who(at)} ${at('action')} the deploy key ${at('key.title')} of ${ofRepository(at)}${at('key.read_only').isTrue ? md` (read only)` : undefined}.`,
  ),
  workflow_dispatch: about(
    (at) => md`${who(at)} started the workflow ${at('workflow').need.split('/').at(-1)} on ${branchOf(at('ref'))}.`,
  ),
  merge_group: (at) => ({
    topic: `${repository(at)} / ${branchOf(at('merge_group.base_ref'))}`,
    content:
      at('action').text === 'destroyed'
        ? md`A group to merge into ${branchOf(at('merge_group.base_ref'))} ended: ${asWords(at('reason').text)}.`
        : md`Checks of a group to merge into ${branchOf(at('merge_group.base_ref'))} were asked for.`,
  }),
  branch_protection_rule: about(
    (at) => md`${who(at)} ${at('action')} the protection of ${at('rule.name')} in ${ofRepository(at)}.`,
  ),
  ping: (at) => ({
    topic: repository(at) || 'GitHub',
    content: md`GitHub ${at('hook.events').exists ? 'is set up' : 'says hello'}${at('sender').exists ? md` by ${who(at)}` : md``}. ${at('zen').text}`,
  }),
};
