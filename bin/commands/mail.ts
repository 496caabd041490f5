import { runOn } from '../../src/admin/run-on.ts'
import { systemClock } from '../../src/core/kernel/base/clock.ts'
import { systemRandom } from '../../src/core/kernel/base/random.ts'
import { openMail } from '../../src/core/mail/mail-service.ts'
import { readerIn } from '../../src/core/mail/reader.ts'
import { sendTestMail } from '../../src/core/mail/test-mail.ts'
import type { Io } from '../io.ts'
import { mailOptions } from '../mail-out.ts'
import { type Common, columns, print } from './print.ts'

type MailState = 'queued' | 'sending' | 'sent' | 'failed' | 'dropped'

interface TestOptions extends Common {
  address: string
  mailUrl?: string
  mailFrom?: string
  mailDkim?: string
  publicUrl?: string
}

/** Sends a test email through the given mail server, or through the one of the running server. */
export async function testMail(options: TestOptions, io: Io): Promise<void> {
  const { db, json, address } = options
  const { reply } = options.mailUrl ? await testDirectly(options) : await runOn(db, 'testMail', { address })
  print(io, json, { address, reply }, [`The mail server accepted the test email to ${address}: ${reply}`])
}

async function testDirectly({ address, publicUrl, ...options }: TestOptions): Promise<{ reply: string }> {
  const mail = await openMail(mailOptions(options), publicUrl)
  const reader = await readerIn('en')
  const from = { publicUrl: publicUrl!, clock: systemClock, random: systemRandom, reader }
  return { reply: await sendTestMail(mail!, address, from) }
}

const time = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '')

/** Prints the outbox, and the addresses that get no email. */
export async function listMail({ db, json, state }: Common & { state?: MailState }, io: Io): Promise<void> {
  const result = await runOn(db, 'listMail', state === undefined ? {} : { state })
  const mails = result.mails.map(({ id, kind, address, state, attempts, created_at, failure }) => [
    String(id),
    kind,
    address ?? '',
    state,
    String(attempts),
    time(created_at),
    failure ?? '',
  ])
  const suppressed = result.suppressed.map(({ address, since, reason }) => [address, time(since), reason])
  print(io, json, result, [
    ...columns([['id', 'kind', 'address', 'state', 'rejected', 'created', 'reason'], ...mails]),
    ...(suppressed.length === 0 ? [] : ['', ...columns([['no email to', 'since', 'reason'], ...suppressed])]),
  ])
}

export async function retryMail({ db, json, id }: Common & { id: number }, io: Io): Promise<void> {
  print(io, json, await runOn(db, 'retryMail', { id }), [`Email ${id} is sent as soon as possible`])
}

export async function dropMail({ db, json, id }: Common & { id: number }, io: Io): Promise<void> {
  print(io, json, await runOn(db, 'dropMail', { id }), [`Email ${id} won't be sent`])
}
