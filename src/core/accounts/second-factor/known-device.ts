import { isIPv4, isIPv6 } from 'node:net'
import type { Context } from '../../kernel/context.ts'
import { secretsOf } from '../../kernel/secrets.ts'

/** Returns the network of an address: people stay in it, though their address changes. */
function networkOf(address: string | undefined): string {
  if (address === undefined) return ''
  const plain = address.split('%', 1)[0]!.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIPv4(plain)) return plain.split('.').slice(0, 3).join('.')
  if (!isIPv6(plain)) return plain
  // The URL parser writes out one form of each address.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const all = tail === undefined ? groups : [...groups, ...Array(8 - groups.length - rest.length).fill('0'), ...rest]
  return all.slice(0, 3).join(':')
}

/** Returns what is stored of a device: a digest of its name and the network of its address. */
export const deviceDigest = (
  { chat, address }: Pick<Context, 'chat' | 'address'>,
  user_id: number,
  name: string,
): string => secretsOf(chat).digest(`device ${user_id} ${networkOf(address)} ${name}`)

/** Returns the device of a request, if it has signed in before. */
export const knownDevice = (context: Context, user_id: number, name: string) =>
  context.db
    .selectFrom('known_device')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('digest', '=', deviceDigest(context, user_id, name))
    .executeTakeFirst()
