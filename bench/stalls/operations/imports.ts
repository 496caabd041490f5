import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { importerOf } from '../../../src/core/files/import-uploads.ts'
import { storeOf } from '../../../src/core/kernel/store.ts'
import { sendMessage } from '../../../src/core/messages/send/send.ts'
import { getMessages } from '../../../src/core/narrow/fetch.ts'
import { undoImport } from '../../../src/core/organization/imports/actions.ts'
import { createImportJob, startImportJob } from '../../../src/core/organization/imports/job-actions.ts'
import type { World } from '../../../src/testing/world.ts'
import { type BenchSource, benchSources, writers } from '../../imports/archives.ts'
import { type Operation, of } from './operation.ts'

const MESSAGES = 100_000

/** Puts an export into the server's folder for imports. */
function exported(w: World, source: BenchSource, messages: number): string {
  const folder = join(w.chat.options.importFolder!, source)
  mkdirSync(folder, { recursive: true })
  writers[source](folder, messages)
  return source
}

/** Runs what an owner has started in the page until it is over. */
async function settled(w: World): Promise<void> {
  await importerOf(w.chat).settled()
  const job = await storeOf(w.chat).db.selectFrom('import_job').select('problem').executeTakeFirst()
  if (job?.problem) throw new Error(job.problem)
}

async function checked(w: World, server_file: string): Promise<void> {
  await createImportJob(w.people.iago, { server_file })
  await settled(w)
}

async function imported(w: World): Promise<void> {
  await startImportJob(w.people.iago, {})
  await settled(w)
}

/** Another person sends a message and reads the newest ones. */
const probe: Operation['probe'] = ({ people: { cordelia } }) => [
  () => sendMessage(cordelia, { type: 'private', to: [cordelia.id], content: 'Are you there?' }),
  () => getMessages(cordelia, { anchor: 'newest', num_before: 20, num_after: 0 }),
]

/** Imports of the page, as an owner starts them. */
export const importOperations: readonly Operation[] = benchSources.flatMap((source) => [
  {
    name: `the dry run of an import from ${source} of 100,000 messages`,
    action: 'createImportJob',
    probe,
    async prepare(w: World, share: number) {
      const file = exported(w, source, of(share, MESSAGES))
      return () => checked(w, file)
    },
  },
  {
    name: `importing 100,000 messages from ${source}`,
    action: 'startImportJob',
    probe,
    async prepare(w: World, share: number) {
      await checked(w, exported(w, source, of(share, MESSAGES)))
      return () => imported(w)
    },
  },
  {
    name: `undoing an import from ${source} of 100,000 messages`,
    action: 'undoImport',
    probe,
    async prepare(w: World, share: number) {
      await checked(w, exported(w, source, of(share, MESSAGES)))
      await imported(w)
      return async () => {
        await undoImport(w.people.iago, { import_id: 1 })
        await settled(w)
      }
    },
  },
])
