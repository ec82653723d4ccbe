import { Fragment } from 'preact';
import { useClient } from '../../client/index.ts';
import { Dialog } from '../../ui/index.ts';
import { FieldError } from '../../ui/field.tsx';
import { t } from '../../words/deferred.ts';
import { useAnswer } from '../answer.ts';
import { closeOverlay } from './open.ts';

/** The server's version and address, which support asks for. */
export function AboutDialog() {
  const { api, model } = useClient();
  // Fetched and not taken from the register response, because the server may have been upgraded since.
  const { found, failure } = useAnswer(() => api.callAny('GET', '/server_settings', {}), [api]);
  const rows = [
    [t('about.version'), textOf(found?.['zulip_version'])],
    [t('about.level'), textOf(found?.['zulip_feature_level'])],
    [t('about.organization'), model.facts.get('realm_name')],
    [t('about.address'), location.origin],
  ] as const;
  return (
    <Dialog title={t('about.title')} class="why" onClose={closeOverlay}>
      <p>{t('about.lede')}</p>
      <dl>
        {rows.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </Fragment>
        ))}
      </dl>
      {failure !== undefined && <FieldError id="about-error" text={failure} />}
      <p class="hint">{t('about.hint')}</p>
    </Dialog>
  );
}

/** Formats a value of the reply; an ellipsis until it has arrived. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '…';
}
