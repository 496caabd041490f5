import * as v from 'valibot'
import { on, type Reader, skippedAction, text, wordFor } from '../../format/event.ts'
import { code, link, quoteMarkdown, topicName, untrustedLine } from '../../format/text.ts'
import { action, common, repository, user, who } from './shapes.ts'

const releaseVerbs: Readonly<Record<string, string>> = {
  published: 'published',
  edited: 'edited',
  deleted: 'deleted',
  unpublished: 'unpublished',
  prereleased: 'published as a pre-release',
}

export const release = on(
  v.object({
    ...common,
    action,
    release: v.object({ name: text, tag_name: v.string(), html_url: v.string(), body: text }),
  }),
  ({ repository, sender, action, release: { name, tag_name, html_url, body } }) => {
    const verb = wordFor(releaseVerbs, action)
    if (!verb) return skippedAction(action)
    const notes = action === 'published' || action === 'prereleased' ? quoteMarkdown(body) : ''
    return {
      topic: topicName(repository.name, 'releases'),
      content: `${who(sender)} ${verb} the release ${link(name || tag_name, html_url)} of the tag ${code(tag_name)}.${notes}`,
    }
  },
)

export const wiki = on(
  v.object({
    ...common,
    pages: v.array(v.object({ title: v.string(), action: v.string(), html_url: text, summary: text })),
  }),
  ({ repository, sender, pages }) => ({
    topic: topicName(repository.name, 'wiki'),
    content: `${who(sender)} changed the wiki:\n${pages
      .slice(0, 20)
      .map(({ title, action, html_url }) => `* ${untrustedLine(action)} ${link(title, html_url)}`)
      .join('\n')}`,
  }),
)

export const fork = on(
  v.object({ ...common, forkee: v.object({ full_name: v.string(), html_url: text }) }),
  ({ repository, sender, forkee }) => ({
    topic: topicName(repository.name),
    content: `${who(sender)} forked the repository as ${link(forkee.full_name, forkee.html_url)}.`,
  }),
)

export const repositoryEvent = on(
  v.object({
    ...common,
    action,
    changes: v.nullish(v.object({ repository: v.nullish(v.object({ name: v.object({ from: v.string() }) })) })),
  }),
  ({ repository: repo, sender, action, changes }) => {
    const verbs: Readonly<Record<string, string>> = {
      created: 'created',
      deleted: 'deleted',
      archived: 'archived',
      unarchived: 'unarchived',
      edited: 'edited',
      transferred: 'transferred',
      publicized: 'made public',
      privatized: 'made private',
      renamed: 'renamed',
    }
    const verb = wordFor(verbs, action)
    if (!verb) return skippedAction(action)
    const from = changes?.repository?.name.from
    const before = action === 'renamed' && from ? `${code(from)} to ` : ''
    return {
      topic: topicName(repo.name),
      content: `${who(sender)} ${verb} ${before || 'the repository '}${link(repo.full_name || repo.name, repo.html_url)}.`,
    }
  },
)

export const publicized = on(v.object(common), ({ repository: repo, sender }) => ({
  topic: topicName(repo.name),
  content: `${who(sender)} made the repository ${link(repo.full_name || repo.name, repo.html_url)} public.`,
}))

const packaged = v.object({
  name: v.string(),
  package_type: text,
  html_url: text,
  package_version: v.nullish(v.object({ version: text, html_url: text })),
})

/** An event of a package, which is in a field of the event's name. */
export const packageOf = (field: 'package' | 'registry_package'): Reader =>
  on(
    v.object({ ...common, action, package: v.nullish(packaged), registry_package: v.nullish(packaged) }),
    ({ repository, sender, action, ...event }) => {
      const about = event[field]
      if (!about || (action !== 'published' && action !== 'updated')) return skippedAction(action)
      const { version = '', html_url = '' } = about.package_version ?? {}
      return {
        topic: topicName(repository.name, 'packages'),
        content: `${who(sender)} ${action} the ${untrustedLine(about.package_type)} package ${link(`${about.name} ${version}`.trim(), html_url || about.html_url)}.`,
      }
    },
  )

export const ping = on(
  v.object({ zen: text, repository: v.nullish(repository), organization: v.nullish(user) }),
  (event) => ({
    topic: topicName(event.repository?.name ?? event.organization?.login ?? 'GitHub'),
    content: `The webhook is set up. ${untrustedLine(event.zen)}`.trim(),
  }),
)
