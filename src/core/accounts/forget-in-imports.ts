import type { Tx } from '../kernel/context.ts'
import type { User } from '../kernel/user.ts'

/** Imports keep the names of stubs, the pairs of their map file, and the IDs that people had in the source. */
export async function forgetInImports(tx: Tx, { id, full_name, delivery_email }: User): Promise<void> {
  const rows = await tx.db
    .selectFrom('import_object')
    .select(['import_id', 'kind', 'source_id'])
    .where('kind', 'in', ['user', 'subscription', 'mutes'])
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
  const names = [full_name, delivery_email].map((name) => JSON.stringify(name))
  for (const { id: import_id, options, report } of await tx.db.selectFrom('import').selectAll().execute()) {
    const without = (text: string) => names.reduce((all, name) => all.replaceAll(name, '"Deleted user"'), text)
    await tx.db
      .updateTable('import')
      .set({ options: without(options), report: report === null ? null : without(report) })
      .where('id', '=', import_id)
      .execute()
  }
}
