import { event } from '#kernel/events';
import { idOf, list } from '#kernel/schema';
import type { DraftId } from './tables.ts';
import { wireDraft } from './wire.ts';

const source = 'protocol/events#own-data';

/** The author keeps more drafts. */
export const draftsAdded = event({ type: 'drafts', op: 'add', source, payload: { drafts: list(wireDraft) } });

/** The author changed a draft. */
export const draftUpdated = event({ type: 'drafts', op: 'update', source, payload: { draft: wireDraft } });

/** The author threw a draft away. */
export const draftRemoved = event({ type: 'drafts', op: 'remove', source, payload: { draft_id: idOf<DraftId>() } });

export const draftEvents = [draftsAdded, draftUpdated, draftRemoved];
