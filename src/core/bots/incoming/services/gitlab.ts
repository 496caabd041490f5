import * as v from 'valibot'
import { authorsOf, branchOf, commitList, isNoCommit } from '../format/commits.ts'
import { announcesBranch, label, number, on, type Reader, skip, text, type View, wordFor } from '../format/event.ts'
import { type Service, sentIn } from '../format/service.ts'
import { code, counted, link, listed, quote, topicName, untrustedLine } from '../format/text.ts'

const project = v.object({ name: v.string(), web_url: text })
const user = v.object({ name: v.string() })
const people = v.nullish(v.array(user), [])
const common = { project, user }
const numbered = { iid: number, title: v.string(), url: text }

type Item = { readonly iid: number; readonly title: string; readonly url?: string | null | undefined }

const who = ({ name }: { name: string }) => untrustedLine(name)
const ofMerge = (name: string, { iid, title }: Item, { titlesInTopics }: View) =>
  topicName(name, titlesInTopics ? `MR !${iid} ${title}` : `MR !${iid}`)
const ofIssue = (name: string, { iid, title }: Item) => topicName(name, `issue #${iid} ${title}`)
const merge = ({ iid, title, url }: Item, { titled }: View) => link(`MR !${iid}${titled ? ` ${title}` : ''}`, url)
const issueNamed = ({ iid, title, url }: Item, { titled }: View) =>
  link(`issue #${iid}${titled ? ` ${title}` : ''}`, url)
const skippedBranch = (branch: string) => skip(`The address leaves the branch ${branch} out.`)
const without = { titled: false }

const verbs: Readonly<Record<string, string>> = {
  open: 'opened',
  reopen: 'reopened',
  close: 'closed',
  merge: 'merged',
  approved: 'approved',
  approval: 'approved',
  unapproved: 'withdrew the approval of',
  unapproval: 'withdrew the approval of',
}
const verbOf = (action: string) => wordFor(verbs, action)

const push = on(
  v.object({
    project,
    user_name: v.string(),
    ref: v.string(),
    before: text,
    after: text,
    total_commits_count: v.nullish(number, 0),
    commits: v.nullish(
      v.array(
        v.object({ id: v.string(), message: v.string(), url: v.string(), author: v.nullish(v.object({ name: text })) }),
      ),
      [],
    ),
  }),
  ({ project: { name, web_url }, user_name, ref, before, after, total_commits_count, commits }, view) => {
    const branch = branchOf(ref)
    if (!announcesBranch(view, branch)) return skippedBranch(branch)
    const topic = topicName(name, branch)
    const by = untrustedLine(user_name)
    if (isNoCommit(after)) return { topic, content: `${by} deleted the branch ${code(branch)}.` }
    const count = Math.max(total_commits_count, commits.length)
    const what = count ? counted(count, 'commit') : 'nothing new'
    const compared = isNoCommit(before) ? web_url : `${web_url}/-/compare/${before}...${after}`
    const to = `to ${isNoCommit(before) ? 'the new branch' : 'branch'} ${code(branch)}.`
    const shown = commits.map(({ author, ...commit }) => ({ ...commit, author: author?.name || undefined }))
    return {
      topic,
      content:
        `${by} ${link('pushed', compared)} ${what} ${to}${authorsOf(shown, user_name)}\n\n${commitList(shown)}`.trim(),
    }
  },
)

const tagPush = on(
  v.object({ project, user_name: v.string(), ref: v.string(), after: text }),
  ({ project: { name }, user_name, ref, after }) => ({
    topic: topicName(name, branchOf(ref)),
    content: `${untrustedLine(user_name)} ${isNoCommit(after) ? 'deleted' : 'pushed'} the tag ${code(branchOf(ref))}.`,
  }),
)

/** What an update changed, as GitLab lists it: before and after. */
const changes = v.nullish(
  v.object({
    assignees: v.nullish(v.object({ previous: people, current: people })),
    reviewers: v.nullish(v.object({ previous: people, current: people })),
    labels: v.nullish(v.object({ current: v.nullish(v.array(v.object({ title: v.string() })), []) })),
    milestone_id: v.nullish(v.unknown()),
    title: v.nullish(v.object({ previous: text, current: text })),
    description: v.nullish(v.unknown()),
    draft: v.nullish(v.object({ current: v.nullish(v.boolean()) })),
    due_date: v.nullish(v.object({ current: text })),
    target_branch: v.nullish(v.object({ current: text })),
  }),
  {},
)

