import type { Context } from '../kernel/context.ts'

/** The domain of bots' addresses: that of the server. An IPv6 address has no place in an e-mail address as it is. */
export const botDomain = ({ origin }: Pick<Context, 'origin'>): string =>
  new URL(origin).hostname.replace(/[[\]]/g, '').replaceAll(':', '-')
