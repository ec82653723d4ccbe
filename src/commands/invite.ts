import { defineCommand } from 'citty';
import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Answer } from './operator/api-call.ts';
import { inOrganization, type Organization, subdomainArg } from './operator/owner.ts';
import { ROLE_NAMES, roleNumber } from './operator/roles.ts';
import { Refusal } from './refusal.ts';

/** Longest validity of an invitation in days. */
const MAX_DAYS = 3650;

export const invite = defineCommand({
  meta: { name: 'invite', description: 'Print an invitation link, or mail invitations' },
  args: {
    ...subdomainArg,
    emails: { type: 'string', description: 'Addresses to mail, separated by commas; without it, a link is printed' },
    role: { type: 'string', default: 'member', description: `Their role: one of ${ROLE_NAMES}` },
    days: { type: 'string', default: '10', description: `How long it is valid, 1 to ${MAX_DAYS} days` },
    channels: {
      type: 'string',
      default: '',
      description: 'Channels in addition to the default ones, separated by commas',
    },
  },
  run: ({ args }) =>
    inOrganization(args.subdomain, async (organization) => {
      const offer = {
        invite_as: roleNumber(args.role),
        invite_expires_in_minutes: (daysOf(args.days) * SECONDS_PER_DAY) / 60,
        stream_ids: await channelIds(organization, namesIn(args.channels)),
        include_realm_default_subscriptions: true,
      };
      if (args.emails === undefined) {
        const { invite_link } = await organization.call('POST', '/invites/multiuse', offer);
        process.stdout.write(`${String(invite_link)}\n`);
      } else {
        await organization.call('POST', '/invites', { ...offer, invitee_emails: args.emails });
        process.stdout.write(`invited ${namesIn(args.emails).length}\n`);
      }
    }),
});

function daysOf(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new Refusal(`"${text}" is no number of days between 1 and ${MAX_DAYS}`);
  return days;
}

const namesIn = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

async function channelIds({ call }: Organization, names: readonly string[]): Promise<unknown[]> {
  const ids: unknown[] = [];
  for (const stream of names) {
    const found: Answer = await call('GET', '/get_stream_id', { stream });
    ids.push(found['stream_id']);
  }
  return ids;
}
