/** Payloads for the events of GitLab, made by hand from its documentation, with the messages that they become. */

export const there = 'https://gitlab.example.com'

/** By file: the kind of event, the topic, and the message. */
export const gitlabFiles: Readonly<Record<string, readonly [event: string, topic: string, content: string]>> = {
  push: [
    'Push Hook',
    'elsinore / main',
    `Yorick [pushed](${there}/dane/elsinore/-/compare/${'a'.repeat(40)}...${'b'.repeat(40)}) 1 commit to branch \`main\`.\n\n* Dig ([bbbbbbb](${there}/c/b))`,
  ],
  'push-deleted': ['Push Hook', 'elsinore / ghost', 'Yorick deleted the branch `ghost`.'],
  tag_push: ['Tag Push Hook', 'elsinore / v1', 'Yorick pushed the tag `v1`.'],
  issue: [
    'Issue Hook',
    'elsinore / issue #9 Ghost seen',
    `Yorick opened [issue #9](${there}/i/9): **Ghost seen**\n\n~~~ quote\nTwice\n~~~`,
  ],
  merge_request: [
    'Merge Request Hook',
    'elsinore / MR !4 Dig deeper',
    `Yorick opened [MR !4](${there}/m/4): **Dig deeper**, from \`grave\` to \`main\`.`,
  ],
  'merge_request-merged': ['Merge Request Hook', 'elsinore / MR !4 Dig deeper', `Yorick merged [MR !4](${there}/m/4).`],
  note: [
    'Note Hook',
    'elsinore / MR !4 Dig deeper',
    `Yorick [commented](${there}/m/4#n) on [MR !4](${there}/dane/elsinore/-/merge_requests/4).\n\n~~~ quote\nWhy?\n~~~`,
  ],
  pipeline: [
    'Pipeline Hook',
    'elsinore / main',
    `The [pipeline 31](${there}/p/31) by Yorick on \`main\` ended: **failed**.`,
  ],
  'pipeline-running': [
    'Pipeline Hook',
    'elsinore / main',
    `The [pipeline 31](${there}/p/31) by Yorick on \`main\` is **running**.`,
  ],
  job: ['Job Hook', 'elsinore / main', 'The job dig on `main` is **failed**.'],
  release: [
    'Release Hook',
    'elsinore / releases',
    `The release [First](${there}/r/v1) of the tag \`v1\` was published.\n\n~~~ quote\nAll\n~~~`,
  ],
}

const project = { name: 'elsinore', web_url: `${there}/dane/elsinore` }
const user = { name: 'Yorick' }
export const common = { project, user }
export const mr = { iid: 4, title: 'Dig', url: `${there}/m/4`, source_branch: 'grave', target_branch: 'main' }
const MR = `[MR !4](${there}/m/4)`
const hamlet = [{ name: 'Hamlet' }]

