import type { WireField } from './wire.ts';

type ProfileData = Readonly<Record<string, { readonly value: string; readonly rendered_value?: string }>>;

interface Person {
  readonly user_id: number;
  readonly profile_data?: ProfileData;
}

/** A client's state about profile fields and people's values. */
export interface ProfilesState {
  readonly custom_profile_fields: readonly WireField[];
  readonly realm_users: readonly Person[];
  readonly realm_non_active_users: readonly Person[];
}

interface ValueChange {
  readonly id: number;
  readonly value: string | null;
  readonly rendered_value?: string;
}

type ProfileEvent =
  | { readonly type: 'custom_profile_fields'; readonly fields: readonly WireField[] }
  | {
      readonly type: 'realm_user';
      readonly op: string;
      readonly person: { readonly user_id: number; readonly custom_profile_field?: ValueChange };
    };

const CHOICE = 3;

/** Fields and values after an event. Values that do not fit the new fields are removed. */
export function applyProfileEvent(state: ProfilesState, event: ProfileEvent): Partial<ProfilesState> {
  if (event.type === 'custom_profile_fields')
    return { custom_profile_fields: event.fields, ...everyProfile(state, (data) => fitting(data, event.fields)) };
  const { user_id, custom_profile_field: change } = event.person;
  if (!change) return {};
  return everyProfile(state, (data, person) => (person.user_id === user_id ? filled(data, change) : data));
}

function everyProfile(state: ProfilesState, change: (data: ProfileData, person: Person) => ProfileData) {
  const changed = (people: readonly Person[]) =>
    people.map((person) =>
      person.profile_data ? { ...person, profile_data: change(person.profile_data, person) } : person,
    );
  return {
    realm_users: changed(state.realm_users),
    realm_non_active_users: changed(state.realm_non_active_users),
  };
}

function filled(data: ProfileData, { id, value, rendered_value }: ValueChange): ProfileData {
  const others = Object.entries(data).filter(([key]) => key !== String(id));
  if (value === null) return Object.fromEntries(others);
  const entry = { value, ...(rendered_value !== undefined && { rendered_value }) };
  return Object.fromEntries([...others, [String(id), entry]]);
}

function fitting(data: ProfileData, fields: readonly WireField[]): ProfileData {
  const byId = new Map(fields.map((field) => [String(field.id), field]));
  const fits = ([id, { value }]: [string, { readonly value: string }]) => {
    const field = byId.get(id);
    if (!field) return false;
    if (field.type !== CHOICE) return true;
    const choices: unknown = JSON.parse(field.field_data);
    return typeof choices === 'object' && choices !== null && Object.hasOwn(choices, value);
  };
  return Object.fromEntries(Object.entries(data).filter(fits));
}
