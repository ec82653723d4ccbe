import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { t } from '../../../words/deferred.ts';
import { SelectSetting, SwitchSetting } from '../saving.tsx';
import { LogInOrder } from './log-in-order.tsx';
import { ScimTokens } from './scim-tokens.tsx';

/** The roles for which owners may require a second factor: each includes all stronger ones. */
const ROLES = ['0', '100', '200', '300', '400', '600'] as const;
/** Days of grace that are offered. */
const GRACE = ['0', '7', '14', '30', '90'] as const;

/** Minimum lengths and numbers of guesses of new passwords that are offered. */
const LENGTHS = ['8', '10', '12', '15', '20'] as const;
const GUESSES = ['10000', '1000000', '100000000', '10000000000'] as const;

/**
 * Logging in: the methods and their order, rules for passwords, second factors, and directories that manage accounts.
 */
export function LogInPage() {
  const { model, api } = useClient();
  const { facts } = model;
  const isOwner = facts.get('is_owner') === true;
  const fixedBy = isOwner ? undefined : t('group.owners');
  const methods = Object.entries(facts.get('realm_authentication_methods') ?? {}).filter(([, one]) => one.available);
  const chosen = Object.fromEntries(methods.map(([name, { enabled }]) => [name, enabled]));
  const role = String(facts.get('realm_second_factor_required_role') ?? 0);
  const days = String(facts.get('realm_second_factor_grace_days') ?? 14);
  const length = String(facts.get('realm_password_min_length') ?? 8);
  const guesses = String(facts.get('realm_password_min_guesses') ?? 10_000);
  return (
    <>
      <SettingsSection id="login-ways" title={t('login.ways')} lede={t('login.waysHint')}>
        {methods.map(([name, { enabled }]) => (
          <SwitchSetting
            key={name}
            label={name === 'Email' ? t('login.password') : name}
            value={enabled}
            fixedBy={fixedBy}
            onSave={(isOn) => api.callAny('PATCH', '/realm', { authentication_methods: { ...chosen, [name]: isOn } })}
          />
        ))}
      </SettingsSection>
      {isOwner && <LogInOrder />}
      <SettingsSection id="login-passwords" title={t('login.passwords')} lede={t('login.passwordsHint')}>
        <SelectSetting
          label={t('login.length')}
          value={length}
          options={withValue(LENGTHS, length).map((value) => ({
            value,
            label: t('login.characters', { count: Number(value) }),
          }))}
          fixedBy={fixedBy}
          onSave={(value) => api.callAny('PATCH', '/realm', { password_min_length: Number(value) })}
        />
        <SelectSetting
          label={t('login.guesses')}
          hint={t('login.guessesHint')}
          value={guesses}
          options={withValue(GUESSES, guesses).map((value) => ({
            value,
            label: t('login.guessCount', { count: Number(value) }),
          }))}
          fixedBy={fixedBy}
          onSave={(value) => api.callAny('PATCH', '/realm', { password_min_guesses: Number(value) })}
        />
      </SettingsSection>
      <SettingsSection id="login-second" title={t('login.second')} lede={t('login.secondHint')}>
        <SelectSetting
          label={t('login.demand')}
          value={ROLES.find((one) => one === role) ?? '0'}
          options={ROLES.map((value) => ({ value, label: t(`login.demand.${value}`) }))}
          fixedBy={fixedBy}
          onSave={(value) => api.callAny('PATCH', '/realm', { second_factor_required_role: Number(value) })}
        />
        <SelectSetting
          label={t('login.grace')}
          value={GRACE.find((one) => one === days) ?? '14'}
          options={GRACE.map((value) => ({ value, label: t('login.days', { count: Number(value) }) }))}
          fixedBy={fixedBy}
          onSave={(value) => api.callAny('PATCH', '/realm', { second_factor_grace_days: Number(value) })}
        />
      </SettingsSection>
      {isOwner && <ScimTokens />}
    </>
  );
}

/** Adds the current value to the offered ones, because it may have been chosen elsewhere. */
function withValue(offered: readonly string[], value: string): readonly string[] {
  return offered.includes(value) ? offered : [...offered, value].toSorted((a, b) => Number(a) - Number(b));
}
