import type { Tx } from '../kernel/context.ts'
import type { User } from '../kernel/user.ts'

/** Imports keep the names of stubs, the pairs of their map file, and the IDs that people had in the source. */
export async function forgetInImports(tx: Tx, { id, full_name, delivery_email }: User): Promise<void> {
  const rows = await tx.db
    .selectFrom('import_object')
    .select(['import_id', 'kind', 'source_id'])
    .where('kind', 'in', ['user', 'subscription', 'mutes', 'address'])
    .where('object_id', '=', id)
    .orderBy('import_id')
    .orderBy('source_id')
    .execute()
  for (const [nth, { import_id, kind, source_id }] of rows.entries()) {
    const [channel] = source_id.split('\n')
    const forgotten = kind === 'subscription' ? `${channel}\nerased-${id}-${nth}` : `erased-${id}-${nth}`
    await tx.db
      .updateTable('import_object')
      .set({ source_id: forgotten })
      .where('import_id', '=', import_id)
      .where('kind', '=', kind)
      .where('source_id', '=', source_id)
      .execute()
  }
  await tx.db
    .updateTable('import_job_person')
    .set({ name: 'Deleted user', email: null, account: null })
    .where((eb) =>
      eb.or([eb('email', '=', delivery_email), eb('account', '=', delivery_email), eb('name', '=', full_name)]),
    )
    .execute()
  const names = [full_name, delivery_email].map((name) => JSON.stringify(name))
  const without = (text: string) => names.reduce((all, name) => all.replaceAll(name, '"Deleted user"'), text)
  for (const { id, report } of await tx.db.selectFrom('import_job').select(['id', 'report']).execute()) {
    if (report === null) continue
    await tx.db
      .updateTable('import_job')
      .set({ report: without(report) })
      .where('id', '=', id)
      .execute()
  }
  for (const { id: import_id, options, report } of await tx.db.selectFrom('import').selectAll().execute()) {
    await tx.db
      .updateTable('import')
      .set({ options: without(options), report: report === null ? null : without(report) })
      .where('id', '=', import_id)
      .execute()
  }
}
