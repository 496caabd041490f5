import * as v from 'valibot'
import { branchOf, pushed, short } from '../format/commits.ts'
import { announcesBranch, number, on, type Reader, skip, skippedBranch, text } from '../format/event.ts'
import { type Service, signedIn } from '../format/service.ts'
import { code, link, quoteMarkdown, topicName, untrustedLine } from '../format/text.ts'

const links = v.nullish(v.object({ html: v.nullish(v.object({ href: text })) }))
const hrefOf = (found: v.InferOutput<typeof links>) => found?.html?.href ?? ''
const actor = v.object({ display_name: v.string() })
const repository = v.object({ name: v.string(), links })
const common = { actor, repository }
const who = ({ display_name }: v.InferOutput<typeof actor>) => untrustedLine(display_name)
const content = v.nullish(v.object({ raw: text }))

const branch = v.nullish(v.object({ type: text, name: v.string() }))
const push = on(
  v.object({
    ...common,
    push: v.object({
      changes: v.array(
        v.object({
          new: branch,
          old: branch,
          forced: v.nullish(v.boolean()),
          links,
          commits: v.nullish(v.array(v.object({ hash: v.string(), message: text, links })), []),
        }),
      ),
    }),
  }),
  ({ actor, repository, push: { changes } }, view) => {
    const shown = changes.slice(0, 10).flatMap((change) => {
      const ref = change.new ?? change.old
      if (!ref || (ref.type !== 'tag' && !announcesBranch(view, ref.name))) return []
      const kind = ref.type === 'tag' ? 'tag' : 'branch'
      if (!change.new) return [{ name: ref.name, text: `${who(actor)} deleted the ${kind} ${code(ref.name)}.` }]
      if (kind === 'tag') return [{ name: ref.name, text: `${who(actor)} pushed the tag ${code(ref.name)}.` }]
      const commits = change.commits.map(({ hash, message, links }) => ({ id: hash, message, url: hrefOf(links) }))
      const { forced: isForced, links } = change
      const push = { by: actor.display_name, branch: ref.name, isNew: !change.old, isForced, commits }
      return [{ name: ref.name, text: pushed({ ...push, compare: hrefOf(links) }) }]
    })
    if (shown.length === 0) return skip('The push changes no branch that the address selects.')
    return {
      topic: topicName(repository.name, shown.length === 1 ? branchOf(shown[0]!.name) : 'branches'),
      content: shown.map(({ text }) => text).join('\n\n'),
    }
  },
)

const pullrequest = v.object({
  id: number,
  title: v.string(),
  description: text,
  links,
  source: v.nullish(v.object({ branch: v.nullish(v.object({ name: text })) })),
  destination: v.nullish(v.object({ branch: v.nullish(v.object({ name: text })) })),
})
const pull = (verb: string): Reader =>
  on(v.object({ ...common, pullrequest }), ({ actor, repository, pullrequest: pr }, { titled }) => {
    const target = pr.destination?.branch?.name ?? ''
    const isNew = verb === 'opened'
    const item = link(`PR #${pr.id}${titled && !isNew ? ` ${pr.title}` : ''}`, hrefOf(pr.links))
    const from = pr.source?.branch?.name ?? ''
    const more = isNew
      ? `: **${untrustedLine(pr.title)}**, from ${code(from)} to ${code(target)}.${quoteMarkdown(pr.description)}`
      : '.'
    return {
      topic: topicName(repository.name, `PR #${pr.id} ${pr.title}`),
      content: `${who(actor)} ${verb} ${item}${more}`,
    }
  })
const pullComment = (verb: string): Reader =>
  on(
    v.object({ ...common, pullrequest, comment: v.object({ content, links }) }),
    ({ actor, repository, pullrequest: pr, comment }, { titled }) => ({
      topic: topicName(repository.name, `PR #${pr.id} ${pr.title}`),
      content: `${who(actor)} ${link(verb, hrefOf(comment.links))} on ${link(`PR #${pr.id}${titled ? ` ${pr.title}` : ''}`, hrefOf(pr.links))}.${quoteMarkdown(comment.content?.raw)}`,
    }),
  )

const issue = v.object({ id: number, title: v.string(), links, content, state: text })
const issueEvent = (verb: string): Reader =>
  on(
    v.object({ ...common, issue, comment: v.nullish(v.object({ content })) }),
    ({ actor, repository, issue, comment }, { titled }) => {
      const isNew = verb === 'opened'
      const item = link(`issue #${issue.id}${titled && !isNew ? ` ${issue.title}` : ''}`, hrefOf(issue.links))
      const more = isNew
        ? `: **${untrustedLine(issue.title)}**${quoteMarkdown(issue.content?.raw)}`
        : `.${quoteMarkdown(comment?.content?.raw)}`
      return {
        topic: topicName(repository.name, `issue #${issue.id} ${issue.title}`),
        content: `${who(actor)} ${verb} ${item}${more}`,
      }
    },
  )

const status = on(
  v.object({
    ...common,
    commit_status: v.object({ name: text, key: text, state: v.string(), url: text, refname: text }),
  }),
  ({ repository, commit_status: { name, key, state, url, refname } }, view) =>
    refname && !announcesBranch(view, refname)
      ? skippedBranch(refname)
      : {
          topic: topicName(repository.name, refname || 'builds'),
          content: `The build ${link(name || key, url)} is **${state === 'INPROGRESS' ? 'in progress' : untrustedLine(state.toLowerCase())}**.`,
        },
)

/** Bitbucket Cloud. */
export const bitbucket: Service = {
  name: 'bitbucket',
  displayName: 'Bitbucket',
  hasBranches: true,
  headers: ['x-event-key', 'x-request-uuid', 'x-hub-signature'],
  eventHeader: 'x-event-key',
  deliveryHeader: 'x-request-uuid',
  secret: { option: 'bitbucket_secret', isProven: signedIn('x-hub-signature', 'sha256=') },
  events: {
    'repo:push': push,
    'repo:fork': on(v.object({ ...common, fork: v.object({ name: text, full_name: text, links }) }), (event) => ({
      topic: topicName(event.repository.name),
      content: `${who(event.actor)} forked the repository as ${link(event.fork.full_name || event.fork.name, hrefOf(event.fork.links))}.`,
    })),
    'repo:commit_comment_created': on(
      v.object({ ...common, comment: v.object({ content, links }), commit: v.object({ hash: v.string() }) }),
      ({ actor, repository, comment, commit }) => ({
        topic: topicName(repository.name),
        content: `${who(actor)} ${link('commented', hrefOf(comment.links))} on ${code(short(commit.hash))}.${quoteMarkdown(comment.content?.raw)}`,
      }),
    ),
    'repo:commit_status_created': status,
    'repo:commit_status_updated': status,
    'pullrequest:created': pull('opened'),
    'pullrequest:updated': pull('updated'),
    'pullrequest:approved': pull('approved'),
    'pullrequest:unapproved': pull('withdrew the approval of'),
    'pullrequest:changes_request_created': pull('requested changes in'),
    'pullrequest:changes_request_removed': pull('withdrew the request for changes in'),
    'pullrequest:fulfilled': pull('merged'),
    'pullrequest:rejected': pull('declined'),
    'pullrequest:comment_created': pullComment('commented'),
    'pullrequest:comment_updated': pullComment('edited a comment'),
    'pullrequest:comment_deleted': pullComment('deleted a comment'),
    'issue:created': issueEvent('opened'),
    'issue:updated': issueEvent('updated'),
    'issue:comment_created': issueEvent('commented on'),
  },
}
