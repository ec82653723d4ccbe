import { slice } from '#kernel/slice';
import { dataExportEndpoints } from './endpoints.ts';
import { dataExportsChanged } from './events.ts';
import { dataExportJob, deleteExportFile } from './jobs.ts';
import { dataExportPages } from './pages.ts';
import { sweepRegularly } from './sweep.ts';
import { dataExport } from './tables.ts';

export const dataExports = slice({
  name: 'data-exports',
  tables: [dataExport],
  reads: ['message'],
  endpoints: dataExportEndpoints,
  pages: dataExportPages,
  events: [dataExportsChanged],
  jobs: [dataExportJob, deleteExportFile],
  background: sweepRegularly,
});

export { exportsFolder } from './names.ts';
