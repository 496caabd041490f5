import { isIP } from 'node:net'
import type { Chat } from '../../kernel/chat.ts'
import { badRequest } from '../../kernel/errors.ts'
import { configuredUrl } from '../../kernel/public-url.ts'

/** Whom passkeys belong to: a host name, and the origin of the pages that may ask for them. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/**
 * Returns the relying party; undefined if passkeys can't work. It is never taken from a request, whose Host header anybody can
 * choose. Browsers have no passkeys for IP addresses, or without HTTPS except on localhost.
 */
export function relyingPartyOf(chat: Chat): RelyingParty | undefined {
  const configured = configuredUrl(chat)
  if (configured === undefined) return undefined
  const { protocol, hostname, origin } = new URL(configured)
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) return undefined
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isSecure ? { id: hostname, origin } : undefined
}

/** @throws ChatError BAD_REQUEST if passkeys can't work */
export function requireRelyingParty(chat: Chat): RelyingParty {
  const party = relyingPartyOf(chat)
  if (!party) throw badRequest('Passkeys need a server with --public-url and HTTPS.')
  return party
}
