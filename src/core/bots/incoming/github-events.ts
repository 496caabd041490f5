import * as v from 'valibot'
import { branchOf, commitList, isTag } from './commits.ts'
import { number, on, type Reader, text } from './event.ts'
import { code, counted, link, quote, topicName, untrustedLine } from './text.ts'

const user = v.object({ login: v.string() })
const repository = v.object({ name: v.string() })
const common = { repository, sender: user }
const numbered = v.object({ number, title: v.string(), html_url: v.string(), body: text })
const pullRequest = v.object({
  ...numbered.entries,
  merged: v.nullish(v.boolean()),
  draft: v.nullish(v.boolean()),
  head: v.object({ ref: v.string() }),
  base: v.object({ ref: v.string() }),
})
const comment = v.object({ html_url: v.string(), body: text })

const who = ({ login }: { login: string }) => untrustedLine(login)
const ofPull = (repo: { name: string }, { number, title }: { number: number; title: string }) =>
  topicName(repo.name, `PR #${number} ${title}`)
const ofIssue = (repo: { name: string }, { number, title }: { number: number; title: string }) =>
  topicName(repo.name, `issue #${number} ${title}`)
const pull = ({ number, html_url }: { number: number; html_url: string }) => link(`PR #${number}`, html_url)

/** Announced actions on a pull request or an issue, with their wording. */
const pullActions: Readonly<Record<string, string>> = {
  opened: 'opened',
  reopened: 'reopened',
  edited: 'edited',
  synchronize: 'updated',
  ready_for_review: 'marked as ready',
  converted_to_draft: 'made a draft of',
}
const issueActions: Readonly<Record<string, string>> = {
  opened: 'opened',
  reopened: 'reopened',
  closed: 'closed',
  edited: 'edited',
}
const reviewStates: Readonly<Record<string, string>> = {
  approved: 'approved',
  changes_requested: 'requested changes in',
  commented: 'commented on',
  dismissed: 'had a review dismissed in',
}

const push = on(
  v.object({
    ...common,
    ref: v.string(),
    compare: text,
    created: v.nullish(v.boolean()),
    deleted: v.nullish(v.boolean()),
    forced: v.nullish(v.boolean()),
    commits: v.nullish(v.array(v.object({ id: v.string(), message: v.string(), url: v.string() })), []),
  }),
  ({ repository, sender, ref, compare, created, deleted, forced, commits }) => {
    const name = branchOf(ref)
    const topic = topicName(repository.name, name)
    const kind = isTag(ref) ? 'tag' : 'branch'
    if (deleted) return { topic, content: `${who(sender)} deleted the ${kind} ${code(name)}.` }
    if (kind === 'tag') return { topic, content: `${who(sender)} pushed the tag ${code(name)}.` }
    const verb = forced ? 'force pushed' : 'pushed'
    const what = commits.length ? counted(commits.length, 'commit') : 'nothing new'
    const to = `to ${created ? 'the new branch' : 'branch'} ${code(name)}.`
    return {
      topic,
      content: `${who(sender)} ${link(verb, compare)} ${what} ${to}\n\n${commitList(commits)}`.trim(),
    }
  },
)

const made = (verb: string) =>
  on(v.object({ ...common, ref: v.string(), ref_type: v.string() }), ({ repository, sender, ref, ref_type }) => ({
    topic: topicName(repository.name, ref),
    content: `${who(sender)} ${verb} the ${untrustedLine(ref_type)} ${code(ref)}.`,
  }))

const pullRequestEvent = on(
  v.object({ ...common, action: v.string(), pull_request: pullRequest }),
  ({ repository, sender, action, pull_request: pr }) => {
    const topic = ofPull(repository, pr)
    const { ref: from } = pr.head
    if (action === 'closed') {
      return { topic, content: `${who(sender)} ${pr.merged ? 'merged' : 'closed without merging'} ${pull(pr)}.` }
    }
    const verb = pullActions[action]
    if (!verb) return undefined
    if (action !== 'opened') return { topic, content: `${who(sender)} ${verb} ${pull(pr)}.` }
    const draft = pr.draft ? ' as a draft' : ''
    const content = `${who(sender)} opened ${pull(pr)}${draft}: **${untrustedLine(pr.title)}**, from ${code(from)} to ${code(pr.base.ref)}.${quote(pr.body)}`
    return { topic, content }
  },
)

