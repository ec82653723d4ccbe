type Fields = Readonly<Record<string, unknown>>;

type RealmEvent =
  | { readonly op: 'update'; readonly property: string; readonly value: unknown }
  | { readonly op: 'update_dict'; readonly property: string; readonly data: Fields };

/** Fields under older names that follow from a changed value. */
const DERIVED: Readonly<Record<string, (value: unknown) => Fields>> = {
  message_edit_history_visibility_policy: (value) => ({ realm_allow_edit_history: value !== 'none' }),
  authentication_methods: (value) => ({
    realm_email_auth_enabled: isOn(value, 'Email'),
    realm_password_auth_enabled: isOn(value, 'Email') || isOn(value, 'LDAP'),
  }),
  password_min_guesses: (value) => ({ password_min_guesses: value }),
  password_min_length: (value) => ({ password_min_length: value }),
  jitsi_server_url: (value) => ({ jitsi_server_url: value ?? 'https://meet.jit.si' }),
};

/** Whether a way to log in is on, by the event's value. */
function isOn(methods: unknown, name: string): boolean {
  const one = isRecord(methods) ? methods[name] : undefined;
  return isRecord(one) && one['enabled'] === true;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** The state after a `realm` event about settings. */
export function applyRealmEvent(state: Fields, event: RealmEvent): Fields {
  const changed = event.op === 'update' ? { [event.property]: event.value } : event.data;
  return Object.entries(changed).reduce<Fields>(
    (next, [name, value]) => ({ ...next, [`realm_${name}`]: value, ...DERIVED[name]?.(value) }),
    state,
  );
}
