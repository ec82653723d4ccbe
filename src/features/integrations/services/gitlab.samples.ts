import type { Sample } from '../integration.ts';

const home = 'https://gitlab.example/ferry/boats';
const project = { name: 'boats', web_url: home };
const user = { name: 'Mia Member', username: 'mia' };
const [none, before, after] = ['0'.repeat(40), `95790bf8${'0'.repeat(32)}`, `da1560886${'0'.repeat(31)}`];
const commits = [
  {
    id: after,
    message: 'Caulk the seams\n\nWith oakum.',
    url: `${home}/-/commit/da156088`,
    author: { name: 'Mia Member' },
  },
  { id: before, message: 'Paint the hull', url: `${home}/-/commit/95790bf8`, author: { name: 'Max Member' } },
];
const pushed = {
  ref: 'refs/heads/main',
  before,
  after,
  user_name: 'Mia Member',
  project,
  commits,
  total_commits_count: 2,
};
const request = {
  iid: 12,
  title: 'Row faster',
  description: 'Four oars instead of two.',
  url: `${home}/-/merge_requests/12`,
  source_branch: 'oars',
  target_branch: 'main',
};
const issue = { iid: 7, title: 'The keel leaks', description: 'Below the bench.', url: `${home}/-/issues/7` };
const build = { ref: 'main', build_id: 80, build_name: 'test', build_stage: 'check', project_name: 'Ferry / boats' };

const of = (what: string, event: string, json: object): Sample => ({
  of: what,
  headers: { 'x-gitlab-event': event },
  json: { project, user, ...json },
});
const about = (what: string, event: string, attributes: object, json: object = {}): Sample =>
  of(what, event, { object_attributes: attributes, ...json });

