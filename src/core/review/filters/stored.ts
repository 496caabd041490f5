import { type Db, nextTurn } from '../../../storage/index.ts'
import { defineCache } from '../../kernel/cache.ts'
import type { Context } from '../../kernel/context.ts'
import { plainText } from '../../markup/plain-text.ts'
import type { ContentFilterView } from '../../shapes/content-filter.ts'
import { domainsOf, hostsIn, looksOf } from './hosts.ts'
import { hasWord, normal } from './normal.ts'

/** The organization's filters, ready to be used. */
export interface ContentFilters {
  views: readonly ContentFilterView[]
  words: readonly (readonly [word: string, filter: ContentFilterView])[]
  /** By domain, and by how the domain looks. */
  domains: ReadonlyMap<string, ContentFilterView>
  patterns: readonly (readonly [test: (text: string) => boolean, filter: ContentFilterView])[]
}

async function load(db: Db): Promise<ContentFilters | null> {
  const rows = await db.selectFrom('content_filter').selectAll().orderBy('id').execute()
  const views = rows as ContentFilterView[]
  if (views.length === 0) return null
  const of = (kind: ContentFilterView['kind']) => views.filter((view) => view.kind === kind)
  const domains = new Map<string, ContentFilterView>()
  for (const view of of('domain')) {
    for (const name of [view.pattern, looksOf(view.pattern)]) if (!domains.has(name)) domains.set(name, view)
  }
  // Loaded late because its engine takes a megabyte.
  const testerOf = of('pattern').length > 0 ? (await import('./patterns.ts')).testerOf : undefined
  return {
    views,
    words: of('word').map((view) => [normal(view.pattern), view]),
    domains,
    patterns: testerOf ? of('pattern').map((view) => [testerOf(view.pattern), view]) : [],
  }
}

/** Null in an organization without filters. */
export const contentFilters = defineCache('content-filters', load)

/**
 * Returns the filters that match a text, in the order of their IDs. Outside a write it yields to other work between
 * patterns.
 *
 * @param html - the rendered text; it may show words that the text divides, such as `sp**a**m`
 */
export async function matchesIn(
  context: Context,
  { words, domains, patterns }: ContentFilters,
  content: string,
  html = '',
): Promise<ContentFilterView[]> {
  const found = new Set<ContentFilterView>()
  const shown = html === '' ? content : plainText(html)
  const texts = words.length === 0 ? [] : [...new Set([normal(content), normal(shown)])]
  for (const [word, filter] of words) if (texts.some((text) => hasWord(text, word))) found.add(filter)
  if (domains.size > 0) {
    for (const host of hostsIn(content, html)) {
      for (const name of new Set([host, looksOf(host)])) {
        for (const domain of domainsOf(name)) {
          const filter = domains.get(domain)
          if (filter) found.add(filter)
        }
      }
    }
  }
  const isWrite = 'afterCommit' in context
  for (const [test, filter] of patterns) {
    if (test(content) || (shown !== content && test(shown))) found.add(filter)
    if (!isWrite) await nextTurn()
  }
  return [...found].sort((a, b) => a.id - b.id)
}
