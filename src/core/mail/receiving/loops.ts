import { inHeader } from '../letter.ts'
import type { ParsedMail } from './parse-protocol.ts'

/** An email that has passed through more mail servers runs in a circle. */
const MAX_RECEIVED = 25

/**
 * Returns why an email must have no effect: a program wrote it, or this server did. Answering such emails would make loops, so
 * they are accepted and dropped. Mailing lists may write to channels.
 */
export function automatic(
  { headers, messageId }: Pick<ParsedMail, 'headers' | 'messageId'>,
  { kind, hostname, envelopeFrom }: { kind: 'reply' | 'channel'; hostname: string; envelopeFrom?: string | undefined },
): string | undefined {
  const valuesOf = (name: string) =>
    headers.filter(([key]) => key === name).map(([, value]) => value.trim().toLowerCase())
  if (envelopeFrom === '' || valuesOf('return-path').includes('<>')) return 'it is a bounce'
  if (valuesOf('auto-submitted').some((value) => !/^no(?![\w-])/.test(value))) return 'a program wrote it'
  const isList = valuesOf('precedence').some((value) => /^(bulk|list)/.test(value))
  if (valuesOf('precedence').some((value) => value.startsWith('junk'))) return 'it is bulk mail'
  if (isList && kind === 'reply') return 'it is bulk mail'
  if (valuesOf('x-loop').length > 0) return 'it runs in a circle'
  if (valuesOf('received').length > MAX_RECEIVED) return 'it runs in a circle'
  const host = hostname.toLowerCase()
  if (valuesOf('list-id').some((value) => value.endsWith(`<${host}>`))) return 'this server wrote it'
  if (/^(?:m|test)\./.test(messageId) && messageId.toLowerCase().endsWith(`@${host}`)) return 'this server wrote it'
  return undefined
}

/** Returns whether the receiving mail server found that the sender is forged. A forger can't remove that. */
export const isForged = ({ headers }: Pick<ParsedMail, 'headers'>): boolean =>
  headers.some(([key, value]) => key === 'authentication-results' && /(?:^|[\s;])dmarc\s*=\s*fail\b/i.test(value))

/** Returns a text of an email for a line of a message. */
export const inLine = (text: string): string => inHeader(text.toWellFormed())
