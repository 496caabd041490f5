import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { holderOf } from './port-holder.ts'

/** Where `serve` listens by default. */
export const DEFAULT_BASE = 'http://127.0.0.1:9991'

const OPEN_TO_ALL: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** The addresses of this machine, starting with those that others can reach. */
function addresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const usable = all.filter(({ address }) => !address.startsWith('fe80:'))
  const order = ({ internal, family }: (typeof all)[number]) => (internal ? 2 : 0) + (family === 'IPv6' ? 1 : 0)
  return usable.sort((a, b) => order(a) - order(b)).map(({ address }) => address)
}

/** An address that can be opened in a browser: 0.0.0.0, on which a server listens everywhere, is not one. */
export function urlOf(host: string, port: number): string {
  const name = OPEN_TO_ALL.has(host) ? (addresses()[0] ?? 'localhost') : host
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`
}

/** Why listening failed and what to do about it, in a sentence. */
export async function listenProblem(error: unknown, host: string, port: number, option: string): Promise<unknown> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return new Error(
      `port ${port} is in use by ${(await holderOf(port)) ?? 'another program'}. Choose another with ${option}`,
    )
  }
  if (code === 'EADDRNOTAVAIL') {
    return new Error(`${host} is not an address of this machine. Its addresses are ${addresses().join(', ')}`)
  }
  if (code === 'EACCES')
    return new Error(`This user may not listen on port ${port}. Ports from 1024 up need no special privileges`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new Error(`${host} is not an address or a known host name`)
  return error
}
