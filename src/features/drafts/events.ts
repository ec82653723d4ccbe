import { event } from '#kernel/events';
import { idOf, list } from '#kernel/schema';
import type { DraftId } from './tables.ts';
import { wireDraft } from './wire.ts';

const source = 'protocol/events#own-data';

export const draftsAdded = event({ type: 'drafts', op: 'add', source, payload: { drafts: list(wireDraft) } });

export const draftUpdated = event({ type: 'drafts', op: 'update', source, payload: { draft: wireDraft } });

export const draftRemoved = event({ type: 'drafts', op: 'remove', source, payload: { draft_id: idOf<DraftId>() } });

export const draftEvents = [draftsAdded, draftUpdated, draftRemoved];
