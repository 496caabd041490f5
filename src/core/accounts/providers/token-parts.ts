const MAX_TOKEN_LENGTH = 8192
const TOKEN = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/

/** A JSON web token that nobody has checked yet. */
export interface TokenParts {
  /** undefined if it isn't JSON. */
  readonly header: unknown
  /** undefined if it isn't JSON. */
  readonly claims: unknown
  /** The part that the signature is for. */
  readonly signed: string
  readonly signature: Buffer
}

/** Returns the parts of a token; undefined for a text that is too long or has another form. */
export function tokenParts(token: string): TokenParts | undefined {
  const [, header, payload, signature] = (token.length <= MAX_TOKEN_LENGTH && TOKEN.exec(token)) || []
  if (!header || !payload || !signature) return undefined
  return {
    header: decoded(header),
    claims: decoded(payload),
    signed: `${header}.${payload}`,
    signature: Buffer.from(signature, 'base64url'),
  }
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