const review = on(
  v.object({
    ...common,
    action: v.string(),
    pull_request: v.object({ number, title: v.string(), html_url: v.string() }),
    review: v.object({ state: v.string(), html_url: v.string(), body: text }),
  }),
  ({ repository, sender, action, pull_request: pr, review: { state, html_url, body } }) => {
    const verb = reviewStates[state]
    if (action !== 'submitted' || !verb) return undefined
    return {
      topic: ofPull(repository, pr),
      content: `${who(sender)} ${link(verb, html_url)} ${pull(pr)}.${quote(body)}`,
    }
  },
)

const reviewComment = on(
  v.object({
    ...common,
    action: v.string(),
    pull_request: v.object({ number, title: v.string(), html_url: v.string() }),
    comment,
  }),
  ({ repository, sender, action, pull_request: pr, comment: { html_url, body } }) =>
    action === 'created'
      ? {
          topic: ofPull(repository, pr),
          content: `${who(sender)} ${link('commented', html_url)} on ${pull(pr)}.${quote(body)}`,
        }
      : undefined,
)

const issues = on(
  v.object({ ...common, action: v.string(), issue: numbered }),
  ({ repository, sender, action, issue }) => {
    const verb = issueActions[action]
    if (!verb) return undefined
    const about = `${who(sender)} ${verb} ${link(`issue #${issue.number}`, issue.html_url)}`
    const content =
      action === 'opened' ? `${about}: **${untrustedLine(issue.title)}**${quote(issue.body)}` : `${about}.`
    return { topic: ofIssue(repository, issue), content }
  },
)

const issueComment = on(
  v.object({
    ...common,
    action: v.string(),
    issue: v.object({ ...numbered.entries, pull_request: v.nullish(v.unknown()) }),
    comment,
  }),
  ({ repository, sender, action, issue, comment: { html_url, body } }) => {
    if (action !== 'created') return undefined
    const of = issue.pull_request ? ofPull : ofIssue
    const subject = link(`${issue.pull_request ? 'PR' : 'issue'} #${issue.number}`, issue.html_url)
    return {
      topic: of(repository, issue),
      content: `${who(sender)} ${link('commented', html_url)} on ${subject}.${quote(body)}`,
    }
  },
)

const commitComment = on(
  v.object({ ...common, comment: v.object({ ...comment.entries, commit_id: v.string() }) }),
  ({ repository, sender, comment: { html_url, body, commit_id } }) => ({
    topic: topicName(repository.name),
    content: `${who(sender)} ${link('commented', html_url)} on ${code(commit_id.slice(0, 7))}.${quote(body)}`,
  }),
)

const release = on(
  v.object({
    ...common,
    action: v.string(),
    release: v.object({ name: text, tag_name: v.string(), html_url: v.string(), body: text }),
  }),
  ({ repository, sender, action, release: { name, tag_name, html_url, body } }) =>
    action === 'published'
      ? {
          topic: topicName(repository.name, 'releases'),
          content: `${who(sender)} published the release ${link(name || tag_name, html_url)} of the tag ${code(tag_name)}.${quote(body)}`,
        }
      : undefined,
)

const workflowRun = on(
  v.object({
    ...common,
    action: v.string(),
    workflow_run: v.object({ name: text, head_branch: text, html_url: v.string(), conclusion: text }),
  }),
  ({ repository, action, workflow_run: { name, head_branch, html_url, conclusion } }) =>
    action === 'completed'
      ? {
          topic: topicName(repository.name, head_branch),
          content: `The workflow ${link(name || 'run', html_url)} on ${code(head_branch)} ended: **${untrustedLine(conclusion || 'without a conclusion')}**.`,
        }
      : undefined,
)

const ping = on(v.object({ zen: text, repository: v.nullish(repository) }), ({ zen, repository: repo }) => ({
  topic: topicName(repo?.name ?? 'GitHub'),
  content: `The webhook is set up. ${untrustedLine(zen)}`.trim(),
}))

/** By the event's name in GitHub's X-GitHub-Event. */
export const githubEvents: Readonly<Record<string, Reader>> = {
  commit_comment: commitComment,
  create: made('created'),
  delete: made('deleted'),
  issue_comment: issueComment,
  issues,
  ping,
  pull_request: pullRequestEvent,
  pull_request_review: review,
  pull_request_review_comment: reviewComment,
  push,
  release,
  workflow_run: workflowRun,
}
