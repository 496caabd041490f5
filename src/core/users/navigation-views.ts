import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { flag, type NavigationViewTable } from '../../storage/index.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { absent, badRequest } from '../kernel/errors.ts'
import { bool, described, line, maxCharacters, none, text } from '../kernel/fields.ts'
import { type NavigationView, navigationViewShape } from '../shapes/personal.ts'
import { empty } from '../shapes/values.ts'

/** Views that every client has; users choose only whether they are pinned. */
const builtIn = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
])

const MAX_FRAGMENT_LENGTH = 1000
const MAX_NAME_LENGTH = 100

const fragment = described(
  v.pipe(text, v.trim(), v.nonEmpty('{name} cannot be blank'), maxCharacters(MAX_FRAGMENT_LENGTH)),
  "Part of the view's URL after `#`, such as `narrow/is/starred`.",
)
const name = described(
  v.nullish(v.pipe(line, maxCharacters(MAX_NAME_LENGTH))),
  'Name, at most 100 characters. Built-in views have none.',
)

const viewOf = ({ fragment, is_pinned, name }: Selectable<NavigationViewTable>): NavigationView => ({
  fragment,
  is_pinned: is_pinned === 1,
  name,
})

const rowsOf = ({ db, user }: Caller) =>
  db.selectFrom('navigation_view').selectAll().where('user_id', '=', user.id).orderBy('id').execute()

/** The views that the caller has stored, oldest first. */
export const navigationViewsOf = async (caller: Caller): Promise<NavigationView[]> => (await rowsOf(caller)).map(viewOf)

/**
 * GET /navigation_views: lists the rows of the left sidebar that the caller has pinned, unpinned or created.
 *
 * @throws USER_DEACTIVATED when the caller's account is deactivated
 * @example
 * const { navigation_views } = await listNavigationViews(ann)
 */
export const listNavigationViews = action(
  {
    name: 'listNavigationViews',
    summary: 'List navigation views',
    params: none,
    result: v.strictObject({ navigation_views: v.array(navigationViewShape) }),
  },
  async (caller) => ({ navigation_views: await navigationViewsOf(caller) }),
)

/**
 * POST /navigation_views: stores whether a built-in view is pinned, or a view of the caller's own.
 *
 * @throws BAD_REQUEST for a built-in view with a name, a custom view without one, and a view that already exists
 * @example
 * await addNavigationView(ann, { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alert words' })
 */
export const addNavigationView = action(
  {
    name: 'addNavigationView',
    summary: 'Add a navigation view',
    params: v.object({ fragment, is_pinned: described(bool, 'Whether to always show it.'), name }),
    result: empty,
    idempotencyKey: 'one write',
  },
  (caller, { fragment, is_pinned, name = null }) =>
    caller.write(async (tx) => {
      const rows = await rowsOf(tx)
      const { navigationViewsPerUser: most } = tx.chat.options.limits
      if (rows.length >= most) throw badRequest(`Too many navigation views; at most ${most} per user`)
      requireName(fragment, name)
      if (rows.some((row) => row.fragment === fragment)) throw exists()
      requireFree(rows, name)
      await tx.db
        .insertInto('navigation_view')
        .values({ user_id: tx.user.id, fragment, name, is_pinned: flag(is_pinned) })
        .execute()
      const navigation_view = { fragment, is_pinned, name }
      await emit(tx, { type: 'navigation_view', op: 'add', navigation_view }, only(tx.user.id))
      return {}
    }),
)

/**
 * PATCH /navigation_views/{fragment}: changes a view. Missing parameters stay unchanged.
 *
 * @throws BAD_REQUEST (404) "Navigation view does not exist."
 * @example
 * await updateNavigationView(ann, { fragment: 'inbox', is_pinned: false })
 */
export const updateNavigationView = action(
  {
    name: 'updateNavigationView',
    summary: 'Update a navigation view',
    params: v.object({ fragment, is_pinned: described(v.nullish(bool), 'Whether to always show it.'), name }),
    result: empty,
  },
  (caller, { fragment, is_pinned, name }) =>
    caller.write(async (tx) => {
      const rows = await rowsOf(tx)
      const own = rows.find((row) => row.fragment === fragment)
      if (!own) throw doesNotExist()
      const data: { is_pinned?: boolean; name?: string } = {}
      if (is_pinned != null && flag(is_pinned) !== own.is_pinned) data.is_pinned = is_pinned
      if (name != null) {
        requireName(fragment, name)
        if (name !== own.name) {
          requireFree(rows, name)
          data.name = name
        }
      }
      if (Object.keys(data).length === 0) return {}
      await tx.db
        .updateTable('navigation_view')
        .set({
          ...(data.name !== undefined && { name: data.name }),
          ...(data.is_pinned !== undefined && { is_pinned: flag(data.is_pinned) }),
        })
        .where('id', '=', own.id)
        .execute()
      await emit(tx, { type: 'navigation_view', op: 'update', fragment, data }, only(tx.user.id))
      return {}
    }),
)

/**
 * DELETE /navigation_views/{fragment}: removes a view.
 *
 * @throws BAD_REQUEST (404) "Navigation view does not exist."
 * @example
 * await removeNavigationView(ann, { fragment: 'inbox' })
 */
export const removeNavigationView = action(
  { name: 'removeNavigationView', summary: 'Remove a navigation view', params: v.object({ fragment }), result: empty },
  (caller, { fragment }) =>
    caller.write(async (tx: Tx) => {
      const gone = await tx.db
        .deleteFrom('navigation_view')
        .where('user_id', '=', tx.user.id)
        .where('fragment', '=', fragment)
        .returning('id')
        .executeTakeFirst()
      if (!gone) throw doesNotExist()
      await emit(tx, { type: 'navigation_view', op: 'remove', fragment }, only(tx.user.id))
      return {}
    }),
)

function requireName(fragment: string, name: string | null): void {
  if (builtIn.has(fragment)) {
    if (name !== null) throw badRequest('Built-in views cannot have a custom name.')
  } else if (name === null || name === '') throw badRequest('Custom views must have a valid name.')
}

const requireFree = (rows: readonly { name: string | null }[], name: string | null): void => {
  if (name !== null && rows.some((row) => row.name === name)) throw exists()
}

const exists = () => badRequest('Navigation view already exists.')
const doesNotExist = () => absent('Navigation view does not exist.')
