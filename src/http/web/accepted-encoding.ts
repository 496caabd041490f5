import type { Encoding } from './client-files.ts'

/**
 * The first of the available encodings that a client accepts. Without the header it is `identity`, which needs no
 * permission.
 */
export function acceptedEncoding(header: string | null, available: readonly Encoding[]): Encoding {
  const accepted = new Map<string, boolean>()
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    accepted.set(name, !refused)
  }
  const accepts = (name: string) => accepted.get(name) ?? accepted.get('*') ?? false
  return available.find((encoding) => encoding !== 'identity' && accepts(encoding)) ?? 'identity'
}
