import { element, tag } from '../html.ts'
import type { RenderState } from '../state.ts'
import { keep, type Pass } from './passes.ts'

export const streamWildcards: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream'])

/** What may come directly before a mention or a stream's name; `me@**x**` is not a mention. */
export const before = '(?<![^\\s\'"({\\[/<:>*~|])'

// Names are bounded, so that each of a run of opening markers costs a bounded look-ahead.
const userPattern = new RegExp(`${before}@(_?)\\*\\*([^*\\n|\x81]{0,200})(?:\\|(\\d{1,15}))?\\*\\*`, 'g')
const groupPattern = new RegExp(`${before}@(_?)\\*([^*\\n\x81]{1,200})\\*`, 'g')

function findUser({ context }: RenderState, name: string, id: number | undefined) {
  if (id === undefined) return context.users.get(name.toLowerCase())?.[0]
  const candidates = name !== '' ? [context.users.get(name.toLowerCase()) ?? []] : context.users.values()
  for (const users of candidates) {
    const user = users.find((user) => user.id === id)
    if (user) return user
  }
  return undefined
}

function mentionHtml(
  silent: boolean,
  kind: string,
  attributes: Readonly<Record<string, string | number>>,
  name: string,
) {
  const all = { class: silent ? `${kind} silent` : kind, ...attributes }
  return element('span', all, silent ? name : `@${name}`)
}

/** Returns how the HTML of a mention of a user by name begins, unless it is silent. */
export const mentionOf = (user_id: number): string => tag('span', { class: 'user-mention', 'data-user-id': user_id })

/**
 * `@**Name**`, `@**Name|7**`, `@_**Name**`, `@**all**`, `@**topic**`. In a quote they are silent: nobody is notified
 * twice.
 */
export const userMentions: Pass = (text, state) =>
  text.includes('@')
    ? text.replace(userPattern, (typed, underscore: string, name: string, digits: string | undefined) => {
        const silent = underscore !== '' || state.quotes > 0
        if (digits === undefined && streamWildcards.has(name)) {
          state.streamWildcard ||= !silent
          const kind = 'user-mention channel-wildcard-mention'
          return keep(state, mentionHtml(silent, kind, { 'data-user-id': '*' }, name))
        }
        if (digits === undefined && name === 'topic') {
          state.topicWildcard ||= !silent
          return keep(state, mentionHtml(silent, 'topic-mention', {}, name))
        }
        if (name === '' && digits === undefined) return typed
        const user = findUser(state, name, digits === undefined ? undefined : Number(digits))
        if (!user) return typed
        const isSilent = silent || user.isSilent === true
        if (!isSilent) state.userIds.add(user.id)
        return keep(state, mentionHtml(isSilent, 'user-mention', { 'data-user-id': user.id }, user.full_name))
      })
    : text

/** `@*group*`, `@_*group*`. */
export const groupMentions: Pass = (text, state) =>
  text.includes('@')
    ? text.replace(groupPattern, (typed, underscore: string, name: string) => {
        const group = state.context.groups.get(name.toLowerCase())
        if (!group) return typed
        const silent = underscore !== '' || state.quotes > 0 || group.isSilent === true
        if (!silent) state.groupIds.add(group.id)
        return keep(state, mentionHtml(silent, 'user-group-mention', { 'data-user-group-id': group.id }, group.name))
      })
    : text