/** The changes of an update, in words; empty if none of them is announced. */
function changed(found: v.InferOutput<typeof changes>): string {
  const { assignees, reviewers, labels, milestone_id, title, description, draft, due_date, target_branch } = found ?? {}
  const names = (list: readonly { name: string }[]) => listed(list.map(who)) || 'nobody'
  return listed(
    [
      title && `changed the title to **${untrustedLine(title.current)}**`,
      description !== undefined && description !== null && 'changed the description',
      draft && (draft.current ? 'marked it as a draft' : 'marked it as ready'),
      assignees && `assigned ${names(assignees.current)}`,
      reviewers && `requested a review from ${names(reviewers.current)}`,
      labels && `set the labels ${listed(labels.current.map(({ title }) => code(title))) || 'to none'}`,
      milestone_id !== undefined && milestone_id !== null && 'changed the milestone',
      due_date && `set the due date ${due_date.current ? untrustedLine(due_date.current) : 'to none'}`,
      target_branch && `changed the target to ${code(target_branch.current)}`,
    ].filter((part): part is string => typeof part === 'string'),
  )
}

const issue = on(
  v.object({
    ...common,
    object_attributes: v.object({ ...numbered, action: text, description: text }),
    assignees: people,
    changes,
  }),
  ({ project: { name }, user, object_attributes: about, assignees, changes }, view) => {
    const topic = ofIssue(name, about)
    if (about.action === 'update') {
      const what = changed(changes)
      return what
        ? { topic, content: `${who(user)} updated ${issueNamed(about, view)}: ${what}.` }
        : skip('The update changed nothing that is announced.')
    }
    const verb = verbOf(about.action)
    if (!verb) return skip(`The action "${about.action}" is not announced.`)
    if (about.action !== 'open') return { topic, content: `${who(user)} ${verb} ${issueNamed(about, view)}.` }
    const assigned = assignees.length ? `, assigned to ${listed(assignees.map(who))}` : ''
    const said = `${who(user)} ${verb} ${issueNamed(about, { ...view, ...without })}`
    return { topic, content: `${said}: **${untrustedLine(about.title)}**${assigned}${quote(about.description)}` }
  },
)

const mergeRequest = on(
  v.object({
    ...common,
    object_attributes: v.object({
      ...numbered,
      action: text,
      description: text,
      source_branch: v.string(),
      target_branch: v.string(),
      oldrev: text,
      draft: v.nullish(v.boolean()),
      last_commit: v.nullish(v.object({ id: text, message: text, url: text })),
    }),
    assignees: people,
    reviewers: people,
    changes,
  }),
  ({ project: { name }, user, object_attributes: about, assignees, reviewers, changes }, view) => {
    if (!announcesBranch(view, about.target_branch)) return skippedBranch(about.target_branch)
    const topic = ofMerge(name, about, view)
    if (about.action === 'update') {
      const { oldrev, last_commit: commit } = about
      const added = oldrev
        ? `pushed ${commit?.id ? `${link(commit.id.slice(0, 7), commit.url)} ${untrustedLine(commit.message.split('\n', 1)[0]!)}` : 'commits'}`
        : ''
      const what = [added, changed(changes)].filter(Boolean).join(', ')
      return what
        ? { topic, content: `${who(user)} updated ${merge(about, view)}: ${what}.` }
        : skip('The update changed nothing that is announced.')
    }
    const verb = verbOf(about.action)
    if (!verb) return skip(`The action "${about.action}" is not announced.`)
    const said = `${who(user)} ${verb} ${merge(about, about.action === 'open' ? { ...view, ...without } : view)}`
    if (about.action !== 'open') return { topic, content: `${said}.` }
    const branches = `from ${code(about.source_branch)} to ${code(about.target_branch)}`
    const assigned = assignees.length ? `, assigned to ${listed(assignees.map(who))}` : ''
    const reviewed = reviewers.length ? `, to be reviewed by ${listed(reviewers.map(who))}` : ''
    return {
      topic,
      content: `${said}${about.draft ? ' as a draft' : ''}: **${untrustedLine(about.title)}**, ${branches}${assigned}${reviewed}.${quote(about.description)}`,
    }
  },
)

