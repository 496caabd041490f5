import type { H3Event } from 'h3'

const HOST = /^(\[[\da-f:.]+\]|[\w-]+(\.[\w-]+)*)(:\d{1,5})?$/i

/**
 * Base URL under which this request reached the server: as configured, else what the client calls us. Forwarded
 * headers count only behind a proxy we were told to trust; srvx has then put them into the URL.
 */
export function originOf(event: H3Event, publicUrl: string | undefined, trustProxy: boolean): string {
  if (publicUrl !== undefined) return publicUrl
  const host = event.req.headers.get('host')
  if (!trustProxy && host) return HOST.test(host) ? `http://${host}` : 'http://localhost'
  return new URL(event.req.url).origin
}
