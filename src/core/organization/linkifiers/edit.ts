import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, id, none, text } from '../../kernel/fields.ts'
import { type LinkifierView, linkifierShape } from '../../shapes/linkifier.ts'
import { empty } from '../../shapes/values.ts'
import { emitLinkifiers } from './reorder.ts'
import { type Reverse, reverseParams, withGiven } from './reverse.ts'
import { linkifiersOf } from './stored.ts'
import { urlTemplate } from './url-template.ts'

/** Loaded late because the engine takes a megabyte. */
const importCheck = () => import('./check.ts')

export const MAX_LINKIFIERS = 1000

const MAX_PATTERN_LENGTH = 1000

const filter_id = described(id, 'ID of the linkifier.')

const linkifierParams = {
  pattern: described(
    v.pipe(
      text,
      v.trim(),
      v.nonEmpty('This field cannot be blank.'),
      v.maxLength(MAX_PATTERN_LENGTH, `{name} is too long (limit: ${MAX_PATTERN_LENGTH} characters)`),
    ),
    'An RE2 regular expression with named groups, such as `#(?P<id>[0-9]+)`.',
  ),
  url_template: described(
    urlTemplate,
    'An RFC 6570 template whose variables are the groups, such as `https://example.com/{id}`.',
  ),
  ...reverseParams,
}

const rowOf = ({ alternative_url_templates, ...reverse }: Reverse) => ({
  ...reverse,
  alternative_url_templates: JSON.stringify(alternative_url_templates),
})
const oneWay: Reverse = { example_input: null, reverse_template: null, alternative_url_templates: [] }

/**
 * GET /realm/linkifiers: lists linkifiers in the order in which they apply.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 */
export const listLinkifiers = action(
  {
    name: 'listLinkifiers',
    summary: 'List linkifiers',
    params: none,
    result: v.strictObject({ linkifiers: v.array(linkifierShape) }),
  },
  async (caller) => ({ linkifiers: [...(await linkifiersOf.get(caller)).views] }),
)

/**
 * POST /realm/filters: adds a linkifier at the end.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST for an invalid or duplicate pattern, an invalid template, or names that differ between the two
 */
export const createLinkifier = action(
  {
    name: 'createLinkifier',
    summary: 'Add a linkifier',
    audit: { subject: 'linkifier', made: ({ id }) => id },
    params: v.object(linkifierParams),
    result: v.strictObject({ id }),
    idempotencyKey: 'one write',
    role: 'administrator',
  },
  async (caller, { pattern, url_template, ...given }) => {
    const { checkLinkifier } = await importCheck()
    return caller.write(async (tx) => {
      const reverse = withGiven(oneWay, given)
      checkLinkifier(pattern, url_template, reverse)
      const { views } = await linkifiersOf.get(tx)
      if (views.length >= MAX_LINKIFIERS)
        throw badRequest(`An organization can have at most ${MAX_LINKIFIERS} linkifiers.`)
      requireNewPattern(views, pattern)
      const last = await tx.db
        .selectFrom('linkifier')
        .select((eb) => eb.fn.max('position').as('position'))
        .executeTakeFirst()
      const { id } = await tx.db
        .insertInto('linkifier')
        .values({ pattern, url_template, position: (last?.position ?? 0) + 1, ...rowOf(reverse) })
        .returning('id')
        .executeTakeFirstOrThrow()
      await emitLinkifiers(tx)
      return { id }
    })
  },
)

/**
 * PATCH /realm/filters/{filter_id}: changes a linkifier. Existing messages keep their links.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Linkifier not found.", and like `createLinkifier`
 */
export const updateLinkifier = action(
  {
    name: 'updateLinkifier',
    summary: 'Update a linkifier',
    audit: { subject: 'linkifier', id: ({ filter_id }) => filter_id },
    params: v.object({ filter_id, ...linkifierParams }),
    result: empty,
    role: 'administrator',
  },
  async (caller, { filter_id, pattern, url_template, ...given }) => {
    const { checkLinkifier } = await importCheck()
    return caller.write(async (tx) => {
      const { own, others } = await accessLinkifier(tx, filter_id)
      const reverse = withGiven(own, given)
      checkLinkifier(pattern, url_template, reverse)
      requireNewPattern(others, pattern)
      const columns = { pattern, url_template, ...rowOf(reverse) }
      await tx.db.updateTable('linkifier').set(columns).where('id', '=', filter_id).execute()
      await emitLinkifiers(tx)
      return {}
    })
  },
)

/**
 * DELETE /realm/filters/{filter_id}: removes a linkifier.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Linkifier not found."
 */
export const removeLinkifier = action(
  {
    name: 'removeLinkifier',
    summary: 'Remove a linkifier',
    audit: { subject: 'linkifier', id: ({ filter_id }) => filter_id },
    params: v.object({ filter_id }),
    result: empty,
    role: 'administrator',
  },
  (caller, { filter_id }) =>
    caller.write(async (tx) => {
      await accessLinkifier(tx, filter_id)
      await tx.db.deleteFrom('linkifier').where('id', '=', filter_id).execute()
      await emitLinkifiers(tx)
      return {}
    }),
)

/** Throws unless this linkifier exists; returns it, and the others. */
async function accessLinkifier(tx: Tx, filter_id: number): Promise<{ own: LinkifierView; others: LinkifierView[] }> {
  const { views } = await linkifiersOf.get(tx)
  const own = views.find((view) => view.id === filter_id)
  if (!own) throw badRequest('Linkifier not found.')
  return { own, others: views.filter((view) => view !== own) }
}

function requireNewPattern(others: readonly LinkifierView[], pattern: string): void {
  if (others.some((other) => other.pattern === pattern)) {
    throw badRequest('Realm filter with this Realm and Pattern already exists.')
  }
}
