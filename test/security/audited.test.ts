import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../src/server.ts';

/** Events of acts that record themselves, because the event goes to some people only, or tells of more than the act. */
const RECORDED_BY_THE_ACT = [
  'realm_user/add',
  'realm_bot/add',
  'user_group/add_members',
  'user_group/remove_members',
  'user_group/add_subgroups',
  'user_group/remove_subgroups',
  'stream/create',
  'invites_changed',
  'realm_export',
];
/** Events that follow from others that are kept: a role, an owner, a visibility or an archive. */
const FOLLOWING = ['realm_user/remove', 'realm_bot/delete', 'user_group/remove', 'stream/delete'];
/** What people say, read and arrange for themselves. */
const PERSONAL = [
  'user_settings/update',
  'realm_export_consent',
  'alert_words',
  'has_zoom_token',
  'muted_users',
  'attachment/add',
  'attachment/update',
  'attachment/remove',
  'subscription/add',
  'subscription/remove',
  'subscription/update',
  'subscription/peer_add',
  'subscription/peer_remove',
  'message',
  'update_message_flags/add',
  'update_message_flags/remove',
  'reaction/add',
  'reaction/remove',
  'submessage',
  'delete_message',
  'update_message',
  'muted_topics',
  'user_topic',
  'scheduled_messages/add',
  'scheduled_messages/update',
  'scheduled_messages/remove',
  'reminders/add',
  'reminders/remove',
  'came_back',
  'presence',
  'device/add',
  'device/update',
  'device/remove',
  'typing/start',
  'typing/stop',
  'typing_edit_message/start',
  'typing_edit_message/stop',
  'user_status',
  'saved_snippets/add',
  'saved_snippets/update',
  'saved_snippets/remove',
  'drafts/add',
  'drafts/update',
  'drafts/remove',
  'navigation_view/add',
  'navigation_view/update',
  'navigation_view/remove',
  'onboarding_steps',
  'heartbeat',
  'queues_ended',
  'restart',
];

/** Tables of which each statement that changes a row is an act for the audit log. */
const KEPT_TABLES = [
  'device_key',
  'external_identity',
  'invitation',
  'passkey',
  'recovery_code',
  'second_factor',
  'session',
  'user_password',
];
/** Functions that change such a table and leave no entry, each with the reason. */
const SILENT: Readonly<Record<string, string>> = {
  'external_identity touchIdentity': 'the log-in that follows is kept',
  'passkey touchPasskey': 'the log-in that follows is kept',
  'external_identity setIdentityPicture': 'only which picture was looked at',
  'second_factor takeStep': 'the log-in that follows is kept',
  'session touchSession': 'only when it was last used',
  'session deleteSessionsIn': 'the end of the organization is kept',
  'invitation takeInvitation': 'the account that follows is kept',
  'invitation revokeInvitationsOf': 'the account that follows is kept',
};

/** The functions of a source, each with its text. */
function functionsOf(source: string): readonly { readonly name: string; readonly text: string }[] {
  const parts = source.split(/^(?=(?:export )?(?:async )?function |(?:export )?const \w+ = )/m);
  return parts.map((text) => ({ name: /(?:function|const) (\w+)/.exec(text)?.[1] ?? '', text }));
}

describe('what the audit log must not miss (protocol/organizations#audit-log)', () => {
  it('has a decision about every event that the slices declare', () => {
    const undecided = eventTypes.filter(({ isAudited }) => !isAudited).map(({ kind }) => kind);
    expect(undecided.toSorted()).toEqual([...RECORDED_BY_THE_ACT, ...FOLLOWING, ...PERSONAL].toSorted());
  });

  it('records wherever a row that lets somebody in is written', () => {
    const silent = ['src/kernel', 'src/features']
      .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, String(file))))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) => functionsOf(readFileSync(file, 'utf8')))
      .flatMap(({ name, text }) => {
        const writes = KEPT_TABLES.filter((table) =>
          new RegExp(`(insertInto|updateTable|deleteFrom)\\('${table}'\\)`).test(text),
        );
        return /\brecord\w*\(/.test(text) ? [] : writes.map((table) => `${table} ${name}`);
      });
    expect(silent.toSorted()).toEqual(Object.keys(SILENT).toSorted());
  });
});
