import type { Selectable } from 'kysely'
import type { DataExportTable } from '../../../storage/index.ts'
import { emit } from '../../events/log/emit.ts'
import type { Context, SystemTx } from '../../kernel/context.ts'
import { roles } from '../../kernel/roles.ts'
import type { ExportView } from '../../shapes/export.ts'

export type DataExport = Selectable<DataExportTable>

/** Path of archives, below the server's own address. */
export const EXPORTS_PATH = '/user_avatars/exports'

/** Kinds of archives, numbered from 1. */
const kindNames = ['public', 'full_with_consent'] as const
/** The kind of an archive of one person's data, which only they see. */
export const OWN_KIND = 3

/** Only the newest ones are shown. */
const MAX_SHOWN = 100

/** Returns whether it is requested or in progress. */
export const isPending = ({ finished_at, failed_at, deleted_at }: DataExport): boolean =>
  finished_at === null && failed_at === null && deleted_at === null

/** Returns archives as administrators see them, newest last. `origin` is the base URL of their addresses. */
export async function exportViews({ db }: Pick<Context, 'db'>, origin: string): Promise<ExportView[]> {
  const rows = await db
    .selectFrom('data_export')
    .selectAll()
    .where('kind', '!=', OWN_KIND)
    .orderBy('id', 'desc')
    .limit(MAX_SHOWN)
    .execute()
  return rows.reverse().map((row) => ({
    id: row.id,
    acting_user_id: row.user_id,
    export_time: row.requested_at,
    export_type: kindNames[row.kind - 1]!,
    pending: isPending(row),
    failed_timestamp: row.failed_at,
    deleted_timestamp: row.deleted_at,
    export_url: row.path === null ? null : `${origin}${EXPORTS_PATH}/${row.path}`,
  }))
}

/** Call it after each change of an archive's row. Nobody learns of other people's own archives. */
export async function emitExports(tx: SystemTx, { kind }: Pick<DataExport, 'kind'>): Promise<void> {
  if (kind === OWN_KIND) return
  await emit(tx, { type: 'realm_export', exports: await exportViews(tx, '') }, { role: roles.administrator })
}