/** Calls from GitLab's documentation. */
export const gitlabSamples: readonly Sample[] = [
  of('Commits are pushed', 'Push Hook', pushed),
  of('A branch is created', 'Push Hook', {
    ...pushed,
    before: none,
    ref: 'refs/heads/oars',
    commits: [],
    total_commits_count: 0,
  }),
  of('A branch is deleted', 'Push Hook', { ...pushed, after: none, commits: [], total_commits_count: 0 }),
  of('A tag is pushed', 'Tag Push Hook', { ...pushed, ref: 'refs/tags/v1.2', commits: [] }),
  of('A tag is removed', 'Tag Push Hook', {
    ...pushed,
    before: after,
    after: none,
    checkout_sha: null,
    ref: 'refs/tags/v1.1',
    commits: [],
  }),
  about('An issue is opened', 'Issue Hook', { ...issue, action: 'open' }, { assignees: [{ name: 'Max Member' }] }),
  about('A confidential issue is closed', 'Confidential Issue Hook', { ...issue, action: 'close' }),
  about('A task is opened', 'Work Item Hook', { ...issue, action: 'open' }),
  about('An incident is opened in confidence', 'Confidential Work Item Hook', {
    ...issue,
    type: 'Incident',
    action: 'open',
    description: '<!-- What is seen? -->\nWater.',
  }),
  about(
    'An epic of a group is closed',
    'Work Item Hook',
    {
      ...issue,
      iid: 2,
      type: 'Epic',
      url: 'https://gitlab.example/groups/ferry/-/work_items/2',
      action: 'close',
    },
    { project: null, repository: null, object_kind: 'work_item' },
  ),
  about(
    'A requirement is archived',
    'Issue Hook',
    { ...issue, type: 'Requirement', state_id: 2, action: 'update' },
    { changes: { state_id: { previous: 1, current: 2 } } },
  ),
  about(
    'An issue gets a title and labels',
    'Issue Hook',
    { ...issue, action: 'update' },
    {
      changes: {
        title: { previous: 'The keel', current: 'The keel leaks' },
        labels: { previous: [], current: [{ id: 3, title: 'leak' }] },
      },
    },
  ),
  about(
    'A merge request is opened',
    'Merge Request Hook',
    { ...request, action: 'open' },
    { assignees: [{ name: 'Mia Member' }], reviewers: [{ name: 'Max Member' }] },
  ),
  about(
    'A merge request gets commits',
    'Merge Request Hook',
    { ...request, action: 'update', oldrev: before },
    { changes: {} },
  ),
  about('A merge request is merged', 'Merge Request Hook', { ...request, action: 'merge' }),
  about(
    'A merge request is commented on',
    'Note Hook',
    { noteable_type: 'MergeRequest', note: 'Tar helps.', url: `${home}/-/merge_requests/12#note_1` },
    { merge_request: request },
  ),
  about(
    'An issue is commented on in confidence',
    'Confidential Note Hook',
    { noteable_type: 'Issue', note: 'Tar helps.', url: `${home}/-/issues/7#note_2` },
    { issue },
  ),
  about(
    'A commit is commented on',
    'Note Hook',
    { noteable_type: 'Commit', note: 'Well done.', url: `${home}/-/commit/da156088#note_3` },
    { commit: { id: after, url: `${home}/-/commit/da156088` } },
  ),
  about('The wiki changes', 'Wiki Page Hook', { action: 'create', title: 'Knots', url: `${home}/-/wikis/Knots` }),
  of('A job fails', 'Job Hook', { ...build, build_status: 'failed' }),
  of('A job of an older server ends', 'Build Hook', { ...build, build_status: 'success' }),
  about(
    'A pipeline ends',
    'Pipeline Hook',
    { id: 31, ref: 'main', status: 'success', duration: 63, url: `${home}/-/pipelines/31` },
    {
      builds: [
        { id: 377, name: 'test', status: 'success', artifacts_file: { filename: 'report.zip', size: 7049 } },
        { id: 378, name: 'deploy', status: 'manual', artifacts_file: { filename: null, size: null } },
      ],
    },
  ),
  of('A release is made', 'Release Hook', {
    action: 'create',
    name: 'Spring tide',
    tag: 'v1.2',
    description: 'Faster oars.',
    url: `${home}/-/releases/v1.2`,
  }),
  about('A feature flag is turned on', 'Feature Flag Hook', { id: 6, name: 'sails', active: true }),
  of('A deployment ends', 'Deployment Hook', {
    status: 'success',
    environment: 'production',
    ref: 'main',
    deployable_url: `${home}/-/jobs/81`,
    short_sha: 'da156088',
    commit_url: `${home}/-/commit/da156088`,
    commit_title: 'Caulk the seams',
  }),
  of('A deployment is approved', 'Deployment Hook', {
    status: 'approved',
    environment: 'production',
    ref: 'main',
    deployable_url: `${home}/-/jobs/81`,
    short_sha: 'da156088',
    commit_url: `${home}/-/commit/da156088`,
    commit_title: 'Caulk the seams',
    approver: { name: 'Max Member', username: 'max' },
    approval: { id: 4, status: 'approved', comment: 'Calm sea.' },
  }),
  about(
    'A token is about to expire',
    'Resource Access Token Hook',
    { id: 25, user_id: 90, name: 'robot', created_at: '2026-01-24 16:27:40 UTC', expires_at: '2026-12-01' },
    { object_kind: 'access_token', event_name: 'expiring_access_token' },
  ),
  about(
    'A deploy token of a group is about to expire',
    'Resource Deploy Token Hook',
    { id: 26, name: 'harbour', created_at: '2026-01-24 16:27:40 UTC', expires_at: '2026-12-02' },
    {
      object_kind: 'deploy_token',
      event_name: 'expiring_deploy_token',
      project: undefined,
      group: { group_name: 'Ferry', group_path: 'ferry', group_id: 35 },
    },
  ),
  about(
    'A milestone is made',
    'Milestone Hook',
    { id: 61, iid: 10, title: 'v1.0', description: 'The first voyage.', state: 'active', due_date: '2026-12-20' },
    { object_kind: 'milestone', event_type: 'milestone', action: 'create' },
  ),
  about(
    'Somebody reacts to a comment',
    'Emoji Hook',
    {
      id: 8,
      user_id: 1,
      name: 'thumbsup',
      awardable_type: 'Note',
      awardable_id: 363,
      action: 'award',
      awarded_on_url: `${home}/-/issues/7#note_2`,
    },
    { object_kind: 'emoji', event_type: 'award', note: { id: 363, note: 'Tar helps.', noteable_type: 'Issue' }, issue },
  ),
  about(
    'Somebody reacts to a comment on a design',
    'Emoji Hook',
    { id: 10, name: 'heart', awardable_type: 'Note', awarded_on_url: null },
    {
      object_kind: 'emoji',
      event_type: 'award',
      note: { id: 364, note: 'Blue?', noteable_type: 'DesignManagement::Design', url: null },
    },
  ),
  about(
    'A snippet is commented on',
    'Note Hook',
    { noteable_type: 'Snippet', note: 'Tar helps.', url: `${home}/-/snippets/53#note_4` },
    { snippet: { id: 53, title: 'Knots', url: `${home}/-/snippets/53` } },
  ),
  about(
    'Somebody takes a reaction back',
    'Emoji Hook',
    {
      id: 9,
      name: 'tada',
      awardable_type: 'MergeRequest',
      action: 'revoke',
      awarded_on_url: `${home}/-/merge_requests/12`,
    },
    { object_kind: 'emoji', event_type: 'revoke', merge_request: request },
  ),
  about(
    'A vulnerability is confirmed',
    'Vulnerability Hook',
    {
      url: `${home}/-/security/vulnerabilities/3`,
      title: 'A rotten plank',
      state: 'confirmed',
      severity: 'high',
      report_type: 'dependency_scanning',
      location: { file: 'package-lock.json' },
      identifiers: [
        { name: 'Gemnasium-29dc', external_id: '29dc', external_type: 'gemnasium' },
        { name: 'CVE-2026-1', external_id: 'CVE-2026-1', external_type: 'cve' },
      ],
    },
    { object_kind: 'vulnerability', project: undefined, user: undefined },
  ),
  of('A project is made in a group', 'Project Hook', {
    event_name: 'project_create',
    name: 'rafts',
    path_with_namespace: 'ferry/rafts',
    project_id: 22,
    project_visibility: 'private',
    project: undefined,
  }),
  of('A member joins a group', 'Member Hook', {
    event_name: 'user_add_to_group',
    group_name: 'ferry',
    user_name: 'Gus Guest',
    group_access: 'Guest',
  }),
  of('Somebody joins a project, as a system hook tells it', 'System Hook', {
    event_name: 'user_add_to_team',
    project_name: 'boats',
    user_name: 'Gus Guest',
    access_level: 'Maintainer',
    project: undefined,
  }),
  of('A comment is edited', 'Note Hook', {
    object_attributes: {
      noteable_type: 'Commit',
      action: 'update',
      note: 'Well done, all of you.',
      url: `${home}/-/commit/da156088#note_3`,
    },
    commit: { id: after, url: `${home}/-/commit/da156088` },
  }),
  of('A subgroup is made', 'Subgroup Hook', { event_name: 'subgroup_create', name: 'rafts', parent_name: 'ferry' }),
];
