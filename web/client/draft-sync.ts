import { effect } from '@preact/signals';
import { codePointLength } from '#kernel/text';
import { type Api, CallFailure, type Clock } from '../api/index.ts';
import {
  type Conversation,
  type ConversationKey,
  directWith,
  keyOf,
  type Model,
  type RegisterState,
} from '../model/index.ts';
import type { Draft, Drafts } from './drafts.ts';

type WireDraft = RegisterState['drafts'][number];

/** Milliseconds without typing before a draft is sent, and the longest back-off after failed calls. */
const [REST_MS, MAX_BACK_OFF_MS] = [2000, 60_000];

interface DraftSyncOptions {
  readonly api: Pick<Api, 'call'>;
  readonly clock: Clock;
  readonly model: Model;
  readonly drafts: Drafts;
  /** Whether this tab acts for the browser. Reading it subscribes to changes. */
  readonly isLeading: () => boolean;
}

/**
 * Synchronizes drafts with the server, and so with other browsers, where the person wants that. See
 * protocol/saved#drafts.
 */
export class DraftSync {
  readonly #options: DraftSyncOptions;
  /** The conversation whose draft is being sent. */
  #underWay: ConversationKey | undefined;
  /** The texts that the server refused. */
  readonly #refused = new Map<ConversationKey, string>();
  #isRunning = false;

  constructor(options: DraftSyncOptions) {
    this.#options = options;
  }

  /** Starts synchronizing; called when the state is loaded. */
  start(): void {
    const { drafts, model } = this.#options;
    effect(() => {
      const all = model.facts.get('drafts');
      if (all && this.#isWanted()) this.#take(all);
    });
    effect(() => {
      if (drafts.unsaved.value.length > 0 && this.#options.isLeading() && this.#isWanted()) void this.#run();
    });
  }

  #isWanted(): boolean {
    return this.#options.model.facts.get('user_settings')?.enable_drafts_synchronization === true;
  }

  /** Takes over changes by other browsers, except for drafts that were changed here and are not sent yet. */
  #take(all: readonly WireDraft[]): void {
    const { drafts, model } = this.#options;
    const most = model.facts.get('max_message_length') ?? 10_000;
    const byId = new Map(all.map((one) => [Number(one.id), one]));
    for (const own of drafts.all.peek()) {
      const key = keyOf(own.conversation);
      if (own.isNew || own.id === undefined || key === this.#underWay) continue;
      const found = byId.get(own.id);
      if (!found) drafts.forget(key);
      // The server keeps only the beginning of a text that is too long.
      else if (found.content !== own.text && codePointLength(own.text) <= most)
        drafts.put(fromWire(found, own.conversation));
      else continue;
      drafts.show(key);
    }
    // A conversation's composer shows the newest draft.
    for (const one of all) {
      const conversation = conversationOfDraft(one, model.me);
      const key = conversation && keyOf(conversation);
      if (!conversation || key === undefined || key === this.#underWay || drafts.find(key)) continue;
      drafts.put(fromWire(one, conversation));
      drafts.show(key);
    }
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const { clock } = this.#options;
    try {
      for (let failures = 0; ; ) {
        await clock.sleep(Math.min(REST_MS * 2 ** failures, MAX_BACK_OFF_MS));
        const next = this.#next();
        if (!next) return;
        failures = (await this.#push(next)) ? 0 : failures + 1;
      }
    } finally {
      this.#isRunning = false;
    }
  }

  #next(): Draft | undefined {
    const { drafts } = this.#options;
    if (!this.#isWanted() || !this.#options.isLeading()) return undefined;
    return drafts.unsaved.peek().find((one) => this.#refused.get(keyOf(one.conversation)) !== one.text);
  }

  /** Sends a draft; returns whether the server answered. */
  async #push(draft: Draft): Promise<boolean> {
    const { drafts } = this.#options;
    const key = keyOf(draft.conversation);
    this.#underWay = key;
    try {
      const id = await this.#send(draft);
      const now = drafts.find(key);
      if (now) drafts.put({ ...now, id, isNew: now.text !== draft.text });
      return true;
    } catch (error) {
      if (!(error instanceof CallFailure) || error.kind !== 'refused') return false;
      // Another browser deleted it while it was being typed here.
      if (draft.id !== undefined) drafts.put({ ...draft, text: drafts.get(key), id: undefined });
      else this.#refused.set(key, draft.text);
      return true;
    } finally {
      this.#underWay = undefined;
    }
  }

  /** Creates, changes or deletes the draft at the server; returns its ID, undefined once it is deleted. */
  async #send({ id, text, conversation, at }: Draft): Promise<number | undefined> {
    const { api } = this.#options;
    if (text === '') {
      if (id !== undefined) await api.call('DELETE', '/drafts/{draft_id}', { draft_id: id });
      return undefined;
    }
    const draft = { ...recipientOf(conversation), content: text, timestamp: Math.floor(at / 1000) };
    if (id === undefined) return (await api.call('POST', '/drafts', { drafts: [draft] })).ids[0];
    await api.call('PATCH', '/drafts/{draft_id}', { draft_id: id, draft });
    return id;
  }
}

function recipientOf(conversation: Conversation) {
  return 'people' in conversation
    ? { type: 'private' as const, to: conversation.people, topic: '' }
    : { type: 'stream' as const, to: [conversation.channelId], topic: conversation.topic };
}

function fromWire({ id, content, timestamp }: WireDraft, conversation: Conversation): Draft {
  return { conversation, text: content, at: timestamp * 1000, id, isNew: false };
}

/** Returns the conversation of a draft; undefined for one that has no recipient yet. */
export function conversationOfDraft({ type, to, topic }: WireDraft, me: number): Conversation | undefined {
  const [first] = to;
  if (first === undefined || type === '') return undefined;
  return type === 'stream' ? { channelId: first, topic } : directWith(to, me);
}
