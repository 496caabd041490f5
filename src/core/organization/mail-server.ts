import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import * as v from 'valibot'
import { isPublicAddress, isThisMachine } from '../../network/addresses.ts'
import { parseMailbox } from '../../network/mail/mail-server.ts'
import { proof, requireProof } from '../accounts/key-page.ts'
import { requireStillOwner } from '../accounts/still-owner.ts'
import { action } from '../kernel/action.ts'
import type { Chat } from '../kernel/chat.ts'
import type { Context, Tx } from '../kernel/context.ts'
import { badRequest, invalidField } from '../kernel/errors.ts'
import { described, integer, line, text } from '../kernel/fields.ts'
import { secretsOf } from '../kernel/secrets.ts'
import { noteWorking } from '../mail/health.ts'
import { mailPoolOf } from '../mail/mail-service.ts'
import { membersOf, type PageMailServer, passwordOf, securities, storedMailServer } from '../mail/page-server.ts'
import { mailLockOf, type mailLocks } from '../mail/shown-server.ts'
import { empty } from '../shapes/values.ts'

const reasons: Readonly<Record<(typeof mailLocks)[number], string>> = {
  options: 'This server was started with --mail-url, which sets the mail server.',
  operator: "The operator of this server doesn't let owners set up a mail server.",
  public_url: 'The server needs --public-url, because emails contain links to this address.',
}

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i

/**
 * PUT /mail/server: sets the mail server that sends email, for all nodes and immediately. The operator's `--mail-url` wins.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST if owners can't set it here, without a confirmation, for a value that is wrong, and for an address that
 * isn't public
 * @throws AUTHENTICATION_FAILED for a wrong `account_password`
 * @example
 * const server = { host: 'mail.example.com', port: 587, security: 'starttls', from: 'chat@example.com' } as const
 * await setMailServer(caller, { ...server, account_password: 'correct horse' })
 */
export const setMailServer = action(
  {
    name: 'setMailServer',
    summary: 'Set the mail server',
    audit: { subject: 'mail_server' },
    params: v.object({
      host: described(v.pipe(line, v.maxLength(253, '{name} is too long')), 'Its host name or IP address.'),
      port: described(
        v.pipe(integer, v.minValue(1, '{name} is not a port'), v.maxValue(65_535, '{name} is not a port')),
        'Its port: usually 587 with STARTTLS, and 465 with TLS.',
      ),
      security: described(
        v.picklist(securities, 'Invalid {name}'),
        'How the connection is encrypted: `tls` from its start, `starttls` after it, or `none`.',
      ),
      user: described(
        v.nullish(v.pipe(line, v.maxLength(320, '{name} is too long'))),
        'Its user name, if it asks for one.',
      ),
      password: described(
        v.nullish(v.pipe(text, v.maxLength(2000, '{name} is too long'))),
        'Its password. Without this parameter it stays, but only for the same host, port, security and user.',
      ),
      from: described(
        v.pipe(line, v.maxLength(500, '{name} is too long')),
        'The sender, such as `Chat <chat@example.com>`.',
      ),
      account_password: proof,
    }),
    result: empty,
    role: 'owner',
    errors: ['AUTHENTICATION_FAILED'],
  },
  async (caller, { password, account_password, ...given }) => {
    const server = checked(caller.chat, given)
    // Checked before, too, since a code works only once.
    requireUnlocked(caller)
    await sealedFor(caller, server, password || undefined)
    await requireProof(caller, account_password ?? '')
    return caller.write(async (tx) => {
      await requireStillOwner(tx)
      requireUnlocked(tx)
      const config = JSON.stringify(server)
      const row = { config, password: await sealedFor(tx, server, password || undefined) }
      await replace(tx, row)
      return {}
    })
  },
)

/**
 * DELETE /mail/server: removes the mail server that owners set up. Emails that wait are kept for two days.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST if there is none, and without a confirmation
 * @throws AUTHENTICATION_FAILED for a wrong `account_password`
 */
export const removeMailServer = action(
  {
    name: 'removeMailServer',
    summary: 'Remove the mail server',
    audit: { subject: 'mail_server' },
    params: v.object({ account_password: proof }),
    result: empty,
    role: 'owner',
    errors: ['AUTHENTICATION_FAILED'],
  },
  async (caller, { account_password }) => {
    await requireProof(caller, account_password ?? '')
    return caller.write(async (tx) => {
      await requireStillOwner(tx)
      if (!(await storedMailServer.get(tx))) throw badRequest('No mail server is set up')
      await replace(tx)
      return {}
    })
  },
)

async function replace(tx: Tx, row?: { config: string; password: string | null }): Promise<void> {
  await tx.db.deleteFrom('mail_server').execute()
  if (row) await tx.db.insertInto('mail_server').values(row).execute()
  // The failures of the former server say nothing about this one.
  if (!mailPoolOf(tx.chat).fixed) await noteWorking(tx)
  storedMailServer.invalidate(tx)
}

function requireUnlocked({ chat }: Pick<Context, 'chat'>): void {
  const lock = mailLockOf(chat)
  if (lock !== null) throw badRequest(reasons[lock])
}

function checked(
  chat: Chat,
  given: Omit<PageMailServer, 'user'> & { user?: string | null | undefined },
): PageMailServer {
  const { port, security } = given
  const host = hostIn(given.host)
  if (!mailPoolOf(chat).allowPrivate && isPrivate(host))
    throw invalidField('host', `${host} is not on the public Internet. Start the server with --mail-url to use it.`)
  const user = given.user || null
  if (user !== null && security === 'none')
    throw invalidField('security', 'A user name and password are only sent over an encrypted connection.')
  try {
    parseMailbox(given.from)
  } catch (error) {
    throw invalidField('from', (error as Error).message)
  }
  return { host, port, security, user, from: given.from }
}

function hostIn(given: string): string {
  const plain = given.replace(/^\[(.*)\]$/, '$1')
  const host = isIP(plain) === 0 ? domainToASCII(plain) : plain
  if (isIP(host) !== 0 || DOMAIN.test(host)) return host
  throw invalidField('host', 'Enter a host name such as mail.example.com, without a protocol or port.')
}

/** A name may still belong to a private network, which is found out when the server connects. */
const isPrivate = (host: string): boolean => (isIP(host) === 0 ? isThisMachine(host) : !isPublicAddress(host))

/** Returns the password to store. A known password never goes to another server, or over a weaker connection. */
async function sealedFor(
  context: Pick<Context, 'chat' | 'cache'>,
  server: PageMailServer,
  password: string | undefined,
): Promise<string | null> {
  if (server.user === null) {
    if (password !== undefined) throw invalidField('user', 'Enter the user name for this password.')
    return null
  }
  if (password !== undefined) return secretsOf(context.chat).seal(password)
  const before = await storedMailServer.get(context)
  if (before?.password == null || passwordOf(context.chat, before) === undefined || !isSame(membersOf(before), server))
    throw invalidField('password', 'Enter the password of this user.')
  return before.password
}

const isSame = (a: PageMailServer, b: PageMailServer): boolean =>
  a.host === b.host && a.port === b.port && a.security === b.security && a.user === b.user
