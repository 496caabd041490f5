import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** How email is signed, so that mail servers can check that its domain sent it. */
export interface DkimKey {
  domain: string
  /** Names the public key in the domain's DNS: `SELECTOR._domainkey.DOMAIN`. */
  selector: string
  /** The private key, in PEM. */
  key: string
}

const NAME = String.raw`[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*`
const FORM = new RegExp(`^(${NAME}):(${NAME}):(.+)$`, 'i')

/**
 * Parses `example.com:chat:/etc/chat/dkim.pem`, and reads the key.
 *
 * @throws Error with a sentence
 */
export function parseDkim(text: string): DkimKey {
  const [, domain, selector, file] = FORM.exec(text.trim()) ?? []
  if (file === undefined) throw new Error('--mail-dkim must have the form example.com:SELECTOR:/path/to/key.pem')
  const key = contentOf(file)
  if (typeOf(key)?.asymmetricKeyType !== 'rsa')
    throw new Error(`${file} is not a private RSA key. Create one with: openssl genrsa -out ${file} 2048`)
  return { domain: domain!, selector: selector!, key }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`The key of --mail-dkim can't be read: ${(error as Error).message}`)
  }
}

function typeOf(key: string): KeyObject | undefined {
  try {
    return createPrivateKey(key)
  } catch {
    return undefined
  }
}
