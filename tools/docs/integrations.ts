import { INTEGRATIONS, integrationDocument, integrationsDocument } from '#features/integrations';

/** Pages below docs/integrations, by the names of their files. */
export function integrationFiles(): ReadonlyMap<string, string> {
  const each = INTEGRATIONS.map((one) => [`${one.name}.md`, integrationDocument(one)] as const);
  return new Map([['README.md', integrationsDocument(INTEGRATIONS)], ...each]);
}
