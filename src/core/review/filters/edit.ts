import * as v from 'valibot'
import { emit } from '../../events/log/emit.ts'
import { action } from '../../kernel/action.ts'
import { lengthOf } from '../../kernel/base/limits.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest, invalidField } from '../../kernel/errors.ts'
import { described, id, line, maxCharacters, text } from '../../kernel/fields.ts'
import { roles } from '../../kernel/roles.ts'
import { renderPlain } from '../../markup/render/render-plain.ts'
import { type ContentFilterView, contentFilterShape, filterActions, filterKinds } from '../../shapes/content-filter.ts'
import { empty } from '../../shapes/values.ts'
import { hostOf } from './hosts.ts'
import { normal } from './normal.ts'
import { contentFilters, matchesIn } from './stored.ts'

const MAX_FILTERS = 500
const MAX_PATTERN_LENGTH = 200
const MAX_MESSAGE_LENGTH = 300

/** Loaded late because the engine takes a megabyte. */
const importPatterns = () => import('./patterns.ts')

/**
 * GET /content_filters: lists the organization's filters of words and links, or the ones that match a text.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 */
export const listContentFilters = action(
  {
    name: 'listContentFilters',
    summary: 'List content filters',
    params: v.object({
      content: described(
        v.nullish(v.pipe(text, maxCharacters(10_000))),
        'Only filters that match this text. It is not sent.',
      ),
    }),
    result: v.strictObject({ content_filters: v.array(contentFilterShape) }),
    role: 'administrator',
  },
  async (caller, { content }) => {
    const filters = await contentFilters.get(caller)
    if (!filters) return { content_filters: [] }
    const found = content == null ? filters.views : await matchesIn(caller, filters, content, renderPlain(content))
    return { content_filters: [...found] }
  },
)

/**
 * POST /content_filters: adds a filter. It applies to what people write from then on.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST for an invalid, too complex or duplicate pattern
 * @example
 * await createContentFilter(admin, { kind: 'domain', pattern: 'spam.example', action: 'refuse' })
 */
export const createContentFilter = action(
  {
    name: 'createContentFilter',
    summary: 'Add a content filter',
    audit: { subject: 'content_filter', made: ({ id }) => id },
    params: v.object({
      kind: described(
        v.picklist(filterKinds, 'Invalid {name}'),
        '`word` for whole words or phrases, `domain` for links to a domain and its subdomains, `pattern` for an RE2 regular expression. None of them distinguishes upper and lower case.',
      ),
      pattern: described(
        v.pipe(line, v.nonEmpty('This field cannot be blank.'), maxCharacters(MAX_PATTERN_LENGTH)),
        'The words, the domain or the regular expression.',
      ),
      action: described(
        v.picklist(filterActions, 'Invalid {name}'),
        '`refuse` rejects the text. `hold` stores messages until a moderator approves them, and rejects other texts. `flag` sends messages in channels and reports them to the moderators.',
      ),
      message: described(
        v.nullish(v.pipe(text, v.trim(), maxCharacters(MAX_MESSAGE_LENGTH)), ''),
        'The sentence that the writer of a rejected text reads, at most 300 characters.',
      ),
    }),
    result: v.strictObject({ id }),
    idempotencyKey: 'one write',
    role: 'administrator',
  },
  async (caller, { kind, pattern: given, action, message }) => {
    const sizeOf = kind === 'pattern' ? (await importPatterns()).programSize : undefined
    return caller.write(async (tx) => {
      const pattern = checkedPattern(kind, given)
      const views = (await contentFilters.get(tx))?.views ?? []
      if (views.length >= MAX_FILTERS) throw badRequest(`An organization can have at most ${MAX_FILTERS} filters.`)
      if (views.some((other) => other.kind === kind && other.pattern === pattern))
        throw invalidField('pattern', 'This filter already exists.')
      if (sizeOf) await requireRoom(views, sizeOf, pattern)
      const row = { kind, pattern, action, message }
      const made = await tx.db.insertInto('content_filter').values(row).returning('id').executeTakeFirstOrThrow()
      await changed(tx)
      return made
    })
  },
)

async function changed(tx: Tx): Promise<void> {
  contentFilters.invalidate(tx)
  await emit(tx, { type: 'content_filters' }, { role: roles.administrator })
}

/** Returns the pattern as it is stored. */
function checkedPattern(kind: ContentFilterView['kind'], given: string): string {
  if (kind === 'pattern') return given
  if (kind === 'word') {
    if (lengthOf(normal(given)) === 0) throw invalidField('pattern', 'This field cannot be blank.')
    return given
  }
  const domain = hostOf(given.replace(/^\*?\./, ''))
  if (domain === undefined) throw invalidField('pattern', 'Enter a domain, such as example.com.')
  return domain
}

/** All patterns are tried with each message, so there is a limit to what they cost together. */
async function requireRoom(
  views: readonly ContentFilterView[],
  sizeOf: (pattern: string) => number,
  added: string,
): Promise<void> {
  const patterns = [added, ...views.filter(({ kind }) => kind === 'pattern').map(({ pattern }) => pattern)]
  const total = patterns.reduce((sum, pattern) => sum + sizeOf(pattern), 0)
  if (total > (await importPatterns()).MAX_PROGRAMS)
    throw invalidField('pattern', 'All patterns together are too complex. Remove one first.')
}

const content_filter_id = described(id, 'ID of the filter.')

/**
 * DELETE /content_filters/{content_filter_id}: removes a filter.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "No such filter"
 */
export const removeContentFilter = action(
  {
    name: 'removeContentFilter',
    summary: 'Remove a content filter',
    audit: { subject: 'content_filter', id: ({ content_filter_id }) => content_filter_id },
    params: v.object({ content_filter_id }),
    result: empty,
    role: 'administrator',
  },
  (caller, { content_filter_id }) =>
    caller.write(async (tx) => {
      const gone = await tx.db
        .deleteFrom('content_filter')
        .where('id', '=', content_filter_id)
        .returning('id')
        .executeTakeFirst()
      if (!gone) throw badRequest('No such filter')
      await changed(tx)
      return {}
    }),
)