const note = on(
  v.object({
    ...common,
    object_attributes: v.object({ note: text, url: text, action: text }),
    issue: v.nullish(v.object({ iid: number, title: v.string() })),
    merge_request: v.nullish(v.object({ iid: number, title: v.string() })),
    snippet: v.nullish(v.object({ title: text })),
    commit: v.nullish(v.object({ id: v.string(), url: text })),
  }),
  ({ project: { name, web_url }, user, object_attributes: about, issue, merge_request: mr, snippet, commit }, view) => {
    const said =
      about.action === 'update'
        ? `${who(user)} edited a ${link('comment', about.url)} on`
        : `${who(user)} ${link('commented', about.url)} on`
    if (mr)
      return {
        topic: ofMerge(name, mr, view),
        content: `${said} ${merge({ ...mr, url: `${web_url}/-/merge_requests/${mr.iid}` }, view)}.${quote(about.note)}`,
      }
    if (issue)
      return {
        topic: ofIssue(name, issue),
        content: `${said} ${issueNamed({ ...issue, url: `${web_url}/-/issues/${issue.iid}` }, view)}.${quote(about.note)}`,
      }
    const what = commit
      ? link(commit.id.slice(0, 7), commit.url)
      : `the snippet **${untrustedLine(snippet?.title ?? '')}**`
    return { topic: topicName(name), content: `${said} ${what}.${quote(about.note)}` }
  },
)

const wikiVerbs: Readonly<Record<string, string>> = { create: 'created', update: 'updated', delete: 'deleted' }
const wiki = on(
  v.object({
    ...common,
    object_attributes: v.object({ title: v.string(), url: text, action: v.string(), message: text }),
  }),
  ({ project: { name }, user, object_attributes: { title, url, action, message } }) => ({
    topic: topicName(name, 'wiki'),
    content: `${who(user)} ${wordFor(wikiVerbs, action) ?? untrustedLine(action)} the wiki page ${link(title, url)}.${quote(message === title ? '' : message)}`,
  }),
)

const ENDED = new Set(['success', 'failed', 'canceled', 'skipped'])
const states: Readonly<Record<string, string>> = {
  success: 'passed',
  manual: 'waiting for a person',
  created: 'created',
}
const inWords = (status: string) => `**${wordFor(states, status) ?? untrustedLine(status.replaceAll('_', ' '))}**`

const pipeline = on(
  v.object({
    project,
    user: v.nullish(user),
    object_attributes: v.object({ id: number, ref: text, status: v.string(), url: text, name: text }),
    merge_request: v.nullish(v.object({ iid: number, title: v.string(), url: text })),
    builds: v.nullish(v.array(v.object({ name: v.string(), status: v.string(), stage: text })), []),
  }),
  ({ project: { name, web_url }, user, object_attributes: p, builds, merge_request: mr }, view) => {
    if (p.ref && !announcesBranch(view, p.ref)) return skippedBranch(p.ref)
    const shown = link(`pipeline ${p.name || p.id}`, p.url || `${web_url}/-/pipelines/${p.id}`)
    const by = user ? ` by ${who(user)}` : ''
    const verb = ENDED.has(p.status) ? 'ended:' : 'is'
    const jobs = builds.slice(0, 30).map(({ name, status }) => `* ${untrustedLine(name)}: ${inWords(status)}`)
    const of = mr ? ` for ${merge(mr, { ...view, titled: true })}` : ''
    return {
      topic: topicName(name, p.ref),
      content: `The ${shown}${by} on ${code(p.ref)}${of} ${verb} ${inWords(p.status)}.${jobs.length ? `\n\n${jobs.join('\n')}` : ''}`,
    }
  },
)

