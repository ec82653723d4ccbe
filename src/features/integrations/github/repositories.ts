import { type At, firstOf } from '../field.ts';
import type { Said } from '../integration.ts';
import { bullets, facts, link, type Markdown, md, paragraphs } from '../markdown.ts';
import { asWords, branchOf, noted, person } from '../words/index.ts';
import { about, isOfQueue, ofRepository, organization, type Reader, repository, who } from './common.ts';

/** What is done with tiers of sponsors. */
const SPONSORED: Readonly<Record<string, string>> = {
  pending_tier_change: 'will change',
  pending_cancellation: 'will end',
  tier_changed: 'changed',
  cancelled: 'ended',
  created: 'began',
};

/** Where a branch or a tag is shown; a repository that is new has neither yet. */
function refAt(at: At): string {
  const ref = at('ref').text;
  const path = at('ref_type').text === 'tag' ? 'releases/tag' : 'tree';
  return ref === '' ? '' : `${at('repository.html_url').text}/${path}/${ref}`;
}

/** What is said of a branch or a tag, unless it is one of a merge queue. */
const ofRef = (at: At, content: Markdown): Said | undefined =>
  isOfQueue(at('ref').text) ? undefined : { topic: repository(at), content };

/** What was edited of a team. */
function teamChanges(at: At): Markdown {
  const from = (name: string) => at(`changes.${name}.from`);
  const changed = (name: string) => {
    const now = at(`team.${name}`).text || 'none';
    return from(name).exists ? `${from(name).text || 'none'} → ${now}` : '';
  };
  return facts({ Name: changed('name'), Description: changed('description'), Privacy: changed('privacy') });
}

/** What is said of repositories, teams, and what belongs to them. */
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
  repository: about((at) => md`${who(at)} ${at('action')} the repository ${ofRepository(at)}.`),
  member: about(
    (at) =>
      md`${who(at)} ${at('action')} ${link(at('member.login'), at('member.html_url'))} as a collaborator of ${ofRepository(at)}.`,
  ),
  membership: (at) => ({
    topic: organization(at),
    content: md`${who(at)} ${at('action')} ${link(at('member.login'), at('member.html_url'))} ${at('action').text === 'removed' ? 'from' : 'to'} the team ${link(at('team.name'), at('team.html_url'))}.`,
  }),
  team: (at) => ({
    topic: `team ${at('team.name').need}`,
    content: paragraphs(
      md`${who(at)} ${asWords(at('action').need)} the team ${link(at('team.name'), at('team.html_url'))}.`,
      teamChanges(at),
    ),
  }),
  team_add: about((at) => md`${who(at)} added ${ofRepository(at)} to the team ${at('team.name')}.`),
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
  release: (at) => ({
    topic: `${repository(at)} / ${at('release.tag_name').need} ${at('release.name').text}`,
    content: noted(
      md`${who(at)} ${asWords(at('action').need)} the release ${link(firstOf(at('release.name'), at('release.tag_name')), at('release.html_url'))}`,
      at('release.body'),
    ),
  }),
  package: about(
    (at) =>
      md`${who(at)} ${at('action')} the package ${link(md`${at('package.name')} ${at('package.package_version.version').text}`, at('package.html_url'))}.`,
  ),
  registry_package: about(
    (at) =>
      md`${who(at)} ${at('action')} the package ${link(md`${at('registry_package.name')} ${at('registry_package.package_version.version').text}`, at('registry_package.html_url'))}.`,
  ),
  organization: (at) => {
    const [action, member] = [
      at('action').need,
      firstOf(at('membership.user.login'), at('user.login'), at('invitation.login')),
    ];
    const content =
      member === ''
        ? md`${who(at)} ${asWords(action)} the organization ${at('organization.login')}.`
        : md`${who(at)} ${action.replace('member_', '')} ${member} ${action === 'member_removed' ? 'from' : 'to'} ${at('organization.login')}.`;
    return { topic: organization(at), content };
  },
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
  sponsorship: (at) => ({
    topic: 'sponsors',
    content: md`${person(at('sponsorship.sponsor'))} ${SPONSORED[at('action').need] ?? asWords(at('action').need)} a sponsorship: ${firstOf(at('sponsorship.tier.name'), at('effective_date'), 'no tier')}.`,
  }),
  ping: (at) => ({
    topic: repository(at) || 'GitHub',
    content: md`GitHub ${at('hook.events').exists ? 'is set up' : 'says hello'}${at('sender').exists ? md` by ${who(at)}` : md``}. ${at('zen').text}`,
  }),
};
