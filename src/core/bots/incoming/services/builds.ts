import * as v from 'valibot'
import {
  announcesBranch,
  label,
  number,
  on,
  type Reader,
  skip,
  skippedBranch,
  text,
  textAt,
  type View,
} from '../format/event.ts'
import { type Service, sentIn, signedIn } from '../format/service.ts'
import { code, firstLine, link, topicName, untrustedLine } from '../format/text.ts'

/** What build servers announce. */
interface Build {
  project: string
  name: string
  url: string
  branch: string
  state: string
  by?: string | undefined
  title?: string | undefined
}

function announced({ project, name, url, branch, state, by, title }: Build, view: View) {
  if (branch && !announcesBranch(view, branch)) return skippedBranch(branch)
  const of = title ? ` for **${firstLine(title)}**` : ''
  return {
    topic: topicName(project, ...(branch ? [branch] : [])),
    content: `${link(name, url)}${of}${branch ? ` on ${code(branch)}` : ''}${by ? ` by ${untrustedLine(by)}` : ''} is **${untrustedLine(state.toLowerCase().replaceAll('_', ' '))}**.`,
  }
}

/** The Notification plugin. */
export const jenkins: Service = {
  name: 'jenkins',
  displayName: 'Jenkins',
  hasBranches: true,
  eventOf: (payload) => textAt(payload, 'build', 'phase').toLowerCase(),
  events: Object.fromEntries(
    ['queued', 'started', 'completed', 'finalized'].map((phase) => [
      phase,
      on(
        v.object({
          name: v.string(),
          display_name: text,
          build: v.object({ full_url: text, number, status: text, scm: v.nullish(v.object({ branch: text })) }),
        }),
        ({ name, display_name, build }, view) =>
          phase === 'finalized'
            ? skip('The completed build is announced.')
            : announced(
                {
                  project: display_name || name,
                  name: `Build #${build.number}`,
                  url: build.full_url,
                  branch: (build.scm?.branch ?? '').replace(/^origin\//, ''),
                  state: phase === 'completed' ? build.status || 'completed' : phase,
                },
                view,
              ),
      ),
    ]),
  ),
}

const circlePipeline = v.object({
  number: label,
  vcs: v.nullish(
    v.object({
      branch: text,
      commit: v.nullish(v.object({ subject: text, author: v.nullish(v.object({ name: text })) })),
    }),
  ),
})
const circle = (field: 'workflow' | 'job'): Reader => {
  const run = v.object({ name: v.string(), status: v.string(), url: text })
  return on(
    v.object({ project: v.object({ name: v.string() }), pipeline: circlePipeline, workflow: run, job: v.nullish(run) }),
    (event, view) => {
      const { name, status, url } = (field === 'job' && event.job) || event.workflow
      const { vcs } = event.pipeline
      return announced(
        {
          project: event.project.name,
          name: `${field === 'job' ? 'Job' : 'Workflow'} ${name}`,
          url: url || event.workflow.url,
          branch: vcs?.branch ?? '',
          state: status,
          by: vcs?.commit?.author?.name,
          title: vcs?.commit?.subject,
        },
        view,
      )
    },
  )
}
export const circleci: Service = {
  name: 'circleci',
  displayName: 'CircleCI',
  hasBranches: true,
  headers: ['circleci-signature'],
  secret: { option: 'circleci_secret', isProven: signedIn('circleci-signature', 'v1=') },
  eventOf: (payload) => textAt(payload, 'type'),
  events: {
    'workflow-completed': circle('workflow'),
    'job-completed': circle('job'),
    ping: () => ({ topic: 'CircleCI', content: 'The webhook is set up.' }),
  },
}

const person = v.nullish(v.object({ name: text }))
const buildkiteBuild = on(
  v.object({
    pipeline: v.object({ name: v.string() }),
    build: v.object({ number: label, web_url: text, state: v.string(), branch: text, message: text, creator: person }),
  }),
  ({ pipeline, build }, view) =>
    announced(
      {
        project: pipeline.name,
        name: `Build #${build.number}`,
        url: build.web_url,
        branch: build.branch,
        state: build.state,
        by: build.creator?.name,
        title: build.message,
      },
      view,
    ),
)
const buildkiteJob = on(
  v.object({
    pipeline: v.object({ name: v.string() }),
    build: v.object({ branch: text }),
    job: v.object({ name: text, state: v.string(), web_url: text }),
  }),
  ({ pipeline, build, job }, view) =>
    announced(
      { project: pipeline.name, name: `Job ${job.name}`, url: job.web_url, branch: build.branch, state: job.state },
      view,
    ),
)
export const buildkite: Service = {
  name: 'buildkite',
  displayName: 'Buildkite',
  hasBranches: true,
  headers: ['x-buildkite-event', 'x-buildkite-token'],
  eventHeader: 'x-buildkite-event',
  secret: { option: 'buildkite_secret', isProven: sentIn('x-buildkite-token') },
  events: {
    ...Object.fromEntries(
      ['scheduled', 'running', 'failing', 'blocked', 'finished', 'skipped'].map((state) => [
        `build.${state}`,
        buildkiteBuild,
      ]),
    ),
    ...Object.fromEntries(['started', 'finished', 'activated'].map((state) => [`job.${state}`, buildkiteJob])),
    ping: () => ({ topic: 'Buildkite', content: 'The webhook is set up.' }),
  },
  unannounced: Object.fromEntries(
    ['job.scheduled', 'agent.connected', 'agent.disconnected', 'agent.lost', 'agent.stopped', 'agent.stopping'].map(
      (name) => [name, 'Agents and waiting jobs change too often.'],
    ),
  ),
}

/** Azure DevOps words its events itself. */
export const azureDevops: Service = {
  name: 'azuredevops',
  displayName: 'Azure DevOps',
  hasBranches: true,
  eventOf: (payload) => textAt(payload, 'eventType'),
  events: Object.fromEntries(
    [
      'git.push',
      'git.pullrequest.created',
      'git.pullrequest.updated',
      'git.pullrequest.merged',
      'ms.vss-code.git-pullrequest-comment-event',
      'build.complete',
      'ms.vss-pipelines.run-state-changed-event',
      'ms.vss-release.deployment-completed-event',
      'workitem.created',
      'workitem.updated',
      'workitem.commented',
      'workitem.deleted',
      'workitem.restored',
      'tfvc.checkin',
    ].map((name) => [name, azureEvent()]),
  ),
}

function azureEvent(): Reader {
  const project = v.nullish(v.object({ name: text }))
  return on(
    v.object({
      message: v.object({ text: v.string() }),
      resource: v.nullish(
        v.object({
          url: text,
          _links: v.nullish(v.object({ web: v.nullish(v.object({ href: text })) })),
          repository: v.nullish(v.object({ name: text, project })),
          definition: v.nullish(v.object({ name: text })),
          project,
          fields: v.nullish(v.record(v.string(), v.unknown())),
        }),
      ),
    }),
    ({ message, resource }) => {
      const team = resource?.fields?.['System.TeamProject']
      const place =
        resource?.repository?.name ||
        resource?.definition?.name ||
        resource?.project?.name ||
        (typeof team === 'string' ? team : '')
      const url = resource?._links?.web?.href
      const more = url ? ` (${link('open', url)})` : ''
      return { topic: topicName(place || 'Azure DevOps'), content: `${untrustedLine(message.text, 1000)}${more}` }
    },
  )
}
