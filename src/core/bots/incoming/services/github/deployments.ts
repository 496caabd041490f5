import * as v from 'valibot'
import { short } from '../../format/commits.ts'
import { on, skippedAction, text, wordFor } from '../../format/event.ts'
import { code, link, quote, quoteMarkdown, topicName, untrustedLine } from '../../format/text.ts'
import { action, common, state, who } from './shapes.ts'

const deploymentOf = v.object({ environment: text, ref: text, sha: text, description: text })
export const deployment = on(
  v.object({ ...common, deployment: deploymentOf }),
  ({ repository, sender, deployment: d }) => ({
    topic: topicName(repository.name, 'deployments'),
    content: `${who(sender)} started a deployment of ${code(d.ref || short(d.sha))} to **${untrustedLine(d.environment)}**.${quote(d.description)}`,
  }),
)

export const deploymentStatus = on(
  v.object({
    ...common,
    deployment: deploymentOf,
    deployment_status: v.object({ state: v.string(), target_url: text, log_url: text, description: text }),
  }),
  ({ repository, deployment: d, deployment_status: { state: name, target_url, log_url, description } }) => ({
    topic: topicName(repository.name, 'deployments'),
    content: `The ${link('deployment', log_url || target_url)} of ${code(d.ref || short(d.sha))} to **${untrustedLine(d.environment)}** is ${state(name)}.${quote(description)}`,
  }),
)

export const deploymentReview = on(
  v.object({ ...common, action, workflow_run: v.object({ name: text, html_url: text }), comment: text }),
  ({ repository, sender, action, workflow_run: { name, html_url }, comment }) => {
    const verbs: Readonly<Record<string, string>> = {
      approved: 'approved the deployment of',
      rejected: 'rejected the deployment of',
      requested: 'asked for a review of the deployment of',
    }
    const verb = wordFor(verbs, action)
    return verb
      ? {
          topic: topicName(repository.name, 'deployments'),
          content: `${who(sender)} ${verb} ${link(name || 'a run', html_url)}.${quoteMarkdown(comment)}`,
        }
      : skippedAction(action)
  },
)

export const pageBuild = on(
  v.object({
    ...common,
    build: v.object({ status: v.string(), error: v.nullish(v.object({ message: text })) }),
  }),
  ({ repository, build }) => ({
    topic: topicName(repository.name, 'pages'),
    content: `The build of the site ended: ${state(build.status)}.${quote(build.error?.message)}`,
  }),
)
