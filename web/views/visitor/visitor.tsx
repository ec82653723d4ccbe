import { useClient } from '../../client/index.ts';
import { Dock, NoPost } from '../../compose/index.ts';
import { LinkButton, Mark } from '../../ui/index.ts';
import { t } from '../../words/index.ts';

/** Where one logs in; one comes back to what is shown. */
function useLogIn(): string {
  const { route } = useClient();
  // The address is read anew with each view.
  return route.value && `/login/${location.hash}`;
}

/** Above the open channels: as what one reads here, and the ways in. */
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

/** In place of oneself. */
export function VisitorFoot() {
  return (
    <div class="selfbar">
      <Mark />
      <p class="quiet grow">{t('visitor.runsOn')}</p>
    </div>
  );
}

/** In place of the composer. */
export function VisitorDock() {
  return (
    <Dock>
      <NoPost
        icon="globe"
        title={t('visitor.noAccount')}
        action={
          <LinkButton look="primary" small href={useLogIn()}>
            {t('org.logIn')}
          </LinkButton>
        }
      >
        {t('visitor.noAccountHint')}
      </NoPost>
    </Dock>
  );
}

/** On phones, where the list with the ways in is not in sight. */
export function VisitorTools() {
  return (
    <a class="btn small primary phone-only" href={useLogIn()}>
      {t('org.logIn')}
    </a>
  );
}
