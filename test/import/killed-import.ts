// Imports an archive until it is killed, and prints a line after each commit: `killed-import.ts <archive>`. It loads the program, and
// waits for the path of the database on its input.
import assert from 'node:assert/strict'
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import { storeOf } from '../../src/core/kernel/store.ts'
import '../../src/core/organization/imports/run.ts'
import { openChat } from '../../src/index.ts'
import { importInto } from './archives.ts'

// A process that is killed stores nothing of it.
flushCompileCache()
const path = process.argv[2]!
for await (const db of createInterface({ input: process.stdin })) {
  const chat = await openChat({ db })
  storeOf(chat).observeCommits(() => process.stdout.write('commit\n'))
  // It may have been killed after its last commit.
  await importInto(chat, { path }).catch((error: Error) => assert.match(error.message, /already imported/))
  process.stdout.write('done\n')
}
setInterval(() => {}, 60_000)
