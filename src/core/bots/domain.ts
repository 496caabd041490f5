import type { Context } from '../kernel/context.ts'

/**
 * Returns the domain of bots' addresses, which is the server's. An IPv6 address is rewritten because it can't be part
 * of an email address.
 */
export const botDomain = ({ origin }: Pick<Context, 'origin'>): string =>
  new URL(origin).hostname.replace(/[[\]]/g, '').replaceAll(':', '-')
