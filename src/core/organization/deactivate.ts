import * as v from 'valibot'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import { recordAct } from '../kernel/audit.ts'
import { seconds } from '../kernel/base/clock.ts'
import { type Context, deactivatedSince, organizationIsOpen } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { count, described } from '../kernel/fields.ts'
import { failSlice } from '../messages/scheduled/overdue.ts'
import { empty } from '../shapes/values.ts'

/**
 * POST /realm/deactivate: deactivates the organization until an operator reactivates it with the command line. Nothing
 * is deleted, and nothing is sent: scheduled messages and outgoing webhooks wait.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST if the data should be deleted later
 */
export const deactivateOrganization = action(
  {
    name: 'deactivateOrganization',
    summary: 'Deactivate the organization',
    audit: { subject: 'organization' },
    params: v.object({
      deletion_delay_days: described(
        v.nullish(count),
        "Must be null, because this server doesn't delete organizations automatically.",
      ),
    }),
    result: empty,
    role: 'owner',
  },
  (caller, { deletion_delay_days }) =>
    caller.write(async (tx) => {
      if (deletion_delay_days != null)
        throw badRequest("This server doesn't delete deactivated organizations automatically.")
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
 * Reactivates an organization, for the command line, because no one can sign in. Scheduled messages that came due
 * since are sent. If that was more than a day ago, they are marked as failed.
 *
 * @throws ChatError BAD_REQUEST if it isn't deactivated
 */
export async function reactivateOrganization(context: Context): Promise<void> {
  const { chat } = context
  const { since } = await requireDeactivated(context)
  const missed = { from: since, before: seconds(chat.clock) - LATE_SECONDS }
  while (
    await context.write((tx) => failSlice(tx, missed, 'The organization was deactivated at the time of this message.'))
  );
  await context.write(async (tx) => {
    await requireDeactivated(tx)
    await tx.db.updateTable('organization').set({ deactivated_at: null }).execute()
    await recordAct(tx, {
      action: 'reactivateOrganization',
      subject_kind: 'organization',
      before: { deactivated_at: since },
      after: { deactivated_at: null },
    })
    organizationIsOpen.invalidate(tx)
  })
}

/** How late a scheduled message is still sent after a reactivation. */
const LATE_SECONDS = 24 * 3600

async function requireDeactivated({ db }: Pick<Context, 'db'>): Promise<{ since: number }> {
  const since = await deactivatedSince(db)
  if (since === undefined) throw badRequest("The organization isn't deactivated")
  return { since }
}
