import { statSync } from 'node:fs'
import { leaveGap, type NextIds } from '../core/events/log/leave-gaps.ts'
import { fingerprintIn, wrongSecret } from '../core/kernel/secrets.ts'
import {
  createSecrets,
  type Db,
  readSecret,
  replaceSecret,
  StorageError,
  type Store,
  secretFile,
  stageRestore,
} from '../storage/index.ts'

export interface Restored {
  /** Whether a database was replaced. */
  replaced: boolean
  messages: number
  users: number
  /** Seconds since 1970; null where there is no message. */
  last_message_at: number | null
  bytes: number
  /** Newest ids. The next message and event get higher ones. */
  ids: NextIds
  /** Whether the secret came with the backup, is the existing one, or is missing and will be generated. */
  secret: 'restored' | 'kept' | 'missing'
  /** The file with the secret of the replaced database, if that was a different one. */
  former_secret: string | undefined
}

/**
 * Replaces a database that no process has open with a backup. Nothing is replaced until everything is checked.
 *
 * @throws StorageError with a sentence for the user of the command line
 */
export async function restore(from: string, to: string, force: boolean): Promise<Restored> {
  const now = () => Math.floor(Date.now() / 1000)
  await using staged = await stageRestore({ from, to, force, now })
  const { store, replaces, replacedIds } = staged
  const contents = await contentsOf(store.db, from)
  const secret = await chooseSecret(store, from, to)
  const ids = await store.write(({ db }) => leaveGap(db, store.dialect, replacedIds))
  await staged.putInPlace()
  const former_secret = secret.is === 'kept' ? undefined : replaceSecret(to, secret.value)
  return { replaced: replaces, ...contents, bytes: statSync(to).size, ids, secret: secret.is, former_secret }
}

async function contentsOf(db: Db, from: string) {
  if (!(await db.selectFrom('organization').select('id').executeTakeFirst())) {
    throw new StorageError('unsupported', `${from} contains no organization, so there is nothing to restore`)
  }
  const messages = await db
    .selectFrom('message')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('sent_at').as('newest')])
    .executeTakeFirstOrThrow()
  const users = await db
    .selectFrom('user')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('is_system_bot', '=', 0)
    .executeTakeFirstOrThrow()
  return { messages: messages.count, users: users.count, last_message_at: messages.newest }
}

interface Choice {
  is: Restored['secret']
  value?: Uint8Array
}

/**
 * Decides which secret the restored database gets; throws if the one beside the backup is damaged or belongs to another
 * database.
 */
async function chooseSecret(store: Store, from: string, to: string): Promise<Choice> {
  const expected = await fingerprintIn(store)
  const fits = (secret: Uint8Array) => expected === undefined || createSecrets(secret).fingerprint === expected
  const brought = readSecret(from)
  if (brought && !fits(brought)) throw new StorageError('unsupported', wrongSecret(secretFile(from), from))
  if (brought) return { is: 'restored', value: brought }
  const present = secretInPlace(to)
  return { is: present && fits(present) ? 'kept' : 'missing' }
}

function secretInPlace(file: string): Uint8Array | undefined {
  try {
    return readSecret(file)
  } catch {
    // A damaged secret is kept aside, like the secret of another database.
    return undefined
  }
}
