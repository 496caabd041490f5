import * as v from 'valibot'
import { action } from '../action.ts'
import { seconds } from '../base/clock.ts'
import { type Context, organizationIsOpen } from '../context.ts'
import { badRequest } from '../errors.ts'
import { everyone } from '../event-log/audience.ts'
import { emit } from '../event-log/emit.ts'
import { count, described } from '../fields.ts'
import { empty } from '../shapes/values.ts'

/**
 * POST /realm/deactivate: nobody can use the organization any more, until an operator reactivates it by the command line.
 * Nothing is deleted.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST where the data is to be deleted after a while
 */
export const deactivateOrganization = action(
  {
    name: 'deactivateOrganization',
    summary: 'Deactivate the organization',
    params: v.object({
      deletion_delay_days: described(v.nullish(count), 'Only null: this server deletes no organization by itself.'),
    }),
    result: empty,
    role: 'owner',
  },
  (caller, { deletion_delay_days }) =>
    caller.write(async (tx) => {
      if (deletion_delay_days != null) throw badRequest('This server deletes no deactivated organization by itself.')
      const { id: realm_id } = await tx.db.selectFrom('organization').select('id').executeTakeFirstOrThrow()
      await tx.db
        .updateTable('organization')
        .set({ deactivated_at: seconds(tx.chat.clock) })
        .execute()
      await emit(tx, { type: 'realm', op: 'deactivated', realm_id }, everyone)
      organizationIsOpen.invalidate(tx)
      return {}
    }),
)

/**
 * Opens a deactivated organization again, for the command line: nobody can sign in to ask for it.
 *
 * @throws ChatError BAD_REQUEST when it is not deactivated
 */
export async function reactivateOrganization(context: Context): Promise<void> {
  await context.write(async (tx) => {
    if (await organizationIsOpen.get(tx)) throw badRequest('The organization is not deactivated')
    await tx.db.updateTable('organization').set({ deactivated_at: null }).execute()
    organizationIsOpen.invalidate(tx)
  })
}
