import * as v from 'valibot'
import { label, on, text, wordFor } from '../../format/event.ts'
import { code, link, quote, quoteMarkdown, topicName, untrustedLine } from '../../format/text.ts'
import { common, inWords, project, who } from './shapes.ts'

const wikiVerbs: Readonly<Record<string, string>> = { create: 'created', update: 'updated', delete: 'deleted' }
export const wiki = on(
  v.object({
    ...common,
    object_attributes: v.object({ title: v.string(), url: text, action: v.string(), message: text }),
  }),
  ({ project: { name }, user, object_attributes: { title, url, action, message } }) => ({
    topic: topicName(name, 'wiki'),
    content: `${who(user)} ${wordFor(wikiVerbs, action) ?? untrustedLine(action)} the wiki page ${link(title, url)}.${quote(message === title ? '' : message)}`,
  }),
)

const releaseVerbs: Readonly<Record<string, string>> = { create: 'published', update: 'updated', delete: 'deleted' }
export const release = on(
  v.object({ project, action: text, name: v.string(), tag: v.string(), url: text, description: text }),
  ({ project, action, name, tag, url, description }) => ({
    topic: topicName(project.name, 'releases'),
    content: `The release ${link(name, url)} of the tag ${code(tag)} was ${wordFor(releaseVerbs, action) ?? 'published'}.${action === 'create' ? quoteMarkdown(description) : ''}`,
  }),
)

export const featureFlag = on(
  v.object({
    ...common,
    object_attributes: v.object({ name: v.string(), active: v.nullish(v.boolean()) }),
    user_url: text,
  }),
  ({ project, user, object_attributes: { name, active } }) => ({
    topic: topicName(project.name, 'feature flags'),
    content: `${who(user)} switched the feature flag ${code(name)} ${active ? 'on' : 'off'}.`,
  }),
)

export const milestone = on(
  v.object({ project: v.nullish(project), object_attributes: v.object({ title: v.string() }), action: text }),
  ({ project, object_attributes: { title }, action }) => ({
    topic: topicName(project?.name ?? 'GitLab'),
    content: `The milestone **${untrustedLine(title)}** was ${wordFor({ create: 'created', close: 'closed', reopen: 'reopened' }, action) ?? 'changed'}.`,
  }),
)

export const token = on(
  v.object({
    project: v.nullish(project),
    group: v.nullish(v.object({ group_name: v.string() })),
    object_attributes: v.object({ name: v.string(), expires_at: label }),
  }),
  ({ project, group, object_attributes: { name, expires_at } }) => ({
    topic: topicName(project?.name ?? group?.group_name ?? 'GitLab'),
    content: `The access token **${untrustedLine(name)}** expires on ${untrustedLine(expires_at)}.`,
  }),
)

export const vulnerability = on(
  v.object({
    object_attributes: v.object({ url: text, title: v.string(), state: text, severity: text }),
    project: v.nullish(project),
  }),
  ({ object_attributes: { url, title, state, severity }, project }) => ({
    topic: topicName(project?.name ?? 'GitLab', 'security'),
    content: `The vulnerability ${link(title, url)} (severity: ${untrustedLine(severity)}) is ${inWords(state)}.`,
  }),
)

export const test = on(v.object({ project: v.nullish(project) }), ({ project }) => ({
  topic: topicName(project?.name ?? 'GitLab'),
  content: 'The webhook is set up.',
}))