const job = on(
  v.object({
    repository: v.object({ name: v.string(), homepage: text }),
    build_id: v.nullish(number),
    build_name: v.string(),
    build_stage: text,
    build_status: v.string(),
    build_failure_reason: text,
    ref: text,
  }),
  ({ repository, build_id, build_name, build_stage, build_status, build_failure_reason: reason, ref }, view) => {
    if (ref && !announcesBranch(view, ref)) return skippedBranch(ref)
    const url = build_id && repository.homepage ? `${repository.homepage}/-/jobs/${build_id}` : ''
    const stage = build_stage ? ` (${untrustedLine(build_stage)})` : ''
    const why =
      build_status === 'failed' && reason && reason !== 'unknown_failure'
        ? `: ${untrustedLine(reason.replaceAll('_', ' '))}`
        : ''
    return {
      topic: topicName(repository.name, ref),
      content: `The job ${link(build_name, url)}${stage} on ${code(ref)} is ${inWords(build_status)}${why}.`,
    }
  },
)

const releaseVerbs: Readonly<Record<string, string>> = { create: 'published', update: 'updated', delete: 'deleted' }
const release = on(
  v.object({ project, action: text, name: v.string(), tag: v.string(), url: text, description: text }),
  ({ project, action, name, tag, url, description }) => ({
    topic: topicName(project.name, 'releases'),
    content: `The release ${link(name, url)} of the tag ${code(tag)} was ${wordFor(releaseVerbs, action) ?? 'published'}.${action === 'create' ? quote(description) : ''}`,
  }),
)

const deployment = on(
  v.object({
    project,
    user: v.nullish(user),
    status: v.string(),
    environment: text,
    environment_external_url: text,
    deployable_url: text,
    ref: text,
    commit_title: text,
  }),
  ({ project, user, status, environment, environment_external_url, deployable_url, ref, commit_title }) => ({
    topic: topicName(project.name, 'deployments'),
    content: `The ${link('deployment', deployable_url)} of ${code(ref)}${user ? ` by ${who(user)}` : ''} to ${link(environment || 'an environment', environment_external_url)} is ${inWords(status)}.${quote(commit_title)}`,
  }),
)

const featureFlag = on(
  v.object({
    ...common,
    object_attributes: v.object({ name: v.string(), active: v.nullish(v.boolean()) }),
    user_url: text,
  }),
  ({ project, user, object_attributes: { name, active } }) => ({
    topic: topicName(project.name, 'feature flags'),
    content: `${who(user)} switched the feature flag ${code(name)} ${active ? 'on' : 'off'}.`,
  }),
)

const emoji = on(
  v.object({ ...common, event_type: text, object_attributes: v.object({ name: v.string(), awarded_on_url: text }) }),
  ({ project, user, event_type, object_attributes: { name, awarded_on_url } }) => ({
    topic: topicName(project.name),
    content: `${who(user)} ${event_type === 'revoke' ? 'removed' : 'added'} the reaction :${untrustedLine(name).replace(/\W/g, '_')}: ${link('here', awarded_on_url)}.`,
  }),
)

const milestone = on(
  v.object({ project: v.nullish(project), object_attributes: v.object({ title: v.string() }), action: text }),
  ({ project, object_attributes: { title }, action }) => ({
    topic: topicName(project?.name ?? 'GitLab'),
    content: `The milestone **${untrustedLine(title)}** was ${wordFor({ create: 'created', close: 'closed', reopen: 'reopened' }, action) ?? 'changed'}.`,
  }),
)

const memberVerbs: Readonly<Record<string, string>> = {
  user_add_to_group: 'joined',
  user_remove_from_group: 'left',
  user_update_for_group: 'has other rights in',
  user_access_request_to_group: 'asked to join',
  user_access_request_denied_for_group: 'was not admitted to',
}
const member = on(
  v.object({ event_name: v.string(), group_name: v.string(), user_name: v.string() }),
  ({ event_name, group_name, user_name }) => ({
    topic: topicName(group_name),
    content: `${untrustedLine(user_name)} ${wordFor(memberVerbs, event_name) ?? 'changed in'} the group **${untrustedLine(group_name)}**.`,
  }),
)
const group = on(
  v.object({ event_name: v.string(), name: v.string(), full_path: text, parent_name: text }),
  ({ event_name, name, parent_name }) => ({
    topic: topicName(parent_name || name),
    content: `The subgroup **${untrustedLine(name)}** was ${event_name.includes('destroy') ? 'removed' : 'created'}.`,
  }),
)
const projectEvent = on(v.object({ event_name: v.string(), name: v.string() }), ({ event_name, name }) => ({
  topic: topicName(name),
  content: `The project **${untrustedLine(name)}** was ${event_name.includes('destroy') ? 'removed' : 'created'}.`,
}))

