import * as v from 'valibot'
import type { Db } from '../../storage/index.ts'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { statePart } from '../events/log/state-part.ts'
import { action } from '../kernel/action.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id, line, text } from '../kernel/fields.ts'
import { type PlaygroundView, playgroundShape } from '../shapes/linkifier.ts'
import { empty } from '../shapes/values.ts'
import { urlTemplate, variablesOf } from './linkifiers/url-template.ts'

const MAX_PLAYGROUNDS = 1000
const MAX_NAME_LENGTH = 100
const MAX_LANGUAGE_LENGTH = 40

const playgrounds = (db: Db): Promise<PlaygroundView[]> =>
  db.selectFrom('playground').select(['id', 'name', 'pygments_language', 'url_template']).orderBy('id').execute()

/** The playground part of register's state. */
export const playgroundState = statePart({ realm_playgrounds: v.array(playgroundShape) }, async (tx) => ({
  realm_playgrounds: await playgrounds(tx.db),
}))

/**
 * POST /realm/playgrounds: adds a website where readers can try code in a language.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST for a name that is taken for the language, and a template whose one variable isn't `code`
 */
export const createPlayground = action(
  {
    name: 'createPlayground',
    summary: 'Add a code playground',
    audit: { subject: 'playground', made: ({ id }) => id },
    params: v.object({
      name: described(
        v.pipe(
          line,
          v.nonEmpty('This field cannot be blank.'),
          v.maxLength(MAX_NAME_LENGTH, `{name} is too long (limit: ${MAX_NAME_LENGTH} characters)`),
        ),
        'Name that clients show.',
      ),
      pygments_language: described(
        v.pipe(
          text,
          v.trim(),
          v.nonEmpty('This field cannot be blank.'),
          v.maxLength(MAX_LANGUAGE_LENGTH, `{name} is too long (limit: ${MAX_LANGUAGE_LENGTH} characters)`),
          v.regex(/^[ a-zA-Z0-9_+\-.,/#]*$/, 'Invalid characters in pygments language'),
        ),
        'The language, as in the `data-code-language` of rendered code.',
      ),
      url_template: described(urlTemplate, 'An RFC 6570 template with the one variable `code`.'),
    }),
    result: v.strictObject({ id }),
    idempotencyKey: 'one write',
    role: 'administrator',
  },
  (caller, playground) =>
    caller.write(async (tx) => {
      requireCodeAlone(playground.url_template)
      const others = await playgrounds(tx.db)
      if (others.length >= MAX_PLAYGROUNDS)
        throw badRequest(`An organization can have at most ${MAX_PLAYGROUNDS} playgrounds.`)
      const { name, pygments_language } = playground
      if (others.some((other) => other.name === name && other.pygments_language === pygments_language)) {
        throw badRequest('Realm playground with this Realm, Pygments language and Name already exists.')
      }
      const { id } = await tx.db.insertInto('playground').values(playground).returning('id').executeTakeFirstOrThrow()
      await emitPlaygrounds(tx)
      return { id }
    }),
)

/**
 * DELETE /realm/playgrounds/{playground_id}: removes a playground.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Invalid playground"
 */
export const removePlayground = action(
  {
    name: 'removePlayground',
    summary: 'Remove a code playground',
    audit: { subject: 'playground', id: ({ playground_id }) => playground_id },
    params: v.object({ playground_id: described(id, 'ID of the playground.') }),
    result: empty,
    role: 'administrator',
  },
  (caller, { playground_id }) =>
    caller.write(async (tx) => {
      const gone = await tx.db.deleteFrom('playground').where('id', '=', playground_id).returning('id').execute()
      if (gone.length === 0) throw badRequest('Invalid playground')
      await emitPlaygrounds(tx)
      return {}
    }),
)

function requireCodeAlone(url_template: string): void {
  const variables = variablesOf(url_template)
  if (!variables) throw badRequest('Invalid URL template.')
  if (!variables.includes('code')) throw badRequest('Missing the required variable "code" in the URL template')
  if (variables.length > 1) throw badRequest('"code" should be the only variable present in the URL template')
}

async function emitPlaygrounds(tx: Tx): Promise<void> {
  await emit(tx, { type: 'realm_playgrounds', realm_playgrounds: await playgrounds(tx.db) }, everyone)
}
