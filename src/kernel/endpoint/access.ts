import type { Actor, Login } from '#kernel/auth';
import {
  AdministratorRequired,
  type ApiError,
  BotsNotAllowed,
  type ErrorFactory,
  GuestsNotAllowed,
  OwnerRequired,
} from '#kernel/errors';
import { isAdministrator, isGuest, isOwner } from '#kernel/permissions';

type Credentials = 'ignored' | 'optional' | 'required';

/** The access rule of an operation: which callers it admits. `C` decides what the handler knows of the caller. */
export interface Access<C extends Credentials = Credentials> {
  readonly credentials: C;
  /** One phrase for the documentation. */
  readonly who: string;
  readonly fails: readonly ErrorFactory[];
  /** The refusal for this caller, if any. */
  refuse(caller: Login['actor']): ApiError | undefined;
}

/** The caller as a handler sees it. */
export type ActorOf<A extends Access> =
  A extends Access<'required'> ? Actor : A extends Access<'ignored'> ? null : Actor | null;

interface Rule {
  readonly error: ErrorFactory;
  readonly refuses: (caller: Login['actor']) => boolean;
}

const noGuests: Rule = { error: GuestsNotAllowed, refuses: isGuest };
const noBots: Rule = { error: BotsNotAllowed, refuses: (caller) => caller.isBot };
const needsAdministrator: Rule = { error: AdministratorRequired, refuses: (caller) => !isAdministrator(caller) };
const needsOwner: Rule = { error: OwnerRequired, refuses: (caller) => !isOwner(caller) };

function access<C extends Credentials>(credentials: C, who: string, ...rules: readonly Rule[]): Access<C> {
  return {
    credentials,
    who,
    fails: rules.map((rule) => rule.error),
    refuse: (caller) => rules.find((rule) => rule.refuses(caller))?.error(),
  };
}

/** Anyone; credentials are not read. */
export const anyone = access('ignored', 'anyone, without credentials');
/** Accounts, and spectators without credentials; the handler decides what spectators get. */
export const spectators = access('optional', 'every account, and spectators');
/** Every active account, bots and guests included. */
export const everyone = access('required', 'every account');
/** Every account but guests. */
export const members = access('required', 'every account except guests', noGuests);
/** People, guests included; no bots. */
export const humans = access('required', 'people, not bots', noBots);
/** People except guests. */
export const humanMembers = access('required', 'people except guests', noGuests, noBots);
/** Administrators and owners. */
export const administrators = access('required', 'administrators', needsAdministrator);
/** Owners. */
export const owners = access('required', 'owners', needsOwner);
