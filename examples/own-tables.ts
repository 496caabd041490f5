// Tables of your own in the chat's database, changed in the same transaction as the chat. `npx tsx examples/own-tables.ts`
//
// Names that begin with app_ are yours: no version of chat-server will make a table or an index of such a name. All
// others are the chat's, for reading only, and change with its versions. In a file of their own your tables would not
// be in the chat's backups, and a crash could leave a message without its row.
import { contextOf, sendMessage } from 'chat-server'
import { openDemo } from './open-demo.ts'

type OwnTables = {
  app_invoice: { number: string; cents: number; message_id: number }
}

const { chat, owner } = await openDemo()

await contextOf(chat).write(({ db }) =>
  db.schema
    .createTable('app_invoice')
    .ifNotExists()
    .addColumn('number', 'text', (column) => column.primaryKey())
    .addColumn('cents', 'integer', (column) => column.notNull())
    .addColumn('message_id', 'integer', (column) => column.notNull().references('message.id').onDelete('cascade'))
    .execute(),
)

/** Both happen, or neither. */
async function bill(number: string, cents: number): Promise<void> {
  await owner.write(async (tx) => {
    const content = `Invoice ${number}: ${(cents / 100).toFixed(2)}`
    const { id } = await sendMessage(tx, { type: 'stream', to: 'general', topic: 'invoices', content })
    await tx.db.withTables<OwnTables>().insertInto('app_invoice').values({ number, cents, message_id: id }).execute()
  })
}

await bill('2026-001', 12_50)
await bill('2026-001', 99_99).catch((error: Error) => console.log(`refused: ${error.message}`))

const invoices = await contextOf(chat)
  .db.withTables<OwnTables>()
  .selectFrom('app_invoice')
  .innerJoin('message', 'message.id', 'app_invoice.message_id')
  .select(['app_invoice.number', 'app_invoice.cents', 'message.content'])
  .execute()
console.log(JSON.stringify(invoices))
await chat.close()
