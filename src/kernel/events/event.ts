import { invariant } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import {
  anyShape,
  int,
  list,
  literal,
  maybe,
  object,
  type Schema,
  type SchemaOf,
  type Shape,
  str,
} from '#kernel/schema';
import type { Act, Emitted } from '#kernel/store';
import type { Audience } from './audience.ts';
import type { MembershipChange } from './membership-index.ts';
import type { View } from './view.ts';
import type { ViewerFacts } from './viewer.ts';

type Payload<P extends Shape> = { [K in keyof P as undefined extends SchemaOf<P[K]> ? never : K]: SchemaOf<P[K]> } & {
  [K in keyof P as undefined extends SchemaOf<P[K]> ? K : never]?: SchemaOf<P[K]>;
};

/** A wire event without `id`; `type` and `op` are added unless given. */
export type WireEvent = Readonly<Record<string, unknown>>;

/**
 * A narrow of a queue: pairs of operator and operand, all of which must match (protocol/narrows#registered-narrows).
 */
export type QueueNarrow = readonly (readonly [string, string])[];

/** The description of an event and its recipients, for the documentation. */
export type EventWords = readonly [doc: string, to: string];

/** The flags of an event: for each, the users who have it, or `true` for the whole audience. */
export type Flags = Readonly<Record<string, readonly UserId[] | true>>;

interface Declaration<P extends Shape, K extends keyof View, F extends keyof ViewerFacts> {
  readonly type: string;
  readonly op?: string;
  /** The heading of docs/protocol that describes it, as in `protocol/typing#direct`. */
  readonly source: string;
  readonly payload: P;
  /** Its description and recipients, in the form of `openapi/vocabulary/events.ts`; absent if they are in that file. */
  readonly words?: EventWords;
  /** Who receives it, if that follows from the payload alone. */
  readonly audience?: (payload: Payload<P>) => Audience;
  /** All parts of a client's view that the wire form depends on. */
  readonly variesBy?: readonly K[];
  /** All facts about the viewer that the wire form depends on; costs a variant for each of their values. */
  readonly variesByViewer?: readonly F[];
  /** The wire form for one kind of client: none, one or several events. The payload itself when absent. */
  readonly wire?: (payload: Payload<P>, view: Pick<View, K> & Pick<ViewerFacts, F>) => readonly WireEvent[];
  /**
   * Shapes of the wire form if it differs from the payload: several if clients get different ones, none if no client
   * gets it. For documentation and tests.
   */
  readonly forms?: readonly Shape[];
  /** Most wire events that one entry may become; 1 if absent. */
  readonly width?: (payload: Payload<P>) => number;
  /** Whether the receiver's flags are sent with the payload. */
  readonly flagged?: true;
  /** Whether a queue's narrow lets it through. */
  readonly admits?: (payload: Payload<P>, narrow: QueueNarrow, flags: readonly string[]) => boolean;
  /** Not sent to queues that name this event type explicitly. */
  readonly supersededBy?: string;
  /**
   * Whether the change affects who may do something; then the transaction must have locked the log. By default it does
   * if the event has `memberships` or `viewers`.
   */
  readonly changesRights?: (payload: Payload<P>) => boolean;
  /** Why it changes no register state; for events that no manifest has under `applies`. */
  readonly stale?: string;
  /**
   * Returns the change's entry for the audit log, given the value before if the action passed it; undefined if it gets
   * no entry. `personal`: the event is about what people say or arrange for themselves. Events without this are listed
   * in test/security/audited.test.ts, with the reason.
   */
  readonly audit?: ((payload: Payload<P>, before: unknown) => Act | undefined) | 'personal';
}

/** Where a message was sent from. */
export interface Origin {
  /** The queue as the client named it; it may be somebody else's. */
  readonly queue_id: string;
  readonly local_id: string;
  /** Who sent it. */
  readonly user_id: UserId;
}

/** What an emitted event carries besides its payload. */
export interface Details {
  readonly audience?: Audience;
  readonly flags?: Flags;
  /** The queue of the client that sent a message, and the client's ID for it: only that queue gets the ID back. */
  readonly origin?: Origin;
  /** Channels whose membership this change altered. */
  readonly memberships?: readonly MembershipChange[];
  /** Users whose role, activity or visibility this change altered. */
  readonly viewers?: readonly UserId[];
}

