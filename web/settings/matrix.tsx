import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../ui/index.ts';
import { t } from '../words/deferred.ts';
import { useSought } from './sought.ts';

/** A way of being notified: on screen, by sound, phone or mail. */
export interface MatrixColumn {
  readonly key: string;
  readonly label: string;
  readonly icon: IconName;
}

/** A kind of message; each cell is on, off, or not offered. */
export interface MatrixRow {
  readonly key: string;
  readonly label: string;
  readonly lead?: ComponentChildren;
  readonly hint?: string | undefined;
  /** Whether the row is a channel with settings of its own. */
  readonly isOwn?: boolean | undefined;
  readonly cells: Readonly<Record<string, boolean | undefined>>;
}

interface MatrixProps {
  readonly columns: readonly MatrixColumn[];
  readonly rows: readonly MatrixRow[];
  readonly onChange: (row: MatrixRow, column: MatrixColumn, isOn: boolean) => void;
  /** Whether the reader may not change it. */
  readonly isFixed?: boolean | undefined;
}

/** The table of notifications: check boxes, not switches, because there are many alike. */
export function Matrix({ columns, rows, onChange, isFixed }: MatrixProps) {
  return (
    <table class="matrix">
      <thead>
        <tr>
          <th scope="col">
            <span class="sr">{t('settings.about')}</span>
          </th>
          {columns.map(({ key, label, icon }) => (
            <th scope="col" key={key}>
              <Icon name={icon} />
              <span>{label}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.key} row={row} columns={columns} onChange={onChange} isFixed={isFixed} />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = Omit<MatrixProps, 'rows'> & { readonly row: MatrixRow };

function Row({ row, columns, onChange, isFixed }: RowProps) {
  const sought = useSought<HTMLTableRowElement>(row.label);
  return (
    <tr class={row.isOwn === true ? 'sub' : undefined} {...sought}>
      <th scope="row">
        <span class="ch">
          {row.lead}
          <span dir="auto">{row.label}</span>
        </span>
        {row.hint !== undefined && <small>{row.hint}</small>}
      </th>
      {columns.map((column) => (
        <Cell key={column.key} row={row} column={column} onChange={onChange} isFixed={isFixed} />
      ))}
    </tr>
  );
}

interface CellProps {
  readonly row: MatrixRow;
  readonly column: MatrixColumn;
  readonly onChange: MatrixProps['onChange'];
  readonly isFixed: boolean | undefined;
}

function Cell({ row, column, onChange, isFixed }: CellProps) {
  const value = row.cells[column.key];
  if (value === undefined) return <td />;
  return (
    <td>
      <label class="hitbox">
        <input
          type="checkbox"
          aria-label={`${row.label}: ${column.label}`}
          checked={value}
          disabled={isFixed}
          onChange={(event) => onChange(row, column, event.currentTarget.checked)}
        />
      </label>
    </td>
  );
}
