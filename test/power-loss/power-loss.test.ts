import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { actAs, openChat, sendMessage } from '../../src/index.ts'
import { type Dice, dice } from '../random.ts'
import { rounds } from '../rounds.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { Disk, type Loss } from './disk.ts'
import { everyLoss } from './every-loss.ts'
import { keepRecording, keptRecording } from './kept-recording.ts'
import { type Recording, recordingProblem, recordTwoRuns, type Sent, type Step } from './recording.ts'
import { type Acknowledged, judge, noteAnswer } from './verdict.ts'

// The machine stops at any moment of a real run, and its disk keeps any part of what was not synced. `IMAGES=100000
// SEED=7 node test/run.js power-loss/` for more. A failure keeps its recording, and `RECORDING=FOLDER` plays it again.

const IMAGES = rounds({ short: 60, full: 500, variable: 'IMAGES' })
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
/** One image in so many is also opened by the server itself, which takes longer. */
const SERVED_EACH = 40
const LOSSES: readonly Loss[] = ['nothing', 'unsynced', 'prefix', 'prefix', 'all but one', 'some', 'some']

const skip = recordingProblem() ?? false
const recorded = new TemporaryFolder(tmpdir())
const images = new TemporaryFolder()
let runs: Recording[] = []
let sent: Sent
before(async () => {
  const kept = process.env.RECORDING
  if (!skip) ({ runs, sent } = kept ? keptRecording(kept) : await recordTwoRuns(recorded))
})
after(() => {
  recorded[Symbol.dispose]()
  images[Symbol.dispose]()
})

test('the recording covers every disk operation that a failure can interrupt', { skip }, () => {
  const [first, second] = runs as [Recording, Recording]
  const count = ({ steps }: Recording, is: (step: Step) => boolean) => steps.filter(is).length
  for (const run of [first, second]) {
    assert.ok(count(run, ({ what }) => what === 'sync') > 50)
    assert.ok(count(run, ({ what }) => what === 'sync folder') >= 1)
  }
  assert.ok(count(first, ({ what }) => what === 'create') >= 3, 'the file, its log and its secret')
  const main = second.steps.find((step) => step.what === 'exists' && step.path.endsWith('/chat.db')) as { file: number }
  const folded = count(second, (step) => step.what === 'write' && step.file === main.file)
  assert.ok(folded > 20, `the log is folded into the file while clients write: ${folded} pages`)
})

test(`a power failure at ${IMAGES} moments loses nothing acknowledged and leaves nothing incomplete`, {
  skip,
}, async (t) => {
  const began = performance.now()
  const found = await playAll(runs, dice(SEED), IMAGES)
  t.diagnostic(
    `seed ${SEED}, ${IMAGES} images, ${((performance.now() - began) / 1000).toFixed(1)} s, ${found.acknowledged} acknowledged`,
  )
  if (found.complaints.length > 0) {
    const folder = keepRecording(runs, sent)
    t.diagnostic(`to repeat: RECORDING=${folder} SEED=${SEED} IMAGES=${IMAGES} node test/run.js power-loss/`)
  }
  assert.deepEqual(found.complaints, [])
  assert.ok(found.acknowledged > 1000)
})

test(`every loss between two syncs, up to ${IMAGES} images, loses nothing acknowledged`, { skip }, async (t) => {
  const began = performance.now()
  const found = await playEvery(runs, dice(SEED), IMAGES)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  t.diagnostic(`seed ${SEED}, ${found.images} images of ${found.intervals} from ${found.all} intervals, ${seconds} s`)
  if (found.complaints.length > 0) {
    const folder = keepRecording(runs, sent)
    t.diagnostic(`to repeat: RECORDING=${folder} SEED=${SEED} IMAGES=${IMAGES} node test/run.js power-loss/`)
  }
  assert.deepEqual(found.complaints, [])
  assert.ok(found.images >= IMAGES && found.intervals >= runs.length)
})

test('enumerates every subset of few changes, and prefixes of many', () => {
  const kept = (changes: number, names: number) =>
    [...everyLoss({ pending: { changes, names } })].map(({ names, fate }) =>
      [names, ...Array.from({ length: changes }, (_, i) => (typeof fate(i) === 'function' ? 't' : +fate(i)))].join(''),
    )
  assert.deepEqual(kept(2, 0), ['000', '010', '001', '011', '0t0', '0t0', '0t0', '01t', '01t', '01t'])
  assert.equal(new Set(kept(8, 1)).size, 2 * (256 + 8))
  const many = kept(20, 0)
  assert.ok(many.includes(`0${'1'.repeat(13)}${'0'.repeat(7)}`) && many.includes(`0${'1'.repeat(4)}0${'1'.repeat(15)}`))
})

