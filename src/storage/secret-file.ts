import { createHmac } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { ownLike, writeAtomically } from './atomic-file.ts'
import { StorageError } from './errors.ts'
import { realFile } from './real-file.ts'

const LENGTH = 32

/**
 * The secret outside the database. The database contains only digests of keys and links made with it, so a stolen
 * database gives access to no account.
 */
export interface Secrets {
  /** Returns the digest under which a key is stored and looked up. */
  digest(text: string): string
  /** A fingerprint: identifies the secret without revealing it. */
  readonly fingerprint: string
}

export function createSecrets(secret: Uint8Array): Secrets {
  const digest = (text: string) => createHmac('sha256', secret).update(text).digest('base64url')
  return { digest, fingerprint: digest('the fingerprint of this secret').slice(0, 16) }
}

/** Returns the path of the secret's file. It must be beside the database, and away from backups. */
export const secretFile = (file: string): string => `${realFile(file)}.secret`

/** Reads the secret from its file; undefined if there is none. Throws StorageError `unsupported` if it is damaged. */
export function readSecret(file: string): Uint8Array | undefined {
  const path = secretFile(file)
  if (!existsSync(path)) return undefined
  const text = readFileSync(path, 'utf8').trim()
  if (/^[0-9a-f]+$/i.test(text) && text.length === 2 * LENGTH) return Buffer.from(text, 'hex')
  throw new StorageError(
    'unsupported',
    `${path} is damaged: it should contain ${LENGTH * 2} hex digits. Restore a copy of it, or remove it so that the server creates a new secret. Existing API keys won't work with a new secret.`,
  )
}

/** Generates a secret and its file. `randomBytes` is called for 32 bytes. */
export function makeSecret(file: string, randomBytes: (length: number) => Uint8Array): Uint8Array {
  const secret = Buffer.from(randomBytes(LENGTH))
  writeAtomically(secretFile(file), `${secret.toString('hex')}\n`)
  return secret
}

/**
 * Replaces or removes the secret, and keeps the former secret in a file of its own.
 *
 * @returns the file with the former secret; undefined if there was none, or it was the same
 */
export function replaceSecret(file: string, secret: Uint8Array | undefined): string | undefined {
  const path = secretFile(file)
  const text = secret && Buffer.from(secret).toString('hex')
  const former = existsSync(path) && readFileSync(path, 'utf8').trim() !== text ? `${path}.replaced` : undefined
  if (former) renameSync(path, former)
  if (text) {
    writeAtomically(path, `${text}\n`)
    ownLike(path, realFile(file))
  }
  return former
}
