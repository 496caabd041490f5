import type { MarkdownIt, StateInline } from 'markdown-it'
import { element } from './html.ts'
import { type Rendering, renderingOf } from './rendering.ts'

const streamWildcards = new Set(['all', 'everyone', 'channel', 'stream'])

/** Someone or something the text calls by name. */
type Mention =
  | { kind: 'user'; id: number; name: string }
  | { kind: 'group'; id: number; name: string }
  | { kind: 'wildcard'; name: string }
  | { kind: 'topic'; name: string }

// The name is bounded so that a run of openers costs a bounded look ahead each.
const userPattern = /@(_?)\*\*([^*\n|]{0,200}?)(?:\|(\d{1,15}))?\*\*/y
const groupPattern = /@(_?)\*([^*\n]{1,200})\*/y
// What may stand directly before a mention; `me@**x**` is none.
const before = /[\s'"({[/<:>*~|]/

function findUser({ context, collector }: Rendering, name: string, id: number | undefined): Mention | undefined {
  if (id === undefined) {
    collector?.userNames.add(name.toLowerCase())
    const user = context.users.get(name.toLowerCase())?.[0]
    return user && { kind: 'user', id: user.id, name: user.full_name }
  }
  collector?.userIds.add(id)
  if (name) collector?.userNames.add(name.toLowerCase())
  const candidates = name ? [context.users.get(name.toLowerCase()) ?? []] : context.users.values()
  for (const users of candidates) {
    const user = users.find((user) => user.id === id)
    if (user) return { kind: 'user', id, name: user.full_name }
  }
  return undefined
}

function findGroup({ context, collector }: Rendering, name: string): Mention | undefined {
  collector?.groupNames.add(name.toLowerCase())
  const group = context.groups.get(name.toLowerCase())
  return group && { kind: 'group', ...group }
}

function matchAt(rendering: Rendering, source: string, position: number) {
  userPattern.lastIndex = position
  let match = userPattern.exec(source)
  if (match) {
    const [syntax, silent, name = '', id] = match
    let mention: Mention | undefined
    if (id === undefined && streamWildcards.has(name)) mention = { kind: 'wildcard', name }
    else if (id === undefined && name === 'topic') mention = { kind: 'topic', name }
    else if (name || id) mention = findUser(rendering, name, id === undefined ? undefined : Number(id))
    return mention && { length: syntax.length, silent: silent !== '', mention }
  }
  groupPattern.lastIndex = position
  match = groupPattern.exec(source)
  if (!match) return undefined
  const mention = findGroup(rendering, match[2]!)
  return mention && { length: match[0].length, silent: match[1] !== '', mention }
}

function mentionRule(state: StateInline, silentRun: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== 64 /* @ */ || (pos > 0 && !before.test(src[pos - 1]!))) return false
  const found = matchAt(renderingOf(state.env), src, pos)
  if (!found || pos + found.length > state.posMax) return false
  if (!silentRun) {
    const token = state.push('mention', '', 0)
    token.content = found.mention.name
    token.meta = { mention: found.mention, silent: found.silent }
  }
  state.pos += found.length
  return true
}

function note(rendering: Rendering, mention: Mention) {
  if (mention.kind === 'user') rendering.userIds.add(mention.id)
  else if (mention.kind === 'group') rendering.groupIds.add(mention.id)
  else if (mention.kind === 'topic') rendering.topicWildcard = true
  else rendering.streamWildcard = true
}

function mentionHtml(mention: Mention, silent: boolean): string {
  const classes = (name: string) => (silent ? `${name} silent` : name)
  const text = silent ? mention.name : `@${mention.name}`
  switch (mention.kind) {
    case 'user':
      return element('span', { class: classes('user-mention'), 'data-user-id': mention.id }, text)
    case 'group':
      return element('span', { class: classes('user-group-mention'), 'data-user-group-id': mention.id }, text)
    case 'wildcard':
      return element('span', { class: classes('user-mention channel-wildcard-mention'), 'data-user-id': '*' }, text)
    case 'topic':
      return element('span', { class: classes('topic-mention') }, text)
  }
}

/** `@**Name**`, `@**Name|7**`, `@_**Name**`, `@*group*`, `@**all**`, `@**topic**`. */
export function mentions(md: MarkdownIt) {
  md.inline.ruler.before('emphasis', 'mention', mentionRule)
  md.core.ruler.push('quoted_mentions', ({ tokens, env }) => {
    // To quote a mention is not to repeat it: nobody is called a second time.
    let quotes = 0
    for (const token of tokens) {
      if (token.type === 'blockquote_open') quotes++
      else if (token.type === 'blockquote_close') quotes--
      for (const child of token.children ?? []) {
        if (child.type !== 'mention') continue
        const meta = child.meta as { mention: Mention; silent: boolean }
        if (quotes > 0) meta.silent = true
        else if (!meta.silent) note(renderingOf(env), meta.mention)
      }
    }
  })
  md.renderer.rules.mention = (tokens, index) => {
    const { mention, silent } = tokens[index]!.meta as { mention: Mention; silent: boolean }
    return mentionHtml(mention, silent)
  }
}
