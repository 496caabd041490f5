import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { eventually } from '../eventually.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { commandFile, start } from './running.ts'

const MIB = 1024

/** Resident memory of a process in KiB. */
const residentOf = (pid: number) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])

const onLinux = { skip: process.platform === 'linux' ? false : 'needs /proc' }

test('an idle server returns memory that only its start needed', onLinux, async () => {
  using folder = new TemporaryFolder()
  await using server = await start(folder, ['--port', '0'])
  const resident = () => residentOf(server.process.pid!)
  const atStart = resident()
  await eventually(
    () => `${resident()} of ${atStart} KiB are 5 MiB less`,
    () => resident() < atStart - 5 * MIB,
  )
  assert.equal((await fetch(`${server.url}/health/ready`)).status, 200)
})

test('the bundled command is ASCII, which V8 keeps in a byte a character', () => {
  const folder = dirname(commandFile)
  const others = readdirSync(folder).filter(
    (name) => name.endsWith('.js') && /[^\0-\x7f]/.test(readFileSync(join(folder, name), 'utf8')),
  )
  assert.deepEqual(others, [])
})
