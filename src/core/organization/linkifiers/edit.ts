import { RE2JS, RE2JSSyntaxException } from 're2js'
import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, id, none, text } from '../../kernel/fields.ts'
import { type LinkifierView, linkifierShape } from '../../shapes/linkifier.ts'
import { empty } from '../../shapes/values.ts'
import { emitLinkifiers } from './reorder.ts'
import { checkReverse, invalid, type Reverse, reverseParams, withGiven } from './reverse.ts'
import { linkifiersOf } from './stored.ts'
import { urlTemplate, variablesOf } from './url-template.ts'

/**
 * The maximum number of instructions of a compiled pattern. A short one with counted repetitions can need many
 * thousands. The states that its engine builds for a text grow with the square of it. With 200, ten thousand hostile
 * characters take under 100 ms.
 */
const MAX_PROGRAM = 200

/** Error messages that clients know, if they differ from the engine's. */
const mistakes: Readonly<Record<string, string>> = {
  'missing closing )': 'missing )',
  'missing closing ]': 'missing ]',
  'missing argument to repetition operator': 'no argument for repetition operator',
  'invalid nested repetition operator': 'bad repetition operator',
  'invalid repeat count': 'invalid repetition size',
  'invalid or unsupported Perl syntax': 'invalid perl operator',
  'invalid named capture': 'invalid named capture group',
}

/** The names of a pattern's groups. Throws for an invalid pattern. */
function groupsOf(pattern: string): string[] {
  try {
    const compiled = RE2JS.compile(pattern)
    if (compiled.programSize() > MAX_PROGRAM) {
      throw invalid('pattern', 'Bad regular expression: pattern too large - compile failed')
    }
    return Object.keys(compiled.namedGroups())
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    const description = error.getDescription()
    const where = error.getPattern()
    const what = `${mistakes[description] ?? description}${where ? `: ${where}` : ''}`
    throw invalid('pattern', `Bad regular expression: ${what}`)
  }
}

/** Throws unless pattern and templates are valid and have the same names in all. */
function checkLinkifier(pattern: string, url_template: string, reverse: Reverse): void {
  const groups = groupsOf(pattern)
  const variables = variablesOf(url_template)
  if (!variables) throw invalid('url_template', 'Invalid URL template.')
  const first = (names: string[], others: string[]) => names.filter((name) => !others.includes(name)).sort()[0]
  const unknown = first(variables, groups)
  if (unknown !== undefined) {
    throw invalid('__all__', `Group '${unknown}' in URL template is not present in linkifier pattern.`)
  }
  const unused = first(groups, variables)
  if (unused !== undefined) {
    throw invalid('__all__', `Group '${unused}' in linkifier pattern is not present in URL template.`)
  }
  checkReverse(pattern, groups, reverse)
}

export const MAX_LINKIFIERS = 1000

const MAX_PATTERN_LENGTH = 1000

const filter_id = described(id, 'Id of the linkifier.')

const linkifierParams = {
  pattern: described(
    v.pipe(
      text,
      v.trim(),
      v.nonEmpty('This field cannot be blank.'),
      v.maxLength(MAX_PATTERN_LENGTH, `{name} is too long (limit: ${MAX_PATTERN_LENGTH} characters)`),
    ),
    'A regular expression of RE2 with named groups, such as `#(?P<id>[0-9]+)`.',
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
    params: v.object(linkifierParams),
    result: v.strictObject({ id }),
    idempotencyKey: 'one write',
    role: 'administrator',
  },
  (caller, { pattern, url_template, ...given }) =>
    caller.write(async (tx) => {
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
    }),
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
    params: v.object({ filter_id, ...linkifierParams }),
    result: empty,
    role: 'administrator',
  },
  (caller, { filter_id, pattern, url_template, ...given }) =>
    caller.write(async (tx) => {
      const { own, others } = await accessLinkifier(tx, filter_id)
      const reverse = withGiven(own, given)
      checkLinkifier(pattern, url_template, reverse)
      requireNewPattern(others, pattern)
      const columns = { pattern, url_template, ...rowOf(reverse) }
      await tx.db.updateTable('linkifier').set(columns).where('id', '=', filter_id).execute()
      await emitLinkifiers(tx)
      return {}
    }),
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
