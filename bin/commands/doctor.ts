import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { settleRollback } from '../../src/admin/after-rollback.ts'
import { callRunningServer } from '../../src/admin/call-running-server.ts'
import { signOnProblems } from '../../src/core/accounts/providers/problems.ts'
import { imagesProblem, loadSharp } from '../../src/core/files/images/sharp.ts'
import { deactivatedSince } from '../../src/core/kernel/context.ts'
import { fingerprintIn, wrongSecret } from '../../src/core/kernel/secrets.ts'
import { type MailboxHealth, mailboxHealth, mailHealth } from '../../src/core/mail/health.ts'
import {
  createSecrets,
  fileSystemProblem,
  type Inspection,
  isFile,
  nameOf,
  openStore,
  readMounts,
  readSecret,
  realFile,
  secretFile,
} from '../../src/storage/index.ts'
import { spaceFor } from '../checks.ts'
import type { Io } from '../io.ts'
import { nodeProblem } from '../node-version.ts'
import { inspectShared } from './doctor-server.ts'
import {
  type Finding,
  finding,
  mailboxFindings,
  mailFinding,
  type Outbox,
  organizationFinding,
  passkeyFindings,
  signOnFindings,
} from './finding.ts'
import { type Common, print } from './print.ts'

interface DoctorOptions extends Common {
  /** Whether to settle a rollback of the machine instead of checking. */
  afterRollback?: boolean
}

/** Checks a database and its surroundings, while the server runs or not. The exit code is 1 if something is wrong. */
export async function doctor({ db, json, afterRollback }: DoctorOptions, io: Io): Promise<void> {
  if (afterRollback) {
    if (isFile(db) && !existsSync(db)) throw new Error(`${db} does not exist`)
    const ids = await settleRollback(db)
    print(io, json, { ids }, [
      `All event queues of ${nameOf(db)} have expired, and clients register again. New message IDs start at ${ids.message + 1}.`,
    ])
    return
  }
  const findings = isFile(db) ? await inspectFile(db) : await inspectShared(db)
  const ok = findings.every((each) => each.ok)
  io.stdout.write(
    json
      ? `${JSON.stringify({ ok, findings })}\n`
      : findings.map((each) => `${each.ok ? 'ok     ' : 'FAILED '}  ${each.name}: ${each.detail}\n`).join(''),
  )
  if (!ok) io.exitCode = 1
}

async function inspectFile(db: string): Promise<Finding[]> {
  if (!existsSync(db)) throw new Error(`${db} does not exist. Run "chat-server init" to create it`)
  const found = await inspect(db)
  return [...surroundings(db), await images(), secret(db, found), ...database(found)]
}

function surroundings(db: string): Finding[] {
  const { free_mib, low, problem = low, warning } = spaceFor(db)
  const changed = statSync(db).mtimeMs
  return [
    finding('Node.js', nodeProblem(process.versions.node) === undefined, process.versions.node),
    finding('free space', problem === undefined, problem ?? warning ?? `${free_mib} MiB`),
    fileSystem(db),
    // If the clock was set back, new messages get earlier times than old ones.
    finding('clock', Date.now() >= changed - 60_000, new Date().toISOString()),
  ]
}

/** A missing image library is fine because it is optional. */
async function images(): Promise<Finding> {
  await loadSharp()
  return finding('images', true, imagesProblem() ?? 'sharp creates thumbnails')
}

function fileSystem(db: string): Finding {
  const problem = fileSystemProblem(dirname(realFile(resolve(db))), readMounts())
  return finding('file system', problem === undefined, problem?.message ?? 'local')
}

/** Checks that the secret exists, is complete and belongs to this database. */
function secret(db: string, found: Inspected | Error): Finding {
  const path = secretFile(db)
  try {
    const value = readSecret(db)
    if (!value) return finding('secret', false, `${path} is missing, so API keys won't work`)
    const expected = found instanceof Error ? null : found.secret_fingerprint
    const wrong = expected !== null && createSecrets(value).fingerprint !== expected
    return finding('secret', !wrong, wrong ? wrongSecret(path, db) : path)
  } catch (error) {
    return finding('secret', false, (error as Error).message)
  }
}

function database(found: Inspected | Error): Finding[] {
  if (found instanceof Error) return [finding('database', false, found.message.split('\n', 1)[0]!)]
  return [
    finding('SQLite', true, found.sqlite_version),
    finding('journal mode', found.journal_mode === 'wal', found.journal_mode),
    finding('synchronous', found.synchronous === 2, found.synchronous === 2 ? 'FULL' : found.synchronous),
    finding('foreign keys', found.foreign_keys === 1, found.foreign_keys === 1 ? 'on' : 'off'),
    finding('integrity', found.integrity.join() === 'ok', found.integrity.slice(0, 3).join('; ')),
    finding('references', found.foreign_key_errors === 0, `${found.foreign_key_errors} broken`),
    organizationFinding(found.deactivated_at),
    ...signOnFindings(found.sign_on_problems),
    ...passkeyFindings(found.lost_passkeys),
    ...(found.mail ? [mailFinding(found.mail)] : []),
    ...mailboxFindings(found.mailbox),
    ...(found.limits ? [finding('limits', true, found.limits.join(' ') || 'none')] : []),
    finding('size', true, `${Math.ceil((found.page_count * found.page_size) / 1024)} KiB`),
  ]
}

interface Inspected extends Inspection {
  limits?: readonly string[] | null
  secret_fingerprint: string | null
  /** In seconds since 1970. */
  deactivated_at: number | null
  /** Missing from servers before this version. */
  sign_on_problems?: readonly string[]
  /** Known only while the server runs. */
  lost_passkeys?: number
  /** Missing if a migration must add the outbox first. */
  mail?: Outbox | undefined
  /** The same. */
  mailbox?: MailboxHealth | undefined
}

/** @NOTE not openChat, which would create a missing secret */
async function inspect(db: string): Promise<Inspected | Error> {
  try {
    const answer = await callRunningServer(db, 'inspect', {})
    if (answer) return answer as Inspected
    const store = await openStore({ file: db })
    try {
      return {
        ...(await store.inspect()),
        secret_fingerprint: (await fingerprintIn(store)) ?? null,
        deactivated_at: (await deactivatedSince(store.db)) ?? null,
        sign_on_problems: await signOnProblems(store.db),
        mail: await mailHealth(store.db).catch(() => undefined),
        mailbox: await mailboxHealth(store.db).catch(() => undefined),
      }
    } finally {
      await store.close()
    }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
