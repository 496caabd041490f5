/**
 * Returns the available encoding that a client prefers by its Accept-Encoding header (RFC 9110), the first of several
 * equal ones. Without the header it is `identity`, which is always allowed.
 */
export function acceptedEncoding<E extends string>(header: string | null, available: readonly E[]): E | 'identity' {
  if (!header) return 'identity'
  const accepted = qualities(header)
  let best: E | 'identity' = 'identity'
  // If the header doesn't mention identity, clients accept it but prefer what they name.
  let highest = accepted.get('identity') ?? 0
  for (const encoding of available) {
    const quality = encoding === 'identity' ? 0 : (accepted.get(encoding) ?? accepted.get('*') ?? 0)
    // Of two equal preferences, a compressed encoding beats identity.
    if (quality > highest || (quality > 0 && quality === highest && best === 'identity')) {
      best = encoding
      highest = quality
    }
  }
  return best
}

/** Returns whether a client rejects unencoded responses, which is rare. */
export function refusesIdentity(header: string | null): boolean {
  if (!header?.includes('q=0')) return false
  const accepted = qualities(header)
  return (accepted.get('identity') ?? accepted.get('*')) === 0
}

/** Parses the quality of each named encoding, from 0, which rejects it, to 1. */
function qualities(header: string): Map<string, number> {
  const parts = header.toLowerCase().split(',')
  return new Map(
    parts.map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      // An invalid number rejects the encoding.
      return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0]
    }),
  )
}