const token = on(
  v.object({
    project: v.nullish(project),
    group: v.nullish(v.object({ group_name: v.string() })),
    object_attributes: v.object({ name: v.string(), expires_at: label }),
  }),
  ({ project, group, object_attributes: { name, expires_at } }) => ({
    topic: topicName(project?.name ?? group?.group_name ?? 'GitLab'),
    content: `The access token **${untrustedLine(name)}** expires on ${untrustedLine(expires_at)}.`,
  }),
)

const vulnerability = on(
  v.object({
    object_attributes: v.object({ url: text, title: v.string(), state: text, severity: text }),
    project: v.nullish(project),
  }),
  ({ object_attributes: { url, title, state, severity }, project }) => ({
    topic: topicName(project?.name ?? 'GitLab', 'security'),
    content: `The vulnerability ${link(title, url)} (severity: ${untrustedLine(severity)}) is ${inWords(state)}.`,
  }),
)

const test = on(v.object({ project: v.nullish(project) }), ({ project }) => ({
  topic: topicName(project?.name ?? 'GitLab'),
  content: 'The webhook is set up.',
}))

/** By the name that GitLab gives the event in X-Gitlab-Event. */
const events: Readonly<Record<string, Reader>> = {
  'Push Hook': push,
  'Tag Push Hook': tagPush,
  'Issue Hook': issue,
  'Confidential Issue Hook': issue,
  'Work Item Hook': issue,
  'Confidential Work Item Hook': issue,
  'Merge Request Hook': mergeRequest,
  'Note Hook': note,
  'Confidential Note Hook': note,
  'Wiki Page Hook': wiki,
  'Pipeline Hook': pipeline,
  'Job Hook': job,
  'Build Hook': job,
  'Deployment Hook': deployment,
  'Release Hook': release,
  'Feature Flag Hook': featureFlag,
  'Emoji Hook': emoji,
  'Milestone Hook': milestone,
  'Member Hook': member,
  'Subgroup Hook': group,
  'Project Hook': projectEvent,
  'Resource Access Token Hook': token,
  'Vulnerability Hook': vulnerability,
  'Test Hook': test,
}

/** The events of system hooks and of tests, which name the kind only in the payload. */
const byKind: Readonly<Record<string, string>> = {
  push: 'Push Hook',
  tag_push: 'Tag Push Hook',
  issue: 'Issue Hook',
  work_item: 'Work Item Hook',
  merge_request: 'Merge Request Hook',
  note: 'Note Hook',
  wiki_page: 'Wiki Page Hook',
  pipeline: 'Pipeline Hook',
  build: 'Job Hook',
  deployment: 'Deployment Hook',
  release: 'Release Hook',
}
const aboutKind = v.object({
  object_kind: text,
  object_attributes: v.nullish(v.object({ action: text, noteable_type: text })),
})

export const gitlab: Service = {
  name: 'gitlab',
  displayName: 'GitLab',
  hasBranches: true,
  headers: ['x-gitlab-event', 'x-gitlab-event-uuid', 'x-gitlab-token'],
  eventHeader: 'x-gitlab-event',
  deliveryHeader: 'x-gitlab-event-uuid',
  secret: { option: 'gitlab_secret', isProven: sentIn('x-gitlab-token') },
  eventOf(payload, header) {
    if (header !== 'System Hook' && header !== 'Test Hook') return header
    const { success, output } = v.safeParse(aboutKind, payload)
    return (success && Object.hasOwn(byKind, output.object_kind) && byKind[output.object_kind]) || header
  },
  alsoNamed(payload, header) {
    const { success, output } = v.safeParse(aboutKind, payload)
    const about = success ? output.object_attributes : undefined
    // "Merge Request Hook open" and "Note Hook MergeRequest", as Zulip's integration names them.
    return [about?.action, about?.noteable_type].flatMap((word) => (word ? [`${header} ${word}`] : []))
  },
  events,
  unannounced: {
    'System Hook': 'Events of the whole installation are announced only if a project has them, too.',
  },
}
