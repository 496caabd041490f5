import * as v from 'valibot'
import { branchOf, commitList, isNoCommit } from './commits.ts'
import { number, on, type Reader, text } from './event.ts'
import { code, counted, link, quote, topicName, untrustedLine } from './text.ts'

const project = v.object({ name: v.string(), web_url: text })
const user = v.object({ name: v.string() })
const common = { project, user }
const numbered = { iid: number, title: v.string(), url: text }

const ofMerge = (name: string, { iid, title }: { iid: number; title: string }) => topicName(name, `MR !${iid} ${title}`)
const ofIssue = (name: string, { iid, title }: { iid: number; title: string }) =>
  topicName(name, `issue #${iid} ${title}`)
const merge = ({ iid, url }: { iid: number; url?: string | null }) => link(`MR !${iid}`, url)

const verbs: Readonly<Record<string, string>> = {
  open: 'opened',
  reopen: 'reopened',
  close: 'closed',
  update: 'updated',
  merge: 'merged',
  approved: 'approved',
  unapproved: 'withdrew the approval of',
}

const push = on(
  v.object({
    project,
    user_name: v.string(),
    ref: v.string(),
    before: text,
    after: text,
    total_commits_count: v.nullish(number, 0),
    commits: v.nullish(v.array(v.object({ id: v.string(), message: v.string(), url: v.string() })), []),
  }),
  ({ project: { name, web_url }, user_name, ref, before, after, total_commits_count, commits }) => {
    const branch = branchOf(ref)
    const topic = topicName(name, branch)
    const who = untrustedLine(user_name)
    if (isNoCommit(after)) return { topic, content: `${who} deleted the branch ${code(branch)}.` }
    const count = Math.max(total_commits_count, commits.length)
    const what = count ? counted(count, 'commit') : 'nothing new'
    const compared = isNoCommit(before) ? web_url : `${web_url}/-/compare/${before}...${after}`
    const to = `to ${isNoCommit(before) ? 'the new branch' : 'branch'} ${code(branch)}.`
    return { topic, content: `${who} ${link('pushed', compared)} ${what} ${to}\n\n${commitList(commits)}`.trim() }
  },
)

const tagPush = on(
  v.object({ project, user_name: v.string(), ref: v.string(), after: text }),
  ({ project: { name }, user_name, ref, after }) => ({
    topic: topicName(name, branchOf(ref)),
    content: `${untrustedLine(user_name)} ${isNoCommit(after) ? 'deleted' : 'pushed'} the tag ${code(branchOf(ref))}.`,
  }),
)

const issue = on(
  v.object({ ...common, object_attributes: v.object({ ...numbered, action: text, description: text }) }),
  ({ project: { name }, user, object_attributes: about }) => {
    const verb = verbs[about.action]
    if (!verb) return undefined
    const said = `${untrustedLine(user.name)} ${verb} ${link(`issue #${about.iid}`, about.url)}`
    const isNew = about.action === 'open'
    return {
      topic: ofIssue(name, about),
      content: isNew ? `${said}: **${untrustedLine(about.title)}**${quote(about.description)}` : `${said}.`,
    }
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
    }),
  }),
  ({ project: { name }, user, object_attributes: about }) => {
    const verb = verbs[about.action]
    if (!verb) return undefined
    const topic = ofMerge(name, about)
    const said = `${untrustedLine(user.name)} ${verb} ${merge(about)}`
    if (about.action !== 'open') return { topic, content: `${said}.` }
    const branches = `from ${code(about.source_branch)} to ${code(about.target_branch)}`
    return { topic, content: `${said}: **${untrustedLine(about.title)}**, ${branches}.${quote(about.description)}` }
  },
)

const note = on(
  v.object({
    ...common,
    object_attributes: v.object({ note: text, url: text }),
    issue: v.nullish(v.object({ iid: number, title: v.string() })),
    merge_request: v.nullish(v.object({ iid: number, title: v.string() })),
    commit: v.nullish(v.object({ id: v.string() })),
  }),
  ({ project: { name, web_url }, user, object_attributes: { note, url }, issue, merge_request: mr, commit }) => {
    const said = `${untrustedLine(user.name)} ${link('commented', url)} on`
    if (mr)
      return {
        topic: ofMerge(name, mr),
        content: `${said} ${merge({ ...mr, url: `${web_url}/-/merge_requests/${mr.iid}` })}.${quote(note)}`,
      }
    if (issue)
      return {
        topic: ofIssue(name, issue),
        content: `${said} ${link(`issue #${issue.iid}`, `${web_url}/-/issues/${issue.iid}`)}.${quote(note)}`,
      }
    return {
      topic: topicName(name),
      content: `${said} ${commit ? code(commit.id.slice(0, 7)) : 'a snippet'}.${quote(note)}`,
    }
  },
)

const ENDED = new Set(['success', 'failed', 'canceled', 'skipped'])

const pipeline = on(
  v.object({ project, object_attributes: v.object({ id: number, ref: text, status: v.string(), url: text }) }),
  ({ project: { name, web_url }, object_attributes: { id, ref, status, url } }) =>
    ENDED.has(status)
      ? {
          topic: topicName(name, ref),
          content: `The ${link(`pipeline ${id}`, url || `${web_url}/-/pipelines/${id}`)} on ${code(ref)} ended: **${status}**.`,
        }
      : undefined,
)

const job = on(
  v.object({ repository: v.object({ name: v.string() }), build_name: v.string(), build_status: v.string(), ref: text }),
  ({ repository: { name }, build_name, build_status, ref }) =>
    build_status === 'failed'
      ? { topic: topicName(name, ref), content: `The job ${code(build_name)} on ${code(ref)} **failed**.` }
      : undefined,
)

const release = on(
  v.object({ project, action: text, name: v.string(), tag: v.string(), url: text, description: text }),
  ({ project, action, name, tag, url, description }) =>
    action === 'create'
      ? {
          topic: topicName(project.name, 'releases'),
          content: `The release ${link(name, url)} of the tag ${code(tag)} was published.${quote(description)}`,
        }
      : undefined,
)

/** By the event's name in GitLab's X-Gitlab-Event. */
export const gitlabEvents: Readonly<Record<string, Reader>> = {
  'Push Hook': push,
  'Tag Push Hook': tagPush,
  'Issue Hook': issue,
  'Confidential Issue Hook': issue,
  'Merge Request Hook': mergeRequest,
  'Note Hook': note,
  'Confidential Note Hook': note,
  'Pipeline Hook': pipeline,
  'Job Hook': job,
  'Release Hook': release,
}
