import { sql } from 'kysely'
import { groupGraph } from '../../access/group-graph.ts'
import { dropBlob } from '../../files/dropped-blobs.ts'
import { abandonUpload } from '../../files/unfinished.ts'
import { storedGroups } from '../../groups/stored.ts'
import { invalidateUser, type Tx } from '../../kernel/context.ts'
import { allAlertWords } from '../../users/alerted.ts'
import { invalidatePeople } from '../../users/people.ts'
import { type Brought, idsOf } from './brought.ts'

export async function removeGroups(tx: Tx, rows: readonly Brought[]): Promise<void> {
  const ids = idsOf(tx, rows)
  await tx.db.deleteFrom('user_group_member').where('group_id', 'in', ids).execute()
  await tx.db
    .deleteFrom('user_group_subgroup')
    .where((eb) => eb.or([eb('group_id', 'in', ids), eb('subgroup_id', 'in', ids)]))
    .execute()
  await tx.db.deleteFrom('user_group').where('id', 'in', ids).execute()
  groupGraph.invalidate(tx)
  storedGroups.invalidate(tx)
}

/** Tables with rows of one person, which `obstacles` found to be the import's or of no consequence. */
const personal = [
  'unfinished_move',
  'mail_candidate',
  'mail',
  'password_link',
  'role_change',
  'user_setting',
  'alert_word',
  'muted_user',
  'user_status',
  'presence',
  'profile_value',
  'user_group_member',
  'user_topic',
  'read_range',
  'onboarding_step',
  'subscription_period',
  'subscription',
] as const

export async function removeUsers(tx: Tx, rows: readonly Brought[]): Promise<void> {
  const ids = idsOf(tx, rows)
  const users = await tx.db
    .selectFrom('user')
    .select(['avatar_blob_id', 'avatar_medium_blob_id'])
    .where('id', 'in', ids)
    .execute()
  // A file that was being imported when the import was cut off.
  const uploads = await tx.db.selectFrom('upload').select(['id', 'blob_id']).where('owner_id', 'in', ids).execute()
  for (const upload of uploads) await abandonUpload(tx, upload)
  for (const table of personal) await sql`delete from ${sql.table(table)} where user_id in ${ids}`.execute(tx.db)
  await tx.db.deleteFrom('muted_user').where('muted_user_id', 'in', ids).execute()
  await tx.db.deleteFrom('user').where('id', 'in', ids).execute()
  for (const user of users)
    for (const blob of [user.avatar_blob_id, user.avatar_medium_blob_id])
      if (blob !== null) await dropBlob(tx, blob, 'read')
  for (const { object_id } of rows) invalidateUser(tx, object_id)
  invalidatePeople(tx)
  allAlertWords.invalidate(tx)
}
