import { firstOf } from '../field.ts';
import { integration, OPTIONS } from '../integration.ts';
import { bold, bullets, md, paragraphs } from '../markdown.ts';
import { sha256 } from '../signature.ts';
import { asWords, built, isBranchWanted } from '../words/index.ts';

const analysis = (status: string) => ({
  serverUrl: 'https://sonar.ferry.example',
  status: 'SUCCESS',
  project: { key: 'boats', name: 'Boats', url: 'https://sonar.ferry.example/dashboard?id=boats' },
  branch: { name: 'main', type: 'BRANCH', url: 'https://sonar.ferry.example/dashboard?id=boats&branch=main' },
  qualityGate: {
    name: 'Sea-worthy',
    status,
    conditions: [
      { metric: 'new_coverage', operator: 'LESS_THAN', value: '71.2', status, errorThreshold: '80' },
      { metric: 'new_bugs', value: '0', status: 'OK', errorThreshold: '0' },
    ],
  },
});

export const sonarqube = integration({
  name: 'sonarqube',
  title: 'SonarQube',
  category: 'Builds and deployments',
  setUp: 'In the project open Project Settings, Webhooks, Create, and paste the address as URL.',
  options: [OPTIONS.branches, OPTIONS.secret],
  signature: sha256('x-sonar-webhook-hmac-sha256'),
  read: (at, { option }) => {
    const branch = at('branch.name').text;
    if (!isBranchWanted(option('branches'), branch)) return undefined;
    const failed = at('qualityGate.conditions')
      .list.filter((one) => one.at('status').text !== 'OK' && one.at('status').text !== 'NO_VALUE')
      .map(
        (one) =>
          md`${asWords(one.at('metric').need)}: ${bold(one.at('value').text || 'unknown')}${one.at('errorThreshold').text === '' ? undefined : md`, should be ${one.at('operator').text === 'LESS_THAN' ? 'at least' : 'at most'} ${one.at('errorThreshold').text}`}`,
      );
    return {
      topic: branch === '' ? at('project.name').need : `${at('project.name').need} / ${branch}`,
      content: paragraphs(
        built({
          what: `Quality gate ${at('qualityGate.name').text}`,
          url: firstOf(at('branch.url'), at('project.url')),
          state: at('qualityGate.status').text || at('status').need,
        }),
        bullets(failed),
      ),
    };
  },
  samples: [
    { of: 'A quality gate is passed', json: analysis('OK') },
    { of: 'A quality gate is not passed', json: analysis('ERROR') },
    {
      of: 'A project without branches',
      json: { ...analysis('OK'), branch: undefined, qualityGate: { name: 'Sea-worthy', status: 'OK', conditions: [] } },
    },
  ],
});
