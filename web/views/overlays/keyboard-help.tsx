import { Dialog, Keys } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';

interface KeyboardHelpProps {
  readonly sections: readonly {
    readonly title: string;
    readonly rows: readonly { readonly what: string; readonly keys: readonly string[] }[];
  }[];
  readonly onClose: () => void;
}

/** All keys, made from the table that binds them. */
export function KeyboardHelp({ sections, onClose }: KeyboardHelpProps) {
  return (
    <Dialog title={t('keys.title')} class="wide-dialog" onClose={onClose}>
      <div class="keys">
        {sections.map(({ title, rows }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map(({ what, keys }) => (
                <div key={what}>
                  <dt>{what}</dt>
                  <dd>
                    {keys.map((key) => (
                      <Keys key={key} keys={key} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
