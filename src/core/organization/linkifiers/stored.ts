import * as v from 'valibot'
import { after, type Db, nextTurn, type Soon } from '../../../storage/index.ts'
import { statePart } from '../../events/log/state-part.ts'
import { defineCache } from '../../kernel/cache.ts'
import type { Context } from '../../kernel/context.ts'
import type { Linkifier } from '../../markup/context.ts'
import { type LinkifierView, linkifierShape } from '../../shapes/linkifier.ts'
import { emptyList } from '../../shapes/values.ts'

/** Compiled patterns are kept across changes of the list, since most of it stays unchanged. */
const compiled = new Map<string, Linkifier>()
const MAX_COMPILED = 5000

type MakeLinkifier = typeof import('../../markup/inline/linkifier.ts').linkifier

function compiledOf(linkifier: MakeLinkifier, { pattern, url_template }: LinkifierView): Linkifier {
  const key = JSON.stringify([pattern, url_template])
  const known = compiled.get(key)
  if (known) return known
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  const made = linkifier(pattern, url_template)
  compiled.set(key, made)
  return made
}

/** All linkifiers, in the organization's order. */
export interface Linkifiers {
  views: readonly LinkifierView[]
  linkifiers: readonly Linkifier[]
}

async function load(db: Db): Promise<Linkifiers> {
  const rows = await db.selectFrom('linkifier').selectAll().orderBy('position').orderBy('id').execute()
  const views = rows.map(({ position: _, alternative_url_templates, ...row }) => ({
    ...row,
    alternative_url_templates: JSON.parse(alternative_url_templates) as string[],
  }))
  if (views.length === 0) return { views, linkifiers: [] }
  // Loaded late because its engine takes a megabyte, and most organizations have no linkifiers.
  const { linkifier } = await import('../../markup/inline/linkifier.ts')
  return { views, linkifiers: views.map((view) => compiledOf(linkifier, view)) }
}

export const linkifiersOf = defineCache('linkifiers', load)

/** Milliseconds to compile and try patterns before yielding to other work. */
const SLICE_MS = 5

/**
 * The linkifiers that may match somewhere in a text, in order. Outside a write it yields to other work at
 * times, since a thousand patterns take a tenth of a second the first time.
 */
export const linkifiersFor = (context: Context, text: string): Soon<readonly Linkifier[]> =>
  after(linkifiersOf.get(context), ({ linkifiers }) =>
    linkifiers.length === 0 ? linkifiers : matching(context, linkifiers, text),
  )

async function matching(context: Context, linkifiers: readonly Linkifier[], text: string): Promise<Linkifier[]> {
  const found: Linkifier[] = []
  const isWrite = 'afterCommit' in context
  let since = performance.now()
  for (const linkifier of linkifiers) {
    if (linkifier.mayMatch(text)) found.push(linkifier)
    if (isWrite || performance.now() - since < SLICE_MS) continue
    await nextTurn()
    since = performance.now()
  }
  return found
}

/** The linkifier part of register's state. Clients that do not know URL templates get none. */
export const linkifierState = statePart(
  { realm_linkifiers: v.array(linkifierShape) },
  async (tx, { capabilities }) => ({
    realm_linkifiers: capabilities.linkifier_url_template ? [...(await linkifiersOf.get(tx)).views] : [],
  }),
)

/** The form from before templates, in which today's linkifiers cannot be expressed. */
export const filterState = statePart({ realm_filters: emptyList }, async () => ({ realm_filters: [] }))