test('detects a disk that acknowledges fsync without writing', { skip }, async () => {
  const lying = runs.map(({ before, steps }) => ({ before, steps: steps.filter(({ what }) => what !== 'sync') }))
  const { complaints } = await playAll(lying, dice(SEED), 40)
  assert.ok(complaints.length > 5, complaints.join('\n'))
})

/** Stops the machine at so many moments of the runs, evenly among their steps. */
async function playAll(recordings: readonly Recording[], roll: Dice, count: number) {
  const complaints: string[] = []
  const acknowledged: Acknowledged = { messages: new Set(), users: new Set() }
  for (const [n, { before, steps }] of recordings.entries()) {
    const disk = new Disk(before)
    const share = Math.floor(count / recordings.length)
    const moments = new Map<number, number>()
    for (let i = 0; i < share; i++) {
      const at = roll(steps.length)
      moments.set(at, (moments.get(at) ?? 0) + 1)
    }
    for (const [at, step] of steps.entries()) {
      if (step.what === 'answer') noteAnswer(acknowledged, step.text)
      else disk.play(step)
      for (let i = moments.get(at) ?? 0; i > 0; i--) {
        const loss = LOSSES[roll(LOSSES.length)]!
        const served = roll(SERVED_EACH) === 0
        const make = (folder: string) => disk.image(folder, loss, roll)
        const complaint = await lookAt(make, { acknowledged, served })
        if (complaint && complaints.length < 20) complaints.push(`run ${n}, step ${at}, ${loss} lost: ${complaint}`)
      }
    }
  }
  return { complaints, acknowledged: acknowledged.messages.size }
}

/**
 * Stops the machine with everything that it may have kept right before a sync, from one sync to the next until there
 * were so many images. What it keeps earlier in the interval is among that, and fewer are acknowledged then.
 */
async function playEvery(recordings: readonly Recording[], roll: Dice, count: number) {
  const complaints: string[] = []
  const isSync = ({ what }: Step) => what === 'sync' || what === 'sync folder'
  const all = recordings.map(({ steps }) => steps.filter(isSync).length)
  const found = { complaints, images: 0, intervals: 0, all: all.reduce((sum, each) => sum + each, 0) }
  for (const [n, { before, steps }] of recordings.entries()) {
    const disk = new Disk(before)
    const acknowledged: Acknowledged = { messages: new Set(), users: new Set() }
    for (const run of recordings.slice(0, n)) for (const step of run.steps) note(acknowledged, step)
    // Enough before the last sync that there are as many images as wanted.
    let skipped = roll(Math.max(1, all[n]! - Math.ceil(count / 4)))
    let left = Math.ceil(count / recordings.length)
    for (const [at, step] of steps.entries()) {
      if (isSync(step) && skipped-- <= 0 && left > 0 && disk.pending.changes + disk.pending.names > 0) {
        found.intervals++
        for (const { what, names, fate } of everyLoss(disk)) {
          if (left-- <= 0) break
          found.images++
          const complaint = await lookAt(
            (folder) => disk.imageOf(folder, names, (_file, _i, overall) => fate(overall)),
            {
              acknowledged,
              served: roll(SERVED_EACH) === 0,
            },
          )
          if (complaint && complaints.length < 20) complaints.push(`run ${n}, step ${at}, ${what} kept: ${complaint}`)
        }
      }
      if (step.what === 'answer') note(acknowledged, step)
      else disk.play(step)
    }
  }
  return found
}

function note(acknowledged: Acknowledged, step: Step): void {
  if (step.what === 'answer') noteAnswer(acknowledged, step.text)
}

/** Opens the disk as it was made in a new folder. Returns what is wrong with it. */
async function lookAt(
  make: (folder: string) => void,
  { acknowledged, served }: { acknowledged: Acknowledged; served: boolean },
): Promise<string | undefined> {
  const folder = join(images.path, 'image')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  make(folder)
  if (served) return serve(folder, acknowledged)
  const { lost, faults } = judge(folder, acknowledged, sent.contents)
  if (lost > 0) faults.push(`${lost} acknowledged are lost`)
  return faults.length > 0 ? faults.join('; ') : undefined
}

/** Whether the server itself opens the image and continues. */
async function serve(folder: string, acknowledged: Acknowledged): Promise<string | undefined> {
  try {
    await using chat = await openChat({ db: join(folder, 'chat.db') })
    if (acknowledged.messages.size === 0) return undefined
    const owner = await actAs(chat, { api_key: sent.owner.key })
    await sendMessage(owner, { type: 'stream', to: 'general', topic: 'after', content: 'the failure' })
    return undefined
  } catch (error) {
    return `the server does not open it: ${error}`
  }
}
