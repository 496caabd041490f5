// Imports an archive until it is killed, and prints a line after each commit: `killed-import.ts <database> <archive>`.
import { storeOf } from '../../src/core/kernel/store.ts'
import { openChat } from '../../src/index.ts'
import { importInto } from './archives.ts'

const [db, path] = process.argv.slice(2) as [string, string]
const chat = await openChat({ db })
storeOf(chat).observeCommits(() => process.stdout.write('commit\n'))
await importInto(chat, { path })
process.stdout.write('done\n')
setInterval(() => {}, 60_000)
