import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { runOn } from '../../src/admin/run-on.ts'
import { MAX_MAIL_BYTES } from '../../src/core/mail/receiving/accept.ts'
import { isFile } from '../../src/storage/index.ts'
import type { Io } from '../io.ts'
import { type Common, print } from './print.ts'

/** Exit codes of sysexits.h, from which mail servers learn what to do. */
const codes = { usage: 64, data: 65, noUser: 67, later: 75, noPermission: 77 } as const

/** Status codes of RFC 3463 that have an exit code of their own. */
const codeOf: Readonly<Record<string, number>> = { '5.1.1': codes.noUser, '5.7.1': codes.noPermission }

/** Larger emails reach the server in a file. */
const INLINE_BYTES = 1024 * 1024

interface ReceiveOptions extends Common {
  recipients: readonly string[]
  sender?: string
}

/** Posts an email from standard input. Whatever goes wrong besides the email itself may pass, so that it isn't lost. */
export async function receiveMail({ db, json, recipients, sender }: ReceiveOptions, io: Io): Promise<void> {
  const refuse = (code: number, reason: string): void => {
    io.stderr.write(`chat-server: ${reason}\n`)
    io.exit(code)
  }
  try {
    const raw = await readInput()
    if (!raw) return refuse(codes.data, 'The email is too large')
    const to = recipients.length > 0 ? recipients : recipientsOf(raw)
    if (to.length === 0)
      return refuse(codes.usage, 'Name the recipient: chat-server mail receive general.TOKEN@chat.example.com')
    const from = sender ?? process.env.SENDER
    // Postfix writes the sender of bounces like this.
    const envelope = from === undefined ? {} : { sender: /^(MAILER-DAEMON|<>)$/i.test(from) ? '' : from }
    const { results } = await withContent(db, raw, (content) =>
      runOn(db, 'receiveMail', { content, recipients: [...to], ...envelope }),
    )
    const rejected = results.flatMap((result) => (result.outcome === 'rejected' ? [result] : []))
    const first = rejected.find(({ isTemporary }) => isTemporary) ?? rejected[0]
    // A second attempt changes nothing for recipients who have the email.
    if (first && (first.isTemporary || rejected.length === results.length))
      return refuse(first.isTemporary ? codes.later : (codeOf[first.status] ?? codes.data), first.reason)
    print(
      io,
      json,
      { results },
      results.map(({ recipient, outcome }) => `${recipient}: ${outcome}`),
    )
  } catch (error) {
    refuse(codes.later, error instanceof Error ? error.message.split('\n', 1)[0]! : String(error))
  }
}

/** Reads standard input; undefined if it is too large. */
async function readInput(): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_MAIL_BYTES) return undefined
    chunks.push(chunk)
  }
  // Some mail servers write a line of mbox files in front of the headers.
  return withoutFromLine(Buffer.concat(chunks))
}

function withoutFromLine(raw: Buffer): Buffer {
  if (!raw.subarray(0, 5).equals(Buffer.from('From '))) return raw
  return raw.subarray(raw.indexOf('\n') + 1)
}

/** Returns where an email was delivered: from the variables of the mail server, or from the headers that it added. */
function recipientsOf(raw: Buffer): string[] {
  const { ORIGINAL_RECIPIENT, RECIPIENT } = process.env
  const given = ORIGINAL_RECIPIENT || RECIPIENT
  if (given) return [given]
  const head = raw
    .subarray(0, 64 * 1024)
    .toString('latin1')
    .split(/\r?\n\r?\n/, 1)[0]!
  for (const name of ['X-Original-To', 'Delivered-To', 'Envelope-To']) {
    const [, address] = new RegExp(`^${name}:[ \\t]*<?([^\\s<>]{1,320})>?[ \\t]*$`, 'im').exec(head) ?? []
    if (address) return [address]
  }
  return []
}

type Content = { base64: string } | { file: string }

/** Hands an email over: a large one in a file that only this user can read, beside the database. */
async function withContent<T>(db: string, raw: Buffer, work: (content: Content) => Promise<T>): Promise<T> {
  if (raw.byteLength <= INLINE_BYTES) return work({ base64: raw.toString('base64') })
  const folder = mkdtempSync(join(isFile(db) ? dirname(resolve(db)) : tmpdir(), '.mail-'))
  try {
    const file = join(folder, 'mail')
    writeFileSync(file, raw, { mode: 0o600 })
    return await work({ file })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
