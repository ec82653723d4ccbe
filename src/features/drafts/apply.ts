import type { WireDraft } from './wire.ts';

/** The part of the client's state that these events change. */
interface DraftsState {
  readonly drafts: readonly WireDraft[];
}

type DraftsEvent =
  | { readonly type: 'drafts'; readonly op: 'add'; readonly drafts: readonly WireDraft[] }
  | { readonly type: 'drafts'; readonly op: 'update'; readonly draft: WireDraft }
  | { readonly type: 'drafts'; readonly op: 'remove'; readonly draft_id: number }
  | { readonly type: 'user_settings'; readonly property: string; readonly value: unknown };

/** Returns the drafts after an event. If the setting is off, there are none. */
export function applyDraftsEvent({ drafts }: DraftsState, event: DraftsEvent): DraftsState {
  if (event.type === 'user_settings')
    return { drafts: event.property === 'enable_drafts_synchronization' && event.value === false ? [] : drafts };
  if (event.op === 'add') return { drafts: newestFirst([...drafts, ...event.drafts]) };
  const id = event.op === 'update' ? event.draft.id : event.draft_id;
  const others = drafts.filter((one) => one.id !== id);
  return { drafts: event.op === 'update' ? newestFirst([...others, event.draft]) : others };
}

function newestFirst(drafts: readonly WireDraft[]): readonly WireDraft[] {
  return drafts.toSorted((a, b) => b.timestamp - a.timestamp || b.id - a.id);
}
