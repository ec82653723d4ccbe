import {
  ChoiceCards,
  DensityPreview,
  FixedValue,
  Matrix,
  Permission,
  SettingRow,
  SettingsLayout,
  SettingsSection,
  Stepper,
  SwitchRow,
  ThemePreview,
} from '../settings/index.ts';
import { ChannelIcon } from '../ui/channel-icon.tsx';
import { Icon } from '../ui/index.ts';
import { Select, TextInput } from '../ui/field.tsx';
import { Frame } from '../views/shell/frame.tsx';
import { Head, PlainTitle } from '../views/shell/head.tsx';
import { t } from '../words/index.ts';
import { engineering, idle } from './data.tsx';
import { Conversations } from './sidebar.tsx';

const GROUPS = [
  {
    title: 'Max Member',
    pages: [
      { href: '#settings/profile', label: 'Profile', icon: 'person' },
      { href: '#settings/notifications', label: 'Notifications', icon: 'bell' },
      { href: '#settings/preferences', label: 'Display', icon: 'moon', isCurrent: true },
    ],
  },
  { title: 'Rookery Works', pages: [{ href: '#organization/users', label: 'People', icon: 'people' }] },
] as const;

/** Settings with a row of each kind. */
export function Settings() {
  return (
    <Frame left={<Conversations />}>
      <Head>
        <a class="icon-btn" href="#inbox" aria-label={t('common.back')}>
          <Icon name="back" />
        </a>
        <PlainTitle>{t('settings.title')}</PlainTitle>
      </Head>
      <SettingsLayout label={t('settings.title')} groups={GROUPS} query="" onQuery={idle} page="Display">
        <h2 class="display set-title">Display</h2>
        <SettingsSection id="d1" title="Theme">
          <ChoiceCards
            labelledBy="d1"
            name="theme"
            value="system"
            onChange={idle}
            options={[
              {
                value: 'system',
                label: 'Same as the system',
                hint: 'Changes with it.',
                picture: <ThemePreview theme="system" />,
              },
              { value: 'light', label: 'Light', picture: <ThemePreview theme="light" /> },
              { value: 'dark', label: 'Dark', picture: <ThemePreview theme="dark" /> },
            ]}
          />
          <SwitchRow
            label="High contrast"
            hint="Follows the system unless you choose."
            checked={false}
            onChange={idle}
          />
        </SettingsSection>
        <SettingsSection id="d2" title="Density" lede="For this browser only.">
          <ChoiceCards
            labelledBy="d2"
            name="density"
            value="comfortable"
            onChange={idle}
            options={[
              {
                value: 'comfortable',
                label: 'Comfortable',
                hint: '15 px messages, 30 px rows.',
                picture: <DensityPreview density="comfortable" />,
              },
              {
                value: 'compact',
                label: 'Compact',
                hint: '14 px messages, 26 px rows.',
                picture: <DensityPreview density="compact" />,
              },
            ]}
          />
          <SettingRow label="Size of letters" saved isInline>
            {() => <Stepper label="Size of letters" value="16 px" onLess={idle} onMore={idle} />}
          </SettingRow>
          <SettingRow label="Home view" hint="The view that Roost opens with.">
            {(names) => (
              <Select {...names} value="inbox" onChange={idle} options={[{ value: 'inbox', label: 'Inbox' }]} />
            )}
          </SettingRow>
          <SettingRow label="Your name" error="Name is already in use!">
            {(names) => <TextInput {...names} value="Mia Member" />}
          </SettingRow>
          <SettingRow label="Email">
            {() => <FixedValue value="max@rookery.example" by="an administrator" />}
          </SettingRow>
        </SettingsSection>
        <SettingsSection id="d3" title="Writing" lede="Groups and people. A dashed frame is fixed.">
          <SettingRow label="Send messages">
            {() => (
              <Permission
                label="Send messages"
                holders={[{ key: '1', name: 'Everyone' }]}
                onAdd={idle}
                onRemove={idle}
              />
            )}
          </SettingRow>
          <SettingRow label="Start topics" hint="Always everyone while earlier messages are hidden.">
            {() => <Permission label="Start topics" holders={[{ key: '1', name: 'Everyone' }]} />}
          </SettingRow>
        </SettingsSection>
        <SettingsSection
          id="d4"
          title="When to notify you"
          lede="Muted conversations stay silent, whatever is chosen here."
        >
          <Matrix
            columns={[
              { key: 'screen', label: 'On screen', icon: 'laptop' },
              { key: 'sound', label: 'Sound', icon: 'sound' },
              { key: 'phone', label: 'Phone', icon: 'phone' },
              { key: 'mail', label: 'Mail', icon: 'mail' },
            ]}
            rows={[
              {
                key: 'a',
                label: 'Direct messages, mentions, alert words',
                cells: { screen: true, sound: true, phone: true, mail: true },
              },
              {
                key: 'b',
                label: 'Topics I follow',
                hint: 'Also topics you were mentioned in',
                cells: { screen: true, sound: true, phone: false, mail: false },
              },
              {
                key: 'c',
                label: 'engineering',
                lead: <ChannelIcon channel={engineering} small />,
                hint: 'Differs from the others',
                isOwn: true,
                cells: { screen: true, sound: false, phone: true },
              },
            ]}
            onChange={idle}
          />
        </SettingsSection>
      </SettingsLayout>
    </Frame>
  );
}
