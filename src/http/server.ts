import { createServer, type Server as NodeServer } from 'node:http'
import { toRequest } from 'h3'
import { busOf } from '../core/events/log/bus.ts'
import { timers } from '../core/kernel/base/timers.ts'
import type { Chat, ChatOptions } from '../core/kernel/chat.ts'
import { noteAddress } from '../core/kernel/public-url.ts'
import { openChat } from '../core/open-chat.ts'
import { type App, type AppOptions, createApp } from './app.ts'
import { configureNodeServer, nodeListener } from './node.ts'

export interface ServerOptions extends AppOptions, Omit<ChatOptions, 'publicUrl'> {
  /** An open chat to serve. It stays open when the server closes. Without one, the server opens and closes `db`. */
  chat?: Chat
  /** 0, the default, chooses a free port. */
  port?: number
  /** Address to listen on; by default only this machine can connect. */
  host?: string
}

export interface ChatServer extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string
  readonly port: number
  readonly chat: Chat
  /** Sends a request to the server without a socket. */
  fetch(request: string | Request, init?: RequestInit): Promise<Response>
  /** Answers waiting polls, stops listening, and finishes requests in progress. */
  close(): Promise<void>
}

/** Milliseconds after which connections in use are closed. */
const GRACE_MS = 1500

/**
 * Starts a chat server.
 *
 * @throws StorageError if the database can't be opened; EADDRINUSE and the like if the port isn't available
 * @example
 * await using server = await createChatServer({ db: 'chat.db', port: 9991 })
 * console.log(server.url)
 */
export async function createChatServer(options: ServerOptions = {}): Promise<ChatServer> {
  const { chat: given } = options
  const chat = given ?? (await openChat(options))
  try {
    return await serveApp(createApp({ ...options, chat }), chat, { ...options, ownsChat: !given })
  } catch (error) {
    if (!given) await chat.close()
    throw error
  }
}

/** Serves an app of this chat. With `ownsChat`, closing the server closes the chat. */
export async function serveApp(
  app: App,
  chat: Chat,
  { port = 0, host = '127.0.0.1', ownsChat = false }: Pick<ServerOptions, 'port' | 'host'> & { ownsChat?: boolean },
): Promise<ChatServer> {
  const node = createServer(nodeListener(app))
  configureNodeServer(node)
  await new Promise<void>((resolve, reject) => node.once('error', reject).listen(port, host, resolve))
  const address = node.address()
  if (address === null || typeof address === 'string') throw new Error("the server isn't listening on a port")
  let closing: Promise<void> | undefined
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}${app.basePath}`
  noteAddress(chat, url)
  const server: ChatServer = {
    url,
    port: address.port,
    chat,
    fetch: async (request, init) => app.fetch(toRequest(request, init)),
    close: () => {
      closing ??= shutDown()
      return closing
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
  return server

  async function shutDown(): Promise<void> {
    app.release()
    if (ownsChat) busOf(chat).close()
    await closeListener(node)
    if (ownsChat) await chat.close()
  }
}

/** Stops listening. Resolves when the last response is sent, or cut off after the grace period. Throws nothing. */
export async function closeListener(node: NodeServer): Promise<void> {
  const closed = new Promise<void>((resolve) => void node.close(() => resolve()))
  // @NOTE a connection that becomes idle after close() would otherwise stay until it times out
  const sweep = timers.setInterval(() => node.closeIdleConnections(), 20)
  const cut = timers.setTimeout(() => node.closeAllConnections(), GRACE_MS)
  await closed
  timers.clearInterval(sweep)
  timers.clearTimeout(cut)
}