/** An event made by hand from GitLab's documentation, with the topic and the message that it becomes; none if absent. */
export const gitlabExamples: readonly (readonly [event: string, payload: object, topic?: string, content?: string])[] =
  [
    [
      'Merge Request Hook',
      { ...common, object_attributes: { ...mr, action: 'open', draft: true }, assignees: hamlet, reviewers: hamlet },
      'elsinore / MR !4 Dig',
      `Yorick opened ${MR} as a draft: **Dig**, from \`grave\` to \`main\`, assigned to Hamlet, to be reviewed by Hamlet.`,
    ],
    ...['approval', 'approved'].map(
      (action) =>
        [
          'Merge Request Hook',
          { ...common, object_attributes: { ...mr, action } },
          'elsinore / MR !4 Dig',
          `Yorick approved ${MR}.`,
        ] as const,
    ),
    [
      'Merge Request Hook',
      {
        ...common,
        object_attributes: {
          ...mr,
          action: 'update',
          oldrev: 'a',
          last_commit: { id: 'b'.repeat(40), message: 'Bury\nit', url: `${there}/c/b` },
        },
      },
      'elsinore / MR !4 Dig',
      `Yorick updated ${MR}: pushed [bbbbbbb](${there}/c/b) Bury.`,
    ],
    [
      'Merge Request Hook',
      {
        ...common,
        object_attributes: { ...mr, action: 'update' },
        changes: {
          assignees: { previous: [], current: hamlet },
          labels: { current: [{ title: 'skull' }] },
          draft: { current: false },
        },
      },
      'elsinore / MR !4 Dig',
      `Yorick updated ${MR}: marked it as ready, assigned Hamlet and set the labels \`skull\`.`,
    ],
    ['Merge Request Hook', { ...common, object_attributes: { ...mr, action: 'update' }, changes: { updated_at: {} } }],
    [
      'Wiki Page Hook',
      { ...common, object_attributes: { title: 'Ghosts', url: `${there}/w`, action: 'create', message: 'Ghosts' } },
      'elsinore / wiki',
      `Yorick created the wiki page [Ghosts](${there}/w).`,
    ],
    [
      'Pipeline Hook',
      {
        ...common,
        object_attributes: { id: 5, ref: 'main', status: 'success' },
        builds: [
          { name: 'dig', status: 'success', stage: 'test' },
          { name: 'bury', status: 'manual', stage: 'deploy' },
        ],
      },
      'elsinore / main',
      `The [pipeline 5](${there}/dane/elsinore/-/pipelines/5) by Yorick on \`main\` ended: **passed**.\n\n* dig: **passed**\n* bury: **waiting for a person**`,
    ],
    [
      'Job Hook',
      {
        repository: { name: 'elsinore', homepage: `${there}/dane/elsinore` },
        build_id: 7,
        build_name: 'dig',
        build_stage: 'test',
        build_status: 'failed',
        build_failure_reason: 'script_failure',
        ref: 'main',
      },
      'elsinore / main',
      `The job [dig](${there}/dane/elsinore/-/jobs/7) (test) on \`main\` is **failed**: script failure.`,
    ],
    [
      'Deployment Hook',
      {
        ...common,
        status: 'success',
        environment: 'stage',
        deployable_url: `${there}/d`,
        ref: 'main',
        commit_title: 'Dig',
      },
      'elsinore / deployments',
      `The [deployment](${there}/d) of \`main\` by Yorick to stage is **passed**.\n\n~~~ quote\nDig\n~~~`,
    ],
    [
      'Feature Flag Hook',
      { ...common, object_attributes: { name: 'ghost', active: true } },
      'elsinore / feature flags',
      'Yorick switched the feature flag `ghost` on.',
    ],
    [
      'Emoji Hook',
      { ...common, event_type: 'award', object_attributes: { name: 'skull', awarded_on_url: `${there}/i/9` } },
      'elsinore',
      `Yorick added the reaction :skull: [here](${there}/i/9).`,
    ],
    [
      'Milestone Hook',
      { project, object_attributes: { title: 'Act 5' }, action: 'close' },
      'elsinore',
      'The milestone **Act 5** was closed.',
    ],
    [
      'Member Hook',
      { event_name: 'user_add_to_group', group_name: 'court', user_name: 'Hamlet' },
      'court',
      'Hamlet joined the group **court**.',
    ],
    [
      'Subgroup Hook',
      { event_name: 'subgroup_create', name: 'actors', parent_name: 'court' },
      'court',
      'The subgroup **actors** was created.',
    ],
    [
      'Project Hook',
      { event_name: 'project_create', name: 'elsinore' },
      'elsinore',
      'The project **elsinore** was created.',
    ],
    [
      'Resource Access Token Hook',
      { project, object_attributes: { name: 'gate', expires_at: '2026-12-01' } },
      'elsinore',
      'The access token **gate** expires on 2026-12-01.',
    ],
    [
      'Vulnerability Hook',
      { project, object_attributes: { url: `${there}/v`, title: 'Poison', state: 'detected', severity: 'high' } },
      'elsinore / security',
      `The vulnerability [Poison](${there}/v) (severity: high) is **detected**.`,
    ],
    ['Test Hook', { project }, 'elsinore', 'The webhook is set up.'],
    [
      'System Hook',
      { object_kind: 'tag_push', project, user_name: 'Yorick', ref: 'refs/tags/v2', after: 'c' },
      'elsinore / v2',
      'Yorick pushed the tag `v2`.',
    ],
    ['System Hook', { event_name: 'user_create' }],
  ]
