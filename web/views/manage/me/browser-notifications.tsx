import { useEffect, useState } from 'preact/hooks';
import { type Client, useClient } from '../../../client/index.ts';
import { type PushState, pushState, tryPush, turnOff, turnOn } from '../../../push/index.ts';
import { SettingRow, SettingsSection } from '../../../settings/index.ts';
import { Button } from '../../../ui/index.ts';
import { FieldError, Switch } from '../../../ui/field.tsx';
import { lately } from '../../../words/index.ts';
import { t } from '../../../words/deferred.ts';
import { useAnswer } from '../../answer.ts';
import { timeStyle } from '../../shown.ts';
import { useSaver } from '../saving.tsx';

/** A phone that gets notifications through its app's push service. */
interface Phone {
  readonly kind: 'fcm' | 'apns';
  readonly delivered_at: number | null;
  readonly failing_since: number | null;
  readonly failure: string | null;
}

interface Subscription {
  readonly id: number;
  readonly name: string;
  readonly delivered_at: number | null;
  readonly failing_since: number | null;
  readonly failure: string | null;
}

interface Devices {
  readonly all: readonly Subscription[];
  readonly phones: readonly Phone[];
}

const NO_DEVICES: Devices = { all: [], phones: [] };

/** Fetches the browsers, apps and phones that get notifications; undefined for an incomplete answer. */
async function fetchDevices(api: Client['api']): Promise<Devices | undefined> {
  const [{ subscriptions: all }, { phones }] = await Promise.all([
    api.call('GET', '/push_subscriptions', {}),
    api.call('GET', '/push_phones', {}),
  ]);
  return Array.isArray(all) && Array.isArray(phones) ? { all, phones } : undefined;
}

/** Whether this browser shows notifications, and which other devices get them. */
export function BrowserNotifications() {
  const { api } = useClient();
  const { error, isBusy, save } = useSaver();
  const [state, setState] = useState<PushState | undefined>();
  const says = useLast();
  const [isTried, setTried] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const devices = useAnswer(() => fetchDevices(api), [api]);
  const { all, phones } = devices.found ?? NO_DEVICES;
  const look = async () => {
    setState(await pushState());
    await devices.again();
  };
  useEffect(() => void pushState().then(setState), []);
  const change = async (isOn: boolean) => {
    setTried(false);
    setFailed(false);
    if (isOn) await turnOn(api).catch(() => setFailed(true));
    else await turnOff(api);
    await look();
  };
  const hint = state === 'unsupported' || state === 'denied' ? t(`push.${state}`) : undefined;
  return (
    <>
      <SettingsSection id="not-here" title={t('push.title')} lede={t('push.lede')}>
        <SettingRow label={t('push.label')} hint={hint} error={hasFailed ? t('push.failed') : undefined} isInline>
          {(names) => (
            <Switch
              {...names}
              checked={state === 'on'}
              disabled={state === undefined || state === 'unsupported' || state === 'denied'}
              onChange={(isOn) => void change(isOn)}
            />
          )}
        </SettingRow>
        {state === 'on' && (
          <SettingRow label={isTried ? t('push.sent') : t('push.try')} error={error} isInline>
            {() => (
              <Button
                small
                busy={isBusy}
                onPress={() =>
                  void save(() => tryPush(api))
                    .then(setTried)
                    .then(look)
                }
              >
                {t('push.test')}
              </Button>
            )}
          </SettingRow>
        )}
      </SettingsSection>
      {devices.failure !== undefined && <FieldError id="devices-error" text={devices.failure} />}
      {all.length + phones.length > 0 && (
        <SettingsSection id="not-devices" title={t('push.devices')}>
          <Subscriptions all={all} onRemoved={() => void look()} />
          {phones.map((phone, index) => (
            <SettingRow key={index} label={t(`push.phone.${phone.kind}`)} hint={says(phone)} isInline>
              {() => null}
            </SettingRow>
          ))}
        </SettingsSection>
      )}
    </>
  );
}

/** Texts for some reasons; other reasons are codes for the server's operator. */
const WHY = { unreachable: 'push.unreachable', timeout: 'push.timeout' } as const;

function whyOf(failure: string): string {
  return failure === 'unreachable' || failure === 'timeout' ? t(WHY[failure]) : failure;
}

/** Formats the time of the last notification, or since when and why none was delivered. */
function useLast() {
  const client = useClient();
  const date = (seconds: number) => lately(seconds, client.clock.now() / 1000, timeStyle(client));
  return ({ delivered_at, failing_since, failure }: Pick<Phone, 'delivered_at' | 'failing_since' | 'failure'>) => {
    const last = delivered_at === null ? t('push.never') : t('push.last', { when: date(delivered_at) });
    if (failing_since === null) return last;
    return `${last}. ${t('push.failing', { when: date(failing_since), why: whyOf(failure ?? '') })}`;
  };
}

/** All browsers and apps that get notifications, with the last one and the state of delivery. */
function Subscriptions({ all, onRemoved }: { readonly all: readonly Subscription[]; readonly onRemoved: () => void }) {
  const client = useClient();
  const { error, save } = useSaver();
  const remove = (id: number) =>
    save(() => client.api.call('DELETE', '/push_subscriptions/{subscription_id}', { subscription_id: id }));
  const says = useLast();
  return (
    <>
      {all.map((one) => (
        <SettingRow key={one.id} label={one.name || t('push.app')} hint={says(one)} isInline>
          {() => (
            <Button small onPress={() => void remove(one.id).then(onRemoved)}>
              {t('push.remove')}
            </Button>
          )}
        </SettingRow>
      ))}
      {error !== undefined && <FieldError id="push-error" text={error} />}
    </>
  );
}
