import { lookUp } from '#kernel/lists';
import { type At, firstOf } from '../field.ts';
import type { Said } from '../integration.ts';
import { facts, link, type Markdown, md, paragraphs } from '../markdown.ts';
import { asWords, person } from '../words/index.ts';
import { about, ofRepository, organization, type Reader, who } from './common.ts';

/** What happened to a sponsorship, by action. */
const SPONSORED: Readonly<Record<string, string>> = {
  pending_tier_change: 'will change',
  pending_cancellation: 'will end',
  tier_changed: 'changed',
  cancelled: 'ended',
  created: 'began',
};

/** What was changed of a team. */
function teamChanges(at: At): Markdown {
  const from = (name: string) => at(`changes.${name}.from`);
  const changed = (name: string) => {
    const now = at(`team.${name}`).text || 'none';
    return from(name).exists ? `${from(name).text || 'none'} → ${now}` : '';
  };
  return facts({ Name: changed('name'), Description: changed('description'), Privacy: changed('privacy') });
}

/** What happened to a team. */
function teamDone(at: At): Markdown {
  const team = link(at('team.name'), at('team.html_url'));
  switch (at('action').need) {
    case 'added_to_repository':
      return md`${who(at)} gave the team ${team} access to ${ofRepository(at)}.`;
    case 'removed_from_repository':
      return md`${who(at)} took the access to ${ofRepository(at)} from the team ${team}.`;
    default:
      return md`${who(at)} ${asWords(at('action').need)} the team ${team}.`;
  }
}

/** A collaborator's permission, if it changed. */
function permission(at: At): Markdown | undefined {
  const [from, to] = [
    firstOf(at('changes.permission.from'), at('changes.old_permission.from')),
    firstOf(at('changes.permission.to'), at('changes.role_name.to')),
  ];
  if (from === '' && to === '') return undefined;
  if (from === '' || to === '') return from === '' ? md` (${to})` : md` (was ${from})`;
  return md` (${from} → ${to})`;
}

/** Describes who joined or left an organization, or what happened to it. */
function aboutMember(at: At, action: string, member: string): Said {
  const content =
    member === ''
      ? md`${who(at)} ${asWords(action)} the organization ${at('organization.login')}.`
      : md`${who(at)} ${action.replace('member_', '')} ${member} ${action === 'member_removed' ? 'from' : 'to'} ${at('organization.login')}.`;
  return { topic: organization(at), content };
}

/** Readers of events about collaborators, teams, organizations and sponsors. */
export const PEOPLE: Readonly<Record<string, Reader>> = {
  member: about(
    (at) =>
      md`${who(at)} ${at('action')} ${link(at('member.login'), at('member.html_url'))} as a collaborator of ${ofRepository(at)}${permission(at)}.`,
  ),
  membership: (at) => ({
    topic: organization(at),
    content: md`${who(at)} ${at('action')} ${link(at('member.login'), at('member.html_url'))} ${at('action').text === 'removed' ? 'from' : 'to'} the team ${link(at('team.name'), at('team.html_url'))}.`,
  }),
  team: (at) => ({
    topic: `team ${at('team.name').need}`,
    content: paragraphs(teamDone(at), teamChanges(at)),
  }),
  team_add: about((at) => md`${who(at)} added ${ofRepository(at)} to the team ${at('team.name')}.`),
  organization: (at) => {
    const [action, member] = [
      at('action').need,
      firstOf(at('membership.user.login'), at('user.login'), at('invitation.login')),
    ];
    const former = at('changes.login.from').text;
    if (action === 'member_removed' || member !== '' || former === '') return aboutMember(at, action, member);
    return {
      topic: organization(at),
      content: md`${who(at)} renamed the organization ${former} to ${at('organization.login')}.`,
    };
  },
  org_block: (at) => ({
    topic: organization(at),
    content: md`${who(at)} ${at('action')} ${link(at('blocked_user.login'), at('blocked_user.html_url'))} in ${at('organization.login')}.`,
  }),
  sponsorship: (at) => {
    const [before, now] = [at('changes.tier.from.name').text, at('sponsorship.tier.name').text];
    const day = /^\d{4}-\d{2}-\d{2}/.exec(at('effective_date').text)?.[0];
    const tier = before === '' ? now : `${before} → ${now || 'none'}`;
    return {
      topic: 'sponsors',
      content: md`${person(at('sponsorship.sponsor'))} ${lookUp(SPONSORED, at('action').need) ?? asWords(at('action').need)} a sponsorship: ${tier || 'no tier'}${day === undefined ? undefined : md`, from ${day}`}.`,
    };
  },
};
