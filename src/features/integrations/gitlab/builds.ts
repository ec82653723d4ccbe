import { type At, firstOf } from '../field.ts';
import type { Said } from '../integration.ts';
import { bullets, lines, link, md, paragraphs, quote } from '../markdown.ts';
import { built, capital, counted, person } from '../words/index.ts';
import { project, who } from './common.ts';

export function job(at: At): Said {
  const url = `${firstOf(at('repository.homepage'), at('project.web_url'))}/-/jobs/${at('build_id').text}`;
  return {
    topic: `${project(at)} / ${at('ref').need}`,
    content: built({
      what: `Job ${at('build_name').need}`,
      url,
      state: at('build_status').need,
      rest: md`Stage ${at('build_stage').text}, started by ${who(at)}.`,
    }),
  };
}

export function pipeline(at: At): Said {
  const it = at('object_attributes');
  const url = firstOf(it.at('url'), `${at('project.web_url').text}/-/pipelines/${it.at('id').text}`);
  const home = at('project.web_url').text;
  const jobs = at('builds').list.map((one) => {
    const job = one.at('id').exists && home !== '' ? `${home}/-/jobs/${one.at('id').text}` : '';
    const files =
      job !== '' && one.at('artifacts_file.filename').exists ? link('artifacts', `${job}/artifacts/browse`) : undefined;
    return md`${link(one.at('name'), job)}: ${one.at('status').text}${files && md` (${files})`}`;
  });
  const seconds = it.at('duration').number;
  const rest = md`Started by ${who(at)}${seconds === undefined ? '' : `, took ${counted(seconds, 'second')}`}.`;
  const head = built({ what: `Pipeline #${it.at('id').need}`, url, state: it.at('status').need, rest });
  return {
    topic: `${project(at)} / ${it.at('ref').need}`,
    content: paragraphs(head, bullets(jobs, at('builds').count)),
  };
}

/** Describes a deployment, or its approval or rejection. */
export function deployment(at: At): Said {
  const what = `Deployment of ${at('ref').text} to ${at('environment').need}`;
  const [sha, approver] = [at('short_sha').text, person(at('approver'))];
  const commit =
    sha === '' ? undefined : md`Commit ${link(sha.slice(0, 7), at('commit_url'))} ${at('commit_title').text}.`;
  const by = approver === '' ? md`Started by ${who(at)}.` : md`${capital(at('status').text)} by ${approver}.`;
  return {
    topic: `${project(at)} / Deployment on ${at('environment').need}`,
    content: paragraphs(
      built({ what, url: at('deployable_url'), state: at('status').need, rest: lines([by, commit], ' ') }),
      quote(at('approval.comment')),
    ),
  };
}
