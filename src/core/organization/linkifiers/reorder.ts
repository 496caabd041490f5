import * as v from 'valibot'
import { everyone } from '../../events/log/audience.ts'
import { emit } from '../../events/log/emit.ts'
import { action } from '../../kernel/action.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, ids } from '../../kernel/fields.ts'
import { empty } from '../../shapes/values.ts'
import { linkifiersOf } from './stored.ts'

/**
 * PATCH /realm/linkifiers: reorders the linkifiers.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST unless every linkifier is named once
 */
export const reorderLinkifiers = action(
  {
    name: 'reorderLinkifiers',
    summary: 'Reorder linkifiers',
    audit: { subject: 'linkifier', details: (given) => ({ order: given.ordered_linkifier_ids }) },
    params: v.object({ ordered_linkifier_ids: described(ids, 'IDs of all linkifiers, in the new order.') }),
    result: empty,
    role: 'administrator',
  },
  (caller, { ordered_linkifier_ids: order }) =>
    caller.write(async (tx) => {
      const { views } = await linkifiersOf.get(tx)
      const places = new Map(order.map((id, i) => [id, i + 1]))
      if (places.size !== order.length) {
        throw badRequest('The ordered list must not contain duplicated linkifiers')
      }
      if (order.length !== views.length || !views.every(({ id }) => places.has(id))) {
        throw badRequest('The ordered list must enumerate all existing linkifiers exactly once')
      }
      if (views.every(({ id }, i) => order[i] === id)) return {}
      // One statement, even for a thousand of them.
      await tx.db
        .insertInto('linkifier')
        .values(
          views.map((view) => ({
            ...view,
            alternative_url_templates: JSON.stringify(view.alternative_url_templates),
            position: places.get(view.id)!,
          })),
        )
        .onConflict((oc) => oc.column('id').doUpdateSet((eb) => ({ position: eb.ref('excluded.position') })))
        .execute()
      await emitLinkifiers(tx)
      return {}
    }),
)

export async function emitLinkifiers(tx: Tx): Promise<void> {
  linkifiersOf.invalidate(tx)
  await emit(tx, { type: 'realm_linkifiers', realm_linkifiers: (await linkifiersOf.get(tx)).views }, everyone)
}
