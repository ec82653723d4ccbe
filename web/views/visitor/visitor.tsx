import { useState } from 'preact/hooks';
import { useClient, visitorTheme } from '../../client/index.ts';
import { Dock, NoPost } from '../../compose/index.ts';
import { IconButton, LinkButton, Mark, Menu } from '../../ui/index.ts';
import { t } from '../../words/index.ts';

/** Address of the log-in page, which leads back to the current view. */
function useLogIn(): string {
  const { route } = useClient();
  // Reading the route subscribes to it, so the address is current.
  return route.value && `/login/${location.hash}`;
}

/** Above the list of public channels: says that one reads as a visitor, and how to join. */
export function VisitorWelcome() {
  const { facts } = useClient().model;
  return (
    <div class="visit">
      <p>{t('visitor.reads')}</p>
      <LinkButton look="primary" block href={useLogIn()}>
        {t('org.logIn')}
      </LinkButton>
      {facts.get('realm_invite_required') === false && (
        <LinkButton block href="/register/">
          {t('visitor.signUp')}
        </LinkButton>
      )}
    </div>
  );
}

/** The bottom of a visitor's sidebar, in place of the person: the product's name, and the colour scheme. */
export function VisitorFoot() {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const themes = visitorTheme.choices.map((choice) => ({
    label: t(`me.theme.${choice}`),
    checked: visitorTheme.value === choice,
    onChoose: () => visitorTheme.choose(choice),
  }));
  return (
    <div class="selfbar">
      <Mark />
      <p class="quiet grow">{t('visitor.runsOn')}</p>
      <IconButton
        icon="moon"
        label={t('me.theme')}
        popup="menu"
        expanded={anchor !== undefined}
        onPress={({ currentTarget }) => setAnchor(currentTarget instanceof HTMLElement ? currentTarget : undefined)}
      />
      {anchor && (
        <Menu
          label={t('me.theme')}
          anchor={anchor}
          above
          align="end"
          groups={[themes]}
          onClose={() => setAnchor(undefined)}
        />
      )}
    </div>
  );
}

/** Replaces the composer. The button to log in stands in the sidebar, on phones in the head. */
export function VisitorDock() {
  return (
    <Dock>
      <NoPost icon="globe" title={t('visitor.noAccount')}>
        {t('visitor.noAccountHint')}
      </NoPost>
    </Dock>
  );
}

/** A log-in button for phones, where the sidebar with the other is hidden. */
export function VisitorTools() {
  return (
    <a class="btn small primary phone-only" href={useLogIn()}>
      {t('org.logIn')}
    </a>
  );
}
