import * as v from 'valibot'
import { branchOf } from '../../format/commits.ts'
import { announcesBranch, on, skip, text } from '../../format/event.ts'
import { code, link, topicName, untrustedLine } from '../../format/text.ts'
import { action, common, repository, short, state, unknown } from './shapes.ts'

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
    if (action !== 'completed') return unknown(action)
    if (!announcesBranch(view, run.head_branch)) return skip(`The address leaves the branch ${run.head_branch} out.`)
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
    if (action !== 'completed') return unknown(action)
    if (branch && !announcesBranch(view, branch)) return skip(`The address leaves the branch ${branch} out.`)
    const commit = link(short(head_sha), repository.html_url && `${repository.html_url}/commit/${head_sha}`)
    return {
      topic: branch ? topicName(repository.name, branch) : topicName(repository.name, 'checks'),
      content: `The check ${link(name, html_url)} of ${commit} ended: ${state(conclusion)}.`,
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
  ({ repository, action, check_suite: { head_branch, head_sha, conclusion, app } }, view) => {
    if (action !== 'completed') return unknown(action)
    if (head_branch && !announcesBranch(view, head_branch))
      return skip(`The address leaves the branch ${head_branch} out.`)
    const commit = link(short(head_sha), repository.html_url && `${repository.html_url}/commit/${head_sha}`)
    const of = app ? ` of **${untrustedLine(app.name)}**` : ''
    return {
      topic: head_branch ? topicName(repository.name, head_branch) : topicName(repository.name, 'checks'),
      content: `The checks${of} on ${commit} ended: ${state(conclusion)}.`,
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
      return skip(`The address leaves the branch ${branches[0]!.name} out.`)
    const commit = link(short(sha), repository.html_url && `${repository.html_url}/commit/${sha}`)
    const words = description ? `: ${untrustedLine(description)}` : ''
    return {
      topic: topicName(repository.name, branches[0]?.name ?? short(sha)),
      content: `${link(context || 'The status', target_url)} of ${commit} is ${state(name)}${words}`,
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
    const title = untrustedLine(group.head_commit?.message.split('\n', 1)[0] ?? '') || code(short(group.head_sha))
    const branch = branchOf(group.base_ref)
    const topic = topicName(repository.name, branch)
    if (action === 'checks_requested')
      return { topic, content: `The merge queue of ${code(branch)} is checking **${title}**.` }
    if (action !== 'destroyed') return unknown(action)
    return { topic, content: `**${title}** left the merge queue of ${code(branch)}: ${state(reason)}.` }
  },
)
