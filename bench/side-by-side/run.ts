/**
 * Sends one message at a time to 50 waiting members of a stream, and in turns of a room of Prosody and of ejabberd
 * with archives on: `npm run bench:side-by-side`, or `… -- ejabberd` for only one. Both come from Debian's packages,
 * unpacked into a temporary folder.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as pathOf } from 'node:path'
import { crowd, start } from '../crowd.ts'
import type { Running } from './debian.ts'
import { startEjabberd } from './ejabberd.ts'
import { startProsody } from './prosody.ts'
import { join, type Member } from './xmpp-client.ts'

const MEMBERS = 50
const BATCH = 40
const BATCHES = 5
const PORT = 5299
const CONTENT = 'The quick brown fox jumps over the lazy dog, and says so in the stream.'

interface Room {
  /** Sends one message. Resolves with the milliseconds until the last member has it. */
  round(): Promise<number>
  close(): void
}

async function xmppRoom(place: { port: number; host: string; room: string }): Promise<Room> {
  let missing = 0
  let last = 0
  let done = () => {}
  const members: Member[] = []
  for (let i = 0; i < MEMBERS; i++) {
    const member = await join(place, `member${i}`, (_, at) => {
      last = at
      if (--missing === 0) done()
    })
    members.push(member)
  }
  return {
    async round() {
      missing = MEMBERS
      const all = new Promise<void>((resolve) => {
        done = resolve
      })
      const began = performance.now()
      members[0]!.send(CONTENT)
      await all
      return last - began
    },
    close() {
      for (const member of members) member.close()
    },
  }
}

const middle = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!

/** Both in turns, so that a slow moment of the machine does not affect only one of them. */
async function measure(name: string, startOther: (folder: string, port: number) => Promise<Running>): Promise<void> {
  const folder = mkdtempSync(pathOf(tmpdir(), 'chat-bench-'))
  const other = await startOther(folder, PORT)
  const chat = await start('chat', pathOf(folder, 'chat.db'), String(MEMBERS))
  try {
    const theirs = await xmppRoom({ port: PORT, host: 'localhost', room: 'bench@rooms.localhost' })
    const ours = await crowd(chat, chat.waits, chat.sends)
    const times: Record<'theirs' | 'ours', number[]> = { theirs: [], ours: [] }
    for (let batch = 0; batch <= BATCHES; batch++) {
      const found = { theirs: [] as number[], ours: [] as number[] }
      for (let i = 0; i < BATCH; i++) found.theirs.push(await theirs.round())
      for (let i = 0; i < BATCH; i++) found.ours.push((await ours.round()).afterRequest)
      // The first batch loads and compiles code.
      if (batch === 0) continue
      times.theirs.push(...found.theirs)
      times.ours.push(...found.ours)
    }
    const [mine, their] = [middle(times.ours), middle(times.theirs)]
    console.log(
      `the last of ${MEMBERS} has the message after, p50: ${mine.toFixed(1)} ms; ${name} ${their.toFixed(1)} ms`,
    )
    console.log(`rate beside ${name} (goal 2): ${(their / mine).toFixed(2)}`)
    theirs.close()
    ours.close()
  } finally {
    const ended = new Promise((resolve) => chat.child.once('exit', resolve))
    chat.child.disconnect()
    chat.child.kill('SIGINT')
    await Promise.all([other.stop(), ended])
    rmSync(folder, { recursive: true, force: true })
  }
}

const servers = { Prosody: startProsody, ejabberd: startEjabberd }
const [only] = process.argv.slice(2)
for (const [name, startOther] of Object.entries(servers)) if (!only || only === name) await measure(name, startOther)
