/**
 * The available encoding that a client prefers by its Accept-Encoding header (RFC 9110); of several that it likes equally, the
 * first. Without the header it is `identity`, which needs no permission.
 */
export function acceptedEncoding<E extends string>(header: string | null, available: readonly E[]): E | 'identity' {
  if (!header) return 'identity'
  const accepted = qualities(header)
  let best: E | 'identity' = 'identity'
  // Without a word about it, identity is what clients accept but do not prefer.
  let highest = accepted.get('identity') ?? 0
  for (const encoding of available) {
    const quality = encoding === 'identity' ? 0 : (accepted.get(encoding) ?? accepted.get('*') ?? 0)
    // Of what a client likes as much as identity the compressed one is shorter.
    if (quality > highest || (quality > 0 && quality === highest && best === 'identity')) {
      best = encoding
      highest = quality
    }
  }
  return best
}

/** Whether a client refuses answers without an encoding, as few do. */
export function refusesIdentity(header: string | null): boolean {
  if (!header?.includes('q=0')) return false
  const accepted = qualities(header)
  return (accepted.get('identity') ?? accepted.get('*')) === 0
}

/** The quality of each encoding that is named, from 0, which refuses it, to 1. */
function qualities(header: string): Map<string, number> {
  const parts = header.toLowerCase().split(',')
  return new Map(
    parts.map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      // What is no number refuses the encoding.
      return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0]
    }),
  )
}
