export { type SettingsPage, SettingsLayout, SettingsSection } from './layout.tsx';
export { Matrix, type MatrixColumn, type MatrixRow } from './matrix.tsx';
export { type Holder, Permission } from './permission.tsx';
export { DensityPreview, ThemePreview } from './previews.tsx';
export { SoughtProvider, useSought } from './sought.ts';
export { ChoiceCards, FixedValue, SettingRow, Stepper, SwitchRow } from './rows.tsx';
