import {
  type Db,
  type OpenOptions,
  openStore,
  type Store,
  type TxDb,
  type WriteScope,
} from '../../src/storage/index.ts'

/** An open store that closes itself. */
export async function opened(
  file: string,
  options: Omit<OpenOptions, 'file'> = {},
): Promise<{ store: Store } & AsyncDisposable> {
  const store = await openStore({ file, ...options })
  return { store, [Symbol.asyncDispose]: () => store.close() }
}

/** Rows for tests, of the table with the fewest constraints. */
export const addRow = async ({ db }: Pick<WriteScope, 'db'>, content_type: string): Promise<number> => {
  const row = await db
    .insertInto('blob')
    .values({ size: 0, content_type, created_at: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export const rows = async (db: Db | TxDb): Promise<string[]> =>
  (await db.selectFrom('blob').select('content_type').orderBy('id').execute()).map((row) => row.content_type)

/** Events, whose ids a database must never give out again. */
export async function addEvents({ db }: Pick<WriteScope, 'db'>, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await db.insertInto('event').values({ type: 'test', payload: '{}', audience: '{}', created_at: 0 }).execute()
  }
}

export const countEvents = async (db: Db | TxDb): Promise<number> =>
  (await db.selectFrom('event').select('id').execute()).length
