import * as v from 'valibot'
import { isObject } from '../../../kernel/base/objects.ts'
import { number, on, type Reader, text } from '../format/event.ts'
import { type Service, signedIn } from '../format/service.ts'
import { link, quote, quoteMarkdown, topicName, untrustedLine } from '../format/text.ts'
import { github } from './github/github.ts'

const common = { repository: v.object({ name: v.string() }), sender: v.object({ login: v.string() }) }

const review = (verb: string): Reader =>
  on(
    v.object({
      ...common,
      pull_request: v.object({ number, title: v.string(), html_url: text }),
      review: v.nullish(v.object({ content: text })),
    }),
    ({ repository, sender, pull_request: pr, review }, { titled }) => ({
      topic: topicName(repository.name, `PR #${pr.number} ${pr.title}`),
      content: `${untrustedLine(sender.login)} ${verb} ${link(`PR #${pr.number}${titled ? ` ${pr.title}` : ''}`, pr.html_url)}.${quoteMarkdown(review?.content)}`,
    }),
  )

/** What differs from GitHub: names of fields and of some actions. */
function likeGithub(payload: unknown): unknown {
  if (!isObject(payload)) return payload
  const found = payload
  const action =
    found.action === 'synchronized' ? 'synchronize' : found.action === 'label_updated' ? 'edited' : found.action
  const { workflow, workflow_run } = found
  const run = isObject(workflow) && isObject(workflow_run) ? { ...workflow_run, name: workflow.name } : workflow_run
  return { ...found, action, compare: found.compare ?? found.compare_url, workflow_run: run }
}

const wiki = on(
  v.object({ ...common, action: v.string(), page: v.string(), comment: text }),
  ({ repository, sender, action, page, comment }) => ({
    topic: topicName(repository.name, 'wiki'),
    content: `${untrustedLine(sender.login)} ${untrustedLine(action)} the wiki page **${untrustedLine(page)}**.${quote(comment)}`,
  }),
)

const packaged = on(
  v.object({
    ...common,
    repository: v.nullish(common.repository),
    action: v.string(),
    package: v.object({ name: v.string(), type: text, version: text, html_url: text }),
  }),
  ({ repository, sender, action, package: { name, type, version, html_url } }) => ({
    topic: topicName(repository?.name ?? name, 'packages'),
    content: `${untrustedLine(sender.login)} ${untrustedLine(action)} the ${untrustedLine(type)} package ${link(`${name} ${version}`.trim(), html_url)}.`,
  }),
)

const alike = [
  'create',
  'delete',
  'fork',
  'issue_comment',
  'issues',
  'pull_request',
  'push_commits',
  'push_tags',
  'release',
  'repository',
  'status',
  'workflow_run',
]
const events: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(
    alike.map((name): [string, Reader] => [
      name,
      (payload, event, view) => github.events[name]!(likeGithub(payload), event, view),
    ]),
  ),
  pull_request_approved: review('approved'),
  pull_request_rejected: review('requested changes in'),
  pull_request_comment: review('commented on'),
  wiki,
  package: packaged,
}

const forge = (name: string, displayName: string): Service => ({
  ...github,
  name,
  displayName,
  headers: [`x-${name}-event`, `x-${name}-delivery`, `x-${name}-signature`],
  eventHeader: `x-${name}-event`,
  deliveryHeader: `x-${name}-delivery`,
  secret: { option: `${name}_secret`, isProven: signedIn(`x-${name}-signature`) },
  events,
  unannounced: { workflow_job: 'The run that the job belongs to is announced.' },
})

export const gitea = forge('gitea', 'Gitea')
export const forgejo = forge('forgejo', 'Forgejo')