/** What an action passes with an event. */
interface Said extends Details {
  /** The value before the change; for the audit log only. */
  readonly before?: unknown;
}

/** An event type without the type of its payload, for the rest of the kernel. */
export interface AnyEventType {
  readonly kind: string;
  readonly type: string;
  readonly op: string | undefined;
  readonly source: string;
  readonly words: EventWords | undefined;
  readonly schema: Schema;
  /** Shape of the wire form; undefined if no client gets it. */
  readonly wireSchema: Schema | undefined;
  readonly variesBy: readonly (keyof View)[];
  readonly variesByViewer: readonly (keyof ViewerFacts)[];
  readonly flagged: boolean;
  readonly supersededBy: string | undefined;
  readonly stale: string | undefined;
  /** Whether the event declares `audit`. */
  readonly isAudited: boolean;
  wire(payload: unknown, view: View & ViewerFacts): readonly WireEvent[];
  width(payload: unknown): number;
  /** Undefined if it follows from the event's `memberships` and `viewers`. */
  changesRights(payload: unknown): boolean | undefined;
  admits(payload: unknown, narrow: QueueNarrow, flags: readonly string[]): boolean;
}

/** Whether an event is among those named, by type or by kind (`type/op`). */
export function isNamed({ type, kind }: AnyEventType, names: readonly string[]): boolean {
  return names.includes(type) || names.includes(kind);
}

/** An event type: call it with a payload to get an event to emit. */
export interface EventType<P extends Shape> extends AnyEventType {
  (payload: Payload<P>, details?: Said): EmittedEvent;
}

/** An event that is ready to be appended to the log. */
export interface EmittedEvent extends Emitted {
  readonly type: AnyEventType;
  readonly payload: unknown;
  readonly details: Details & { readonly audience: Audience };
}

/** Declares an event type. */
export function event<
  const P extends Shape,
  const K extends keyof View = never,
  const F extends keyof ViewerFacts = never,
>(declaration: Declaration<P, K, F>): EventType<P> {
  const { type, op, source, payload: shape, audit } = declaration;
  const described: AnyEventType = {
    kind: op === undefined ? type : `${type}/${op}`,
    type,
    op,
    source,
    words: declaration.words,
    schema: object(shape),
    wireSchema: wireSchema(type, op, declaration.forms ?? [shape], declaration.flagged ?? false),
    variesBy: declaration.variesBy ?? [],
    variesByViewer: declaration.variesByViewer ?? [],
    flagged: declaration.flagged ?? false,
    supersededBy: declaration.supersededBy,
    stale: declaration.stale,
    isAudited: audit !== undefined,
    // The casts are safe: payloads in the log were validated by this declaration, now or before a restart.
    wire: (payload, view) => declaration.wire?.(payload as Payload<P>, view) ?? [payload as WireEvent],
    width: (payload) => declaration.width?.(payload as Payload<P>) ?? 1,
    changesRights: (payload) => declaration.changesRights?.(payload as Payload<P>),
    admits: (payload, narrow, flags) => declaration.admits?.(payload as Payload<P>, narrow, flags) ?? true,
  };
  const make = (payload: Payload<P>, { before, ...details }: Said = {}): EmittedEvent => {
    const audience = details.audience ?? declaration.audience?.(payload);
    invariant(audience, `event ${described.kind} was emitted without an audience`);
    const act = audit === 'personal' ? undefined : audit?.(payload, before);
    return { type: described, payload, details: { ...details, audience }, act };
  };
  return Object.assign(make, described);
}

/** The shape of the event on the wire. */
function wireSchema(type: string, op: string | undefined, forms: readonly Shape[], flagged: boolean) {
  if (forms.length === 0) return undefined;
  const head = { type: literal(type), ...(op !== undefined && { op: literal(op) }) };
  const marks = flagged ? { flags: list(str()), local_message_id: maybe(str()) } : {};
  const name = `${pascal(type)}${pascal(op ?? '')}Event`;
  const shapes = forms.map((form) => object({ ...head, ...form, ...marks, id: int() }));
  const [only, ...others] = shapes;
  if (only && others.length === 0) return only.meta({ id: name });
  return anyShape(shapes.map((shape, index) => shape.meta({ id: `${name}Form${index + 1}` }))).meta({ id: name });
}

const pascal = (name: string): string => name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
