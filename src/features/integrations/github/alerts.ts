import { lookUp } from '#kernel/lists';
import { type At, firstOf } from '../field.ts';
import { facts, link, type Markdown, md, paragraphs } from '../markdown.ts';
import { asWords, mark } from '../words/index.ts';
import { about, ofRepository, type Reader, who } from './common.ts';

/** Describes an alert about a repository: what was found, and what was done. */
function alerted(at: At, what: string, title: Markdown, known: Parameters<typeof facts>[0]): Markdown {
  const action = at('action').need.replace(/(?<=[a-z])_by_user$/, '');
  const isOpen = /^(create|created|appeared_in_branch|reopened|reintroduced|auto_reopened|publicly_leaked)/.test(
    action,
  );
  const done =
    lookUp({ create: 'found', created: 'found', dismiss: 'dismissed', resolve: 'resolved' }, action) ?? asWords(action);
  const by = at('sender.login').exists && !isOpen ? md` by ${who(at)}` : undefined;
  return paragraphs(
    md`${mark(isOpen ? 'bad' : 'good')} ${what} in ${ofRepository(at)} ${done}${by}: ${title}`,
    facts(known),
  );
}

/** Where a secret was found: the file, or the kind of place. */
function placeOf(at: At): Markdown {
  const path = at('location.details.path').text;
  return md` (${path === '' ? asWords(at('location.type').text) || 'somewhere' : path})`;
}

/** Readers of events about security alerts. */
export const ALERTS: Readonly<Record<string, Reader>> = {
  code_scanning_alert: about((at) =>
    alerted(
      at,
      'A flaw',
      link(firstOf(at('alert.rule.description'), at('alert.rule.id'), 'of the code'), at('alert.html_url')),
      {
        Severity: firstOf(at('alert.rule.security_severity_level'), at('alert.rule.severity')),
        Where: at('alert.most_recent_instance.location.path'),
        Branch: at('ref').text.replace('refs/heads/', ''),
        Tool: at('alert.tool.name'),
      },
    ),
  ),
  dependabot_alert: about((at) => {
    const hole = at('alert.security_vulnerability');
    return alerted(at, 'A vulnerable dependency', link(oneOfNames(at), at('alert.html_url')), {
      Package: hole.at('package.name'),
      Severity: hole.at('severity'),
      Versions: hole.at('vulnerable_version_range'),
      'Fixed in': firstOf(hole.at('first_patched_version.identifier'), 'no release yet'),
      Where: at('alert.dependency.manifest_path'),
    });
  }),
  repository_vulnerability_alert: about((at) =>
    alerted(at, 'A vulnerable dependency', link(at('alert.affected_package_name'), at('alert.external_reference')), {
      Versions: at('alert.affected_range'),
      'Fixed in': firstOf(at('alert.fixed_in'), 'no release yet'),
    }),
  ),
  repository_advisory: about((at) => {
    const it = at('repository_advisory');
    return paragraphs(
      md`${mark('bad')} An advisory of ${ofRepository(at)} was ${at('action')}: ${link(firstOf(it.at('summary'), it.at('ghsa_id')), it.at('html_url'))}`,
      facts({ Severity: it.at('severity'), ID: firstOf(it.at('cve_id'), it.at('ghsa_id')) }),
    );
  }),
  secret_scanning_alert_location: about(
    (at) =>
      md`${mark('bad')} A secret in ${ofRepository(at)} is in one more place: ${link(firstOf(at('alert.secret_type_display_name'), at('alert.secret_type'), 'of some kind'), at('alert.html_url'))}${placeOf(at)}`,
  ),
  secret_scanning_alert: about((at) =>
    alerted(
      at,
      'A secret',
      link(
        firstOf(at('alert.secret_type_display_name'), at('alert.secret_type'), 'of some kind'),
        at('alert.html_url'),
      ),
      { Resolution: asWords(at('alert.resolution').text) },
    ),
  ),
};

function oneOfNames(at: At): string {
  return firstOf(at('alert.security_advisory.summary'), at('alert.security_advisory.ghsa_id'), 'an advisory');
}
