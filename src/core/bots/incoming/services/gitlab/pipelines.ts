import * as v from 'valibot'
import { announcesBranch, number, on, skippedBranch, text } from '../../format/event.ts'
import { code, link, quote, topicName, untrustedLine } from '../../format/text.ts'
import { inWords, merge, project, user, who } from './shapes.ts'

const ENDED = new Set(['success', 'failed', 'canceled', 'skipped'])
export const pipeline = on(
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

export const job = on(
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

export const deployment = on(
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
