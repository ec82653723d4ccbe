import { batch, type Signal, signal } from '@preact/signals';
import { applyAlertWordsEvent } from '#features/alert-words/apply';
import { applyCommandEvent } from '#features/bot-commands/apply';
import { applyBotEvent } from '#features/bots/apply';
import { applyFolderEvent } from '#features/channel-folders/apply';
import { applyDefaultsEvent } from '#features/channels/apply';
import { applyDefaultGroupsEvent } from '#features/default-channel-groups/apply';
import { applyDraftsEvent } from '#features/drafts/apply';
import { applyDomainEvent } from '#features/email-domains/apply';
import { applyEmojiEvent } from '#features/emoji/apply';
import { applyGroupEvent } from '#features/groups/apply';
import { applyLinkifierEvent } from '#features/linkifiers/apply';
import { applyMutedUsersEvent } from '#features/muted-users/apply';
import { applyViewEvent } from '#features/navigation-views/apply';
import { applyStepsEvent } from '#features/onboarding-steps/apply';
import { applyPlaygroundEvent } from '#features/playgrounds/apply';
import { applyRealmEvent } from '#features/realm-settings/apply';
import { applyReminderEvent } from '#features/reminders/apply';
import { applySnippetEvent } from '#features/saved-snippets/apply';
import { applyScheduledEvent } from '#features/scheduled-messages/apply';
import { applyRestart } from '#features/server-version/apply';
import { applySettingEvent } from '#features/user-settings/apply';
import type { RegisterState } from './register.ts';

/** An event from the wire. The client reads only its type; the slice's function knows the rest. */
export interface AnyEvent {
  readonly id: number;
  readonly type: string;
  readonly [name: string]: unknown;
}

interface Applier {
  readonly types: readonly string[];
  readonly apply: (state: object, event: object) => object;
}

/** Erases the types of a slice's function, which is called with values from the wire. */
function applier(types: readonly string[], apply: (state: never, event: never) => object): Applier {
  return { types, apply: (state, event) => apply(state as never, event as never) };
}

/** Functions for fields of the state that are small or that events replace. Large fields have tables of their own. */
const APPLIERS: readonly Applier[] = [
  applier(['alert_words'], applyAlertWordsEvent),
  applier(['realm_bot'], applyBotEvent),
  applier(['bot_command'], applyCommandEvent),
  applier(['channel_folder'], applyFolderEvent),
  applier(['default_streams'], applyDefaultsEvent),
  applier(['default_stream_groups'], applyDefaultGroupsEvent),
  applier(['drafts', 'user_settings'], applyDraftsEvent),
  applier(['realm_domains'], applyDomainEvent),
  applier(['realm_emoji'], applyEmojiEvent),
  applier(['user_group', 'realm_user'], applyGroupEvent),
  applier(['realm_linkifiers'], applyLinkifierEvent),
  applier(['muted_users'], applyMutedUsersEvent),
  applier(['navigation_view'], applyViewEvent),
  applier(['onboarding_steps'], applyStepsEvent),
  applier(['realm_playgrounds'], applyPlaygroundEvent),
  applier(['reminders'], applyReminderEvent),
  applier(['restart'], (_state: object, event: Parameters<typeof applyRestart>[1]) => applyRestart({}, event)),
  applier(['saved_snippets'], applySnippetEvent),
  applier(['scheduled_messages'], applyScheduledEvent),
  applier(['user_settings', 'realm_user_settings_defaults'], applySettingEvent),
  applier(['custom_profile_fields'], (_state: object, event: { readonly fields: unknown }) => ({
    custom_profile_fields: event.fields,
  })),
  // Of the organization's settings, returns only those that the event names.
  applier(['realm'], (_state: object, event: Parameters<typeof applyRealmEvent>[1]) => applyRealmEvent({}, event)),
];

/** Fields that have tables of their own. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'realm_users',
  'realm_non_active_users',
  'cross_realm_bots',
  'streams',
  'subscriptions',
  'unsubscribed',
  'never_subscribed',
  'user_topics',
  'unread_msgs',
  'presences',
  'user_status',
]);

/** All fields of the register state without a table, each with a signal of its own. */
export class Facts {
  readonly #fields = new Map<string, Signal<unknown>>();

  load(state: Readonly<Record<string, unknown>>): void {
    batch(() => {
      for (const [name, field] of this.#fields) if (!(name in state)) field.value = undefined;
      for (const [name, value] of Object.entries(state)) if (!ELSEWHERE.has(name)) this.#set(name, value);
    });
  }

  apply(event: AnyEvent): void {
    for (const one of APPLIERS) {
      if (one.types.includes(event.type)) this.merge(one.apply(this.#state, event));
    }
  }

  /** Sets fields that other code has computed. */
  merge(changed: object): void {
    batch(() => {
      for (const [name, value] of Object.entries(changed)) this.#set(name, value);
    });
  }

  /** Returns a field and subscribes to it; undefined for one that the server did not send. */
  get<K extends keyof RegisterState>(name: K): RegisterState[K] | undefined {
    return this.#signalOf(name).value as RegisterState[K] | undefined;
  }

  peek<K extends keyof RegisterState>(name: K): RegisterState[K] | undefined {
    return this.#fields.get(name)?.peek() as RegisterState[K] | undefined;
  }

  /** Returns all fields, to be stored. */
  toWire(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#fields].map(([name, field]) => [name, field.peek()]));
  }

  /** An object that reads each field on access. */
  readonly #state: object = new Proxy({}, { get: (_target, name) => this.#fields.get(String(name))?.peek() });

  #set(name: string, value: unknown): void {
    this.#signalOf(name).value = value;
  }

  #signalOf(name: string): Signal<unknown> {
    const known = this.#fields.get(name);
    if (known) return known;
    const made = signal<unknown>(undefined);
    this.#fields.set(name, made);
    return made;
  }
}
