import * as v from 'valibot'
import { number, on, type Reader, text } from '../format/event.ts'
import { type Service, signedIn } from '../format/service.ts'
import { link, quoteMarkdown, topicName, untrustedLine } from '../format/text.ts'
import { github } from './github/github.ts'

const review = (verb: string): Reader =>
  on(
    v.object({
      repository: v.object({ name: v.string() }),
      sender: v.object({ login: v.string() }),
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
  if (typeof payload !== 'object' || payload === null) return payload
  const found = payload as Readonly<Record<string, unknown>>
  const action =
    found.action === 'synchronized' ? 'synchronize' : found.action === 'label_updated' ? 'edited' : found.action
  return { ...found, action, compare: found.compare ?? found.compare_url }
}

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
  unannounced: { wiki: 'The page of the wiki shows its changes.', package: 'The page of packages shows new versions.' },
})

export const gitea = forge('gitea', 'Gitea')
export const forgejo = forge('forgejo', 'Forgejo')
