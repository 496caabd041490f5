import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
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
  /** Encrypts a text, so that a copied database doesn't contain it. */
  seal(text: string): string
  /** Returns a sealed text; undefined if it was sealed with another secret, or changed. */
  unseal(sealed: string): string | undefined
  /** A fingerprint: identifies the secret without revealing it. */
  readonly fingerprint: string
}

export function createSecrets(secret: Uint8Array): Secrets {
  const digest = (text: string) => createHmac('sha256', secret).update(text).digest('base64url')
  const fingerprint = digest('the fingerprint of this secret').slice(0, 16)
  return { digest, fingerprint, ...sealing(Buffer.from(hkdfSync('sha256', secret, '', 'sealed values', 32))) }
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM: nonce, tag and text in base64url. */
function sealing(key: Uint8Array): Pick<Secrets, 'seal' | 'unseal'> {
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    unseal(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return undefined
      }
    },
  }
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
