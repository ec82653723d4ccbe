import { defineCommand } from 'citty';
import { listChannels } from '#features/channels';
import { timeOf, writeRows } from './operator/output.ts';
import { inOrganization, jsonArg, subdomainArg } from './operator/owner.ts';

const create = defineCommand({
  meta: { name: 'create', description: 'Create a channel' },
  args: {
    ...subdomainArg,
    name: { type: 'positional', required: true, description: 'Name of the channel' },
    description: { type: 'string', default: '', description: 'What it is for' },
    private: { type: 'boolean', default: false, description: 'Only its subscribers can see it' },
    default: { type: 'boolean', default: false, description: 'New people are subscribed to it' },
  },
  run: ({ args }) =>
    inOrganization(args.subdomain, async ({ call }) => {
      const { id } = await call('POST', '/channels/create', {
        name: args.name,
        description: args.description,
        invite_only: args.private,
        is_default_stream: args.default,
        subscribers: [],
      });
      process.stdout.write(`created ${args.name} with the ID ${String(id)}\n`);
    }),
});

const list = defineCommand({
  meta: { name: 'list', description: 'List the channels of an organization, including private ones' },
  args: { ...subdomainArg, ...jsonArg },
  run: ({ args }) =>
    inOrganization(args.subdomain, async ({ context, realm }) => {
      const channels = await context.store.in(realm).read((tx) => listChannels(tx));
      const rows = channels.map((channel) => ({
        id: channel.id,
        name: channel.name,
        access: channel.is_web_public ? 'web-public' : channel.invite_only ? 'private' : 'public',
        default: channel.is_default,
        archived: channel.is_archived,
        subscribers: channel.subscriber_count,
        created: timeOf(channel.date_created),
      }));
      writeRows(rows, args, 'there is no channel');
    }),
});

export const channel = defineCommand({
  meta: { name: 'channel', description: 'Manage channels' },
  subCommands: { create, list },
});
