import {
  createSecrets,
  makeSecret,
  readSecret,
  type Secrets,
  StorageError,
  type Store,
  secretFile,
  statement,
} from '../../storage/index.ts'
import type { Logger } from './base/logger.ts'
import type { Random } from './base/random.ts'
import type { ChatOptions } from './chat.ts'
import { defineService } from './service.ts'

/**
 * The secret that API keys are hashed with: in a file beside the database, or in the database if several machines
 * share it.
 */
export const secretsOf = defineService<Secrets>('secret')

export interface SecretOptions {
  /** The secret to use instead of the file. */
  secret: ChatOptions['secret'] | undefined
  random: Random
  logger: Logger
}

/**
 * Returns the secret of this database: the given one, or the one in the file beside it, or a new one.
 *
 * @throws StorageError `unsupported` if the file is damaged, or the secret doesn't belong to this database
 */
export async function openSecrets(store: Store, { secret, random, logger }: SecretOptions): Promise<Secrets> {
  if (secret) return checked(store, createSecrets(secret), 'The given secret')
  if (store.file === ':memory:') return createSecrets(random.bytes(32))
  if (store.peers) return checked(store, createSecrets(await sharedSecret(store, random)), 'The secret in the database')
  const path = secretFile(store.file)
  const found = readSecret(store.file)
  if (found) return checked(store, createSecrets(found), path)

  const made = createSecrets(makeSecret(store.file, random.bytes))
  if (await store.db.selectFrom('api_key').select('id').limit(1).executeTakeFirst()) {
    logger.warn(
      { path },
      `${path} was missing, so the server created a new secret. Existing API keys no longer work. People can sign in with their passwords.`,
    )
  }
  await remember(store, made)
  return made
}

/** Returns the secret of a database that several machines use. The first of them creates it in the database. */
const sharedSecret = (store: Store, random: Random): Promise<Uint8Array> =>
  store.write(async ({ db }) => {
    const found = await db.selectFrom('shared_secret').select('value').executeTakeFirst()
    if (found) return found.value
    const value = random.bytes(32)
    await db.insertInto('shared_secret').values({ value }).execute()
    return value
  })

const fingerprints = statement((db, _: object) => db.selectFrom('secret_fingerprint').select('fingerprint'))

/**
 * Returns the fingerprint of the secret that the keys in this database were made with; undefined before its first
 * start.
 */
export async function fingerprintIn(store: Store): Promise<string | undefined> {
  const [row] = await fingerprints(store.db, {})
  return row?.fingerprint
}

export const wrongSecret = (what: string, file: string): string =>
  `${what} is not the secret of ${file}, so API keys wouldn't work. Put the right one back, or remove it so that the server creates a new secret. Existing API keys won't work with a new secret, but people can sign in with their passwords.`

async function checked(store: Store, secrets: Secrets, what: string): Promise<Secrets> {
  const expected = await fingerprintIn(store)
  if (expected === undefined) await remember(store, secrets)
  else if (expected !== secrets.fingerprint) throw new StorageError('unsupported', wrongSecret(what, store.file))
  return secrets
}

const remember = (store: Store, { fingerprint }: Secrets): Promise<void> =>
  store.write(async ({ db }) => {
    await db.deleteFrom('secret_fingerprint').execute()
    await db.insertInto('secret_fingerprint').values({ fingerprint }).execute()
  })

/** Returns the secret of a database, wherever it is; undefined before its first start. */
export async function secretOf(store: Store): Promise<Uint8Array | undefined> {
  if (!store.peers) return readSecret(store.file)
  return (await store.db.selectFrom('shared_secret').select('value').executeTakeFirst())?.value
}

/** Stores a secret for a database that has none. */
export async function putSecret(store: Store, value: Uint8Array): Promise<void> {
  if (store.peers)
    await store.write(async ({ db }) => void (await db.insertInto('shared_secret').values({ value }).execute()))
  else makeSecret(store.file, () => value)
}
