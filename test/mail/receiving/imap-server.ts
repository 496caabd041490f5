// cspell:ignore UIDVALIDITY PERMANENTFLAGS AUTHENTICATIONFAILED TRYCREATE NOPERM LSUB geheim
import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { eventually } from '../../eventually.ts'
import { certificate, key } from '../certificate.ts'

interface Stored {
  uid: number
  raw: string
  flags: Set<string>
}

/** What the server does instead of its usual answer: the text that it sends, or nothing. */
export type Misbehavior = (command: string, socket: Socket) => string | 'nothing' | undefined

/** A small IMAP server on this machine. It knows what a reader of one mailbox needs. */
export async function imapServer({ idle = true, user = 'chat', password = 'geheim/9' } = {}) {
  const folders = new Map<string, Stored[]>([['INBOX', []]])
  /** Connections, and how many emails they were told of. */
  const open = new Map<Socket, { isIdle: boolean; known: number }>()
  const state = {
    folders,
    /** Commands of all connections, without their tags. */
    commands: [] as string[],
    connections: 0,
    canMove: true,
    canCreate: true,
    isReadOnly: false,
    misbehaves: undefined as Misbehavior | undefined,
  }
  let nextUid = 1
  const inbox = () => folders.get('INBOX')!

  /** Announces emails that arrived since the last time. */
  function announce(socket: Socket): void {
    const connection = open.get(socket)
    if (!connection || connection.known === inbox().length) return
    connection.known = inbox().length
    socket.write(`* ${connection.known} EXISTS\r\n`)
  }

  function answer(socket: Socket, tag: string, line: string): unknown {
    const say = (...lines: string[]) => void socket.write(lines.map((each) => `${each}\r\n`).join(''))
    state.commands.push(line)
    const [name, ...rest] = line.replace(/^UID /i, '').split(' ')
    const instead = state.misbehaves?.(line, socket)
    if (instead === 'nothing') return undefined
    if (instead !== undefined) return void socket.write(instead.replaceAll('TAG', tag))
    const ok = (text = 'done') => say(`${tag} OK ${text}`)
    const no = (text: string) => say(`${tag} NO ${text}`)
    const words = rest.join(' ')
    const chosen = () => inbox().find(({ uid }) => uid === Number(rest[0]))
    switch (name!.toUpperCase()) {
      case 'CAPABILITY':
        say(`* CAPABILITY IMAP4rev1 NAMESPACE STARTTLS AUTH=PLAIN${idle ? ' IDLE' : ''}${state.canMove ? ' MOVE' : ''}`)
        return ok()
      case 'AUTHENTICATE':
        return void socket.write('+ \r\n')
      case 'LOGIN':
        return words === `"${user}" "${password}"` ? ok() : no('[AUTHENTICATIONFAILED] Invalid credentials')
      case 'STARTTLS':
        ok()
        socket.removeAllListeners('data')
        return serve(new TLSSocket(socket, { isServer: true, key, cert: certificate }))
      case 'NAMESPACE':
        say('* NAMESPACE (("" "/")) NIL NIL')
        return ok()
      case 'LIST':
        for (const folder of folders.keys()) say(`* LIST () "/" ${folder}`)
        return ok()
      case 'SELECT':
        if (!folders.has(words)) return no('[NONEXISTENT] No such mailbox')
        open.get(socket)!.known = inbox().length
        say(
          `* ${inbox().length} EXISTS`,
          '* OK [UIDVALIDITY 1] valid',
          '* OK [PERMANENTFLAGS (\\Seen \\Deleted)] limited',
        )
        return ok(state.isReadOnly ? '[READ-ONLY] selected' : '[READ-WRITE] selected')
      case 'SEARCH': {
        const found = inbox().filter(({ flags }) => !flags.has('\\Seen') && !flags.has('\\Deleted'))
        say(`* SEARCH ${found.map(({ uid }) => uid).join(' ')}`)
        return ok()
      }
      case 'FETCH': {
        const mail = chosen()
        if (mail)
          socket.write(`* ${inbox().indexOf(mail) + 1} FETCH (UID ${mail.uid} ${itemsOf(mail, words)})\r\n`, 'latin1')
        return ok()
      }
      case 'STORE':
        for (const [flag] of words.matchAll(/\\\w+/g)) chosen()?.flags.add(flag)
        return ok()
      case 'CREATE':
        if (!state.canCreate) return no('[NOPERM] Not allowed')
        if (!folders.has(rest[0]!)) folders.set(rest[0]!, [])
        return ok()
      case 'MOVE':
      case 'COPY': {
        const [mail, target] = [chosen(), folders.get(rest[1]!)]
        if (!mail || !target) return no('[TRYCREATE] No such mailbox')
        target.push(mail)
        if (name === 'MOVE') expunge(socket, mail)
        return ok()
      }
      case 'EXPUNGE':
        for (const mail of inbox().filter(({ flags }) => flags.has('\\Deleted'))) expunge(socket, mail)
        return ok()
      case 'IDLE':
        open.get(socket)!.isIdle = true
        socket.write('+ idling\r\n')
        return announce(socket)
      case 'NOOP':
      case 'LSUB':
      case 'SUBSCRIBE':
        return ok()
      case 'LOGOUT':
        say('* BYE', `${tag} OK done`)
        return void socket.end()
      default:
        return say(`${tag} BAD unknown command`)
    }
  }

  function expunge(socket: Socket, mail: Stored): void {
    socket.write(`* ${inbox().indexOf(mail) + 1} EXPUNGE\r\n`)
    inbox().splice(inbox().indexOf(mail), 1)
    open.get(socket)!.known--
  }

  function serve(socket: Socket): void {
    open.set(socket, { isIdle: false, known: 0 })
    let waiting = ''
    let tag = ''
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    socket.on('data', (data) => {
      waiting += data.toString('latin1')
      for (let end = waiting.indexOf('\r\n'); end !== -1; end = waiting.indexOf('\r\n')) {
        const line = waiting.slice(0, end)
        waiting = waiting.slice(end + 2)
        const isDone = line === 'DONE'
        const [, given, command] = /^(\w+) (.*)$/.exec(line) ?? []
        if (isDone) open.get(socket)!.isIdle = false
        if (isDone) socket.write(`${tag} OK done\r\n`)
        // The answer to AUTHENTICATE.
        else if (!given) {
          const isRight = line === Buffer.from(`\0${user}\0${password}`).toString('base64')
          socket.write(`${tag} ${isRight ? 'OK done' : `NO [AUTHENTICATIONFAILED] wrong: ${line}`}\r\n`)
        } else {
          tag = given
          answer(socket, given, command!)
        }
      }
    })
  }

  const server = createServer((socket) => {
    state.connections++
    serve(socket)
    if (state.misbehaves?.('greeting', socket) === undefined) socket.write('* OK ready\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const drop = () => {
    for (const socket of open.keys()) socket.destroy()
  }
  return {
    state,
    port,
    /** The address of the mailbox. */
    url: `imap://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/INBOX?tls=none`,
    /** An email arrives in the mailbox. */
    arrives(raw: string): Stored {
      const mail = { uid: nextUid++, raw, flags: new Set<string>() }
      inbox().push(mail)
      for (const [socket, { isIdle }] of open) if (isIdle) announce(socket)
      return mail
    },
    drop,
    /** Returns how many connections are open. */
    open: () => open.size,
    /** Resolves when a reader waits for email. */
    waits: () => eventually('the reader waits for email', () => [...open.values()].some(({ isIdle }) => isIdle)),
    /** Returns how often the reader looked for email. */
    looks: () => state.commands.filter((command) => command.includes('SEARCH')).length,
    async [Symbol.asyncDispose]() {
      drop()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type ImapTestServer = Awaited<ReturnType<typeof imapServer>>

/** Writes what a FETCH asked for. */
function itemsOf({ raw, flags }: Stored, asked: string): string {
  const literal = (name: string, text: string) => `${name} {${text.length}}\r\n${text}`
  const [, fields] = /HEADER\.FIELDS \(([^)]*)\)/i.exec(asked) ?? []
  const [, most] = /BODY\.PEEK\[\]<0\.(\d+)>/.exec(asked) ?? []
  const names = (fields ?? '').toLowerCase().replaceAll('"', '').split(' ')
  const head = raw.split('\r\n\r\n', 1)[0]!.split(/\r\n(?![ \t])/)
  const named = head.filter((line) => names.includes(line.split(':', 1)[0]!.toLowerCase()))
  return [
    `FLAGS (${[...flags].join(' ')})`,
    asked.includes('RFC822.SIZE') ? `RFC822.SIZE ${raw.length}` : '',
    fields === undefined ? '' : literal('BODY[HEADER.FIELDS (TO)]', `${named.join('\r\n')}\r\n\r\n`),
    most === undefined ? '' : literal('BODY[]<0>', raw.slice(0, Number(most))),
  ]
    .filter(Boolean)
    .join(' ')
}
