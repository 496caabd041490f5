import * as v from 'valibot'
import { branchOf, short } from '../../format/commits.ts'
import { announcesBranch, on, skippedAction, skippedBranch, text } from '../../format/event.ts'
import { code, firstLine, link, topicName, untrustedLine } from '../../format/text.ts'
import { action, common, repository, state } from './shapes.ts'

const commitOf = ({ html_url }: v.InferOutput<typeof repository>, sha: string) =>
  link(short(sha), html_url && `${html_url}/commit/${sha}`)

export const workflowRun = on(
  v.object({
    ...common,
    action,
    workflow_run: v.object({
      name: text,
      display_title: text,
      head_branch: text,
      html_url: v.string(),
      conclusion: text,
    }),
  }),
  ({ repository, action, workflow_run: run }, view) => {
    if (action !== 'completed') return skippedAction(action)
    if (!announcesBranch(view, run.head_branch)) return skippedBranch(run.head_branch)
    const title = run.display_title ? ` for **${untrustedLine(run.display_title)}**` : ''
    return {
      topic: topicName(repository.name, run.head_branch),
      content: `The workflow ${link(run.name || 'run', run.html_url)}${title} on ${code(run.head_branch)} ended: ${state(run.conclusion)}.`,
    }
  },
)

export const checkRun = on(
  v.object({
    ...common,
    action,
    check_run: v.object({
      name: v.string(),
      html_url: text,
      head_sha: v.string(),
      conclusion: text,
      check_suite: v.nullish(v.object({ head_branch: text })),
    }),
  }),
  ({ repository, action, check_run: { name, html_url, head_sha, conclusion, check_suite } }, view) => {
    const branch = check_suite?.head_branch ?? ''
    if (action !== 'completed') return skippedAction(action)
    if (branch && !announcesBranch(view, branch)) return skippedBranch(branch)
    return {
      topic: topicName(repository.name, branch || 'checks'),
      content: `The check ${link(name, html_url)} of ${commitOf(repository, head_sha)} ended: ${state(conclusion)}.`,
    }
  },
)

export const checkSuite = on(
  v.object({
    ...common,
    action,
    check_suite: v.object({
      head_branch: text,
      head_sha: v.string(),
      conclusion: text,
      app: v.nullish(v.object({ name: v.string() })),
    }),
  }),
  ({ repository, action, check_suite: { head_branch: branch, head_sha, conclusion, app } }, view) => {
    if (action !== 'completed') return skippedAction(action)
    if (branch && !announcesBranch(view, branch)) return skippedBranch(branch)
    const of = app ? ` of **${untrustedLine(app.name)}**` : ''
    return {
      topic: topicName(repository.name, branch || 'checks'),
      content: `The checks${of} on ${commitOf(repository, head_sha)} ended: ${state(conclusion)}.`,
    }
  },
)

export const status = on(
  v.object({
    ...common,
    sha: v.string(),
    state: v.string(),
    context: text,
    description: text,
    target_url: text,
    branches: v.nullish(v.array(v.object({ name: v.string() })), []),
  }),
  ({ repository, sha, state: name, context, description, target_url, branches }, view) => {
    if (branches.length > 0 && !branches.slice(0, 10).some(({ name }) => announcesBranch(view, name)))
      return skippedBranch(branches[0]!.name)
    const words = description ? `: ${untrustedLine(description)}` : ''
    return {
      topic: topicName(repository.name, branches[0]?.name ?? short(sha)),
      content: `${link(context || 'The status', target_url)} of ${commitOf(repository, sha)} is ${state(name)}${words}`,
    }
  },
)

export const mergeGroup = on(
  v.object({
    repository,
    action,
    reason: text,
    merge_group: v.object({
      head_sha: v.string(),
      base_ref: text,
      head_commit: v.nullish(v.object({ message: text })),
    }),
  }),
  ({ repository, action, reason, merge_group: group }) => {
    const title = firstLine(group.head_commit?.message ?? '') || code(short(group.head_sha))
    const branch = branchOf(group.base_ref)
    const topic = topicName(repository.name, branch)
    if (action === 'checks_requested')
      return { topic, content: `The merge queue of ${code(branch)} is checking **${title}**.` }
    if (action !== 'destroyed') return skippedAction(action)
    return { topic, content: `**${title}** left the merge queue of ${code(branch)}: ${state(reason)}.` }
  },
)
