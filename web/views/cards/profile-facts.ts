import { isRecord } from '../../api/index.ts';

/** Kinds of profile fields, as the API numbers them. See protocol/profile-fields#types. */
const [CHOICE, PEOPLE] = [3, 6];

interface FieldOfProfile {
  readonly id: number;
  readonly type: number;
  readonly name: string;
  readonly field_data: string;
}

interface Profile {
  readonly profile_data?: Readonly<Record<string, { readonly value: string }>> | undefined;
}

/** The profile fields that somebody has filled in, in the order of the organization's fields. */
export function profileFacts(
  { profile_data: filled = {} }: Profile,
  fields: readonly FieldOfProfile[],
  nameOf: (id: number) => string,
): readonly { readonly name: string; readonly value: string }[] {
  return fields.flatMap((field) => {
    const value = filled[String(field.id)]?.value ?? '';
    return value === '' ? [] : [{ name: field.name, value: shownValue(field, value, nameOf) }];
  });
}

function shownValue({ type, field_data }: FieldOfProfile, value: string, nameOf: (id: number) => string): string {
  if (type === CHOICE) {
    const choice = parsed(field_data)[value];
    return isRecord(choice) && typeof choice['text'] === 'string' ? choice['text'] : value;
  }
  if (type !== PEOPLE) return value;
  const ids = Object.values(parsed(value));
  return ids.map((id) => nameOf(Number(id))).join(', ');
}

function parsed(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? { ...value } : isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
