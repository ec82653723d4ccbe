import { LANGUAGES } from '../../../words/index.ts';
import { SelectSetting } from '../saving.tsx';

interface LanguageSettingProps {
  readonly label: string;
  readonly hint?: string;
  /** Code of the language; also one that this client is not translated into, which another client has chosen. */
  readonly value: string | undefined;
  readonly fixedBy?: string | undefined;
  readonly onSave: (language: string) => Promise<unknown>;
}

/** A choice among the client's languages, each named in itself. */
export function LanguageSetting({ value = 'en', ...setting }: LanguageSettingProps) {
  const codes = [...new Set([...LANGUAGES, value])];
  return (
    <SelectSetting {...setting} value={value} options={codes.map((code) => ({ value: code, label: nameOf(code) }))} />
  );
}

function nameOf(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.slice(0, 1).toLocaleUpperCase(code) + name.slice(1);
}
