import { useEffect, useState } from 'preact/hooks';
import { useClient } from '../../../client/index.ts';
import { SettingsSection } from '../../../settings/index.ts';
import { Icon } from '../../../ui/index.ts';
import { t } from '../../../words/deferred.ts';
import { OrderButtons } from '../list-page.tsx';

interface Way {
  /** Name of the method in the setting. */
  readonly name: string;
  readonly shown: string;
}

/** The order of the enabled log-in methods on the log-in page and in apps. */
export function LogInOrder() {
  const { model, api } = useClient();
  const methods = model.facts.get('realm_authentication_methods') ?? {};
  const order = model.facts.get('realm_login_method_order') ?? [];
  const [buttons, setButtons] = useState<readonly Way[]>([]);
  const isOn = (name: string) => methods[name]?.enabled === true;
  const on = Object.keys(methods).filter(isOn).join();
  useEffect(() => {
    let isHere = true;
    const keep = (ways: readonly Way[]) => isHere && setButtons(ways);
    void api
      .call('GET', '/server_settings', {})
      .then(({ external_authentication_methods: ways }) =>
        keep(ways.filter(({ name }) => name !== 'browser').map((way) => ({ name: way.name, shown: way.display_name }))),
      )
      .catch(() => keep([]));
    return () => {
      isHere = false;
    };
  }, [api, on]);
  const all: readonly Way[] = [
    ...(isOn('Passkey') ? [{ name: 'passkey', shown: t('login.passkey') }] : []),
    ...buttons,
    ...(isOn('Email') || isOn('LDAP') ? [{ name: 'password', shown: t('login.form') }] : []),
  ];
  const placeOf = ({ name }: Way) => (order.includes(name) ? order.indexOf(name) : order.length);
  const ways = all.toSorted((a, b) => placeOf(a) - placeOf(b));
  if (ways.length < 2) return null;
  return (
    <SettingsSection id="login-order" title={t('login.order')} lede={t('login.orderHint')}>
      <ul class="rows wide brief">
        {ways.map((way, index) => (
          <li key={way.name}>
            <Icon name="key" />
            <span class="grow">
              <b dir="auto">{way.shown}</b>
            </span>
            <span class="row-end">
              <OrderButtons
                name={way.shown}
                ids={ways.map((_, at) => at)}
                id={index}
                onOrder={(places) =>
                  api.callAny('PATCH', '/realm', {
                    login_method_order: places.flatMap((place) => ways[place]?.name ?? []),
                  })
                }
              />
            </span>
          </li>
        ))}
      </ul>
    </SettingsSection>
  );
}
