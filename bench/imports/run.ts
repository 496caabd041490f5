/**
 * Importing generated exports of Slack, Zulip and Mattermost, beside the same rows inserted by the driver alone: `npm run
 * bench:import [messages] [source]`. Prints messages for each second of processor time, and the peak of memory. Each source runs in
 * a process of its own.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepHeapSmall } from '../../bin/small-heap.ts'
import { COMMAND_CACHE_MIB } from '../../src/admin/run-on.ts'
import { createOrganization } from '../../src/core/accounts/create-organization.ts'
import { openChat } from '../../src/core/open-chat.ts'
import { importArchive } from '../../src/core/organization/imports/run.ts'
import { millisecondsSince, moment } from '../processor-time.ts'
import { row } from '../row.ts'
import { type BenchSource, benchSources, writers } from './archives.ts'
import { insertByDriver } from './driver.ts'

const MIB = 1024 * 1024
/** Importing one needs less than this much memory. */
const MOST_MIB = 300
const [first = '100000', source, folder, step] = process.argv.slice(2)
const messages = Number(first)

const again = (...more: string[]) =>
  execFileSync(process.execPath, [...process.execArgv, process.argv[1]!, first, ...more], { stdio: 'inherit' })

/** The memory of the process that imports is measured, so others write the export and insert by the driver. */
async function measure(of: BenchSource, place: string): Promise<void> {
  const archive = join(place, 'export')
  mkdirSync(archive)
  again(of, archive, 'write')
  const file = join(place, 'bench.db')
  keepHeapSmall('import')
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 20)
  const chat = await openChat({ db: file, passwordCost: 4, cacheMib: COMMAND_CACHE_MIB })
  await createOrganization(chat, { org: 'Bench', owner_email: 'o@example.com', owner_name: 'Olga' })
  const scan = moment()
  await importArchive(chat, { file: archive, dryRun: true })
  row(`${of}: dry run of ${messages} messages, each second`, messages / (millisecondsSince(scan) / 1000), '')
  const began = moment()
  await importArchive(chat, { file: archive })
  const took = millisecondsSince(began)
  clearInterval(watch)
  row(`${of}: import with the search index, messages each second (goal: 8000)`, messages / (took / 1000), '')
  row(`${of}: peak of memory`, peak / MIB, 'MiB', MOST_MIB)
  await chat.close()
  again(of, place, 'insert')
}

if (step === 'write') writers[source as BenchSource](folder!, messages)
else if (step === 'insert')
  row(
    `${source}: the same rows by the driver alone, each second`,
    messages / (insertByDriver(join(folder!, 'bench.db'), join(folder!, 'driver.db')) / 1000),
    '',
  )
else if (source === undefined) for (const each of benchSources) again(each)
else {
  const place = mkdtempSync(join(tmpdir(), 'chat-bench-import-'))
  try {
    await measure(source as BenchSource, place)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
