import { defineMigration } from '#kernel/store';

const text = { type: 'text', nullable: true } as const;

/** By which provider a session began, so that it can end with the one there; and the pictures that providers named. */
export const providerSessions = defineMigration('2026-11-23T0710-provider-sessions', async (m) => {
  for (const column of ['provider_id', 'provider_subject', 'provider_session', 'provider_token'])
    await m.addColumn('session', column, text);
  await m.addColumn('external_identity', 'picture_url', text);
});
