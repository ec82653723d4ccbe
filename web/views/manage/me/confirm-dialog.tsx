import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { OutputOf } from '../../../api/index.ts';
import { sentenceOf, useClient } from '../../../client/index.ts';
import { Button, Dialog, LinkButton, ListSkeleton } from '../../../ui/index.ts';
import { Field, FieldError, TextInput } from '../../../ui/field.tsx';
import { t } from '../../../words/deferred.ts';
import { useSaver } from '../saving.tsx';

type Ways = OutputOf<'GET', '/users/me/confirmation'>;

/**
 * Asks the person to confirm who they are before an action that only the account's owner may take; the action then
 * continues.
 */
export function ConfirmDialog() {
  const { api, confirming } = useClient();
  const [ways, setWays] = useState<Ways | undefined>();
  const [failure, setFailure] = useState<string | undefined>();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { isBusy, error, save } = useSaver();
  const look = useCallback(() => {
    api.call('GET', '/users/me/confirmation', {}).then(
      (found) => (found.is_confirmed ? confirming.settle(true) : setWays(found)),
      (fault: unknown) => setFailure(sentenceOf(fault)),
    );
  }, [api, confirming]);
  useEffect(() => {
    look();
    // Logging in at an identity provider happens in another window, so the state is checked when the focus returns.
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, [look]);
  // The fields appear when the server has said which ways there are.
  const fields = useRef<HTMLDivElement>(null);
  const isShown = ways !== undefined;
  useLayoutEffect(() => fields.current?.querySelector('input')?.focus(), [isShown]);
  const cancel = () => confirming.settle(false);
  const send = async () => {
    if (await save(() => api.call('POST', '/users/me/confirmation', { password, code }))) confirming.settle(true);
  };
  const isTyped = ways !== undefined && (ways.asks_password || ways.asks_code);
  const fault = error ?? failure;
  return (
    <Dialog
      title={t('confirm.title')}
      onClose={cancel}
      onSubmit={() => void (isTyped ? send() : look())}
      foot={
        <>
          {isTyped && (
            <Button look="primary" submit busy={isBusy}>
              {t('confirm.way')}
            </Button>
          )}
          <Button onPress={cancel}>{t('common.cancel')}</Button>
        </>
      }
    >
      <p>{t('confirm.why')}</p>
      {!ways && failure === undefined && <ListSkeleton count={1} />}
      <div class="stack-v" ref={fields}>
        {ways?.asks_password && (
          <Field label={t('me.password')}>
            {(names) => (
              <TextInput
                {...names}
                type="password"
                autoComplete="current-password"
                required
                value={password}
                onText={setPassword}
              />
            )}
          </Field>
        )}
        {ways?.asks_code && (
          <Field label={t('confirm.code')} hint={t('confirm.codeHint')}>
            {(names) => <TextInput {...names} autoComplete="one-time-code" required value={code} onText={setCode} />}
          </Field>
        )}
      </div>
      {ways?.providers.map(({ name, url }) => (
        <LinkButton key={url} href={url} isApart>
          {t('confirm.provider', { name })}
        </LinkButton>
      ))}
      {ways && !isTyped && ways.providers.length === 0 && <p>{t('confirm.none')}</p>}
      {fault !== undefined && <FieldError id="confirm-error" text={fault} />}
    </Dialog>
  );
}
