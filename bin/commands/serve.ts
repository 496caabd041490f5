import { existsSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { dirname, resolve } from 'node:path'
import type { Logger } from 'pino'
import { createOrganization, hasOrganization } from '../../src/core/accounts/create-organization.ts'
import { isLoopbackUrl } from '../../src/core/accounts/dev/dev-keys.ts'
import { generatePassword, type NewPassword, PASSWORD_COST } from '../../src/core/accounts/passwords.ts'
import { busOf } from '../../src/core/events/log/bus.ts'
import { systemRandom } from '../../src/core/kernel/base/random.ts'
import type { Chat, SignOnOptions } from '../../src/core/kernel/chat.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { basePathIn, checkedBasePath, linkBase, noteAddress } from '../../src/core/kernel/public-url.ts'
import { openMail } from '../../src/core/mail/mail-service.ts'
import { openChat } from '../../src/core/open-chat.ts'
import type { AuditSink } from '../../src/core/organization/audit/stream.ts'
import { setUpPath } from '../../src/core/organization/set-up.ts'
import { parseRates } from '../../src/http/guards/rates.ts'
import type { Metrics } from '../../src/http/metrics/metrics.ts'
import { type TrustProxy, trustOf } from '../../src/http/proxy.ts'
import { version } from '../../src/http/version.ts'
import { webFilesProblem } from '../../src/http/web/client-files.ts'
import { docsFiles } from '../../src/http/web/docs-routes.ts'
import { readFrameAncestors } from '../../src/http/web/frame-ancestors.ts'
import { fileSystemProblem, isFile, nameOf, readMounts, realFile } from '../../src/storage/index.ts'
import { listenProblem, urlOf } from '../addresses.ts'
import { spaceFor } from '../checks.ts'
import { fail, reportFailuresTo } from '../failing.ts'
import { holdRequests } from '../held-requests.ts'
import type { Io } from '../io.ts'
import type { Listening } from '../listen.ts'
import { type MailSource, mailInOf, takeMailFrom } from '../mail-in.ts'
import { mailOptions } from '../mail-out.ts'
import { noticesOf } from '../notices.ts'
import { onStop } from '../stop-signals.ts'
import { setUpText, welcomeText } from '../welcome-text.ts'

export interface ServeOptions {
  db: string
  host: string
  port: number
  publicUrl?: string
  rateLimit: boolean
  /** In the format of `parseRates`. */
  rateLimits?: readonly string[]
  trustProxy: TrustProxy
  /** Whether the web client is served. */
  web: boolean
  /** Origins whose pages may embed the web client. */
  frameAncestors?: readonly string[]
  logRequests: boolean
  /** Whether the documentation is served. */
  docs: boolean
  initialsAvatars: boolean
  /** Whether to create the users of `createDevOrganization` if there is no organization yet. */
  dev?: boolean
  metricsPort?: number
  metricsHost: string
  maxEmojiFileSizeMib: number
  maxFileUploadSizeMib: number
  unusedFileDays: number
  reserveMib: number
  importFolder?: string
  allowPrivateWebhooks: boolean
  /** Whether owners may set up a mail server. */
  mailSetup: boolean
  pushService?: string
  /** Where the audit log goes, too: a file, or a syslog server. */
  auditLog?: string
  bigbluebutton?: string
  constructorGroups?: string
  nextcloudTalk?: string
  mailUrl?: string
  mailFrom?: string
  /** The key that signs email, as `domain:selector:file`. */
  mailDkim?: string
  /** The most emails in a number of seconds, as `60/60`. */
  mailRate?: string
  /** Where email comes in: an address to listen on or a mailbox, and the form of the addresses that take it. */
  mailIn?: string
  mailInAddress?: string
  /** File with identity providers. */
  signOn?: string
  /** Headers in which an authenticating proxy names people. */
  userHeader?: string
  giphyApiKey?: string
  tenorApiKey?: string
  klipyApiKey?: string
  /** Whether to print one JSON object on one line instead of text. */
  json?: boolean
  /** Whether to stop when standard input ends, as it does when the parent program ends. */
  stopWithStdin?: boolean
}

/** An open port. Requests wait until `open` sets their listener. */
interface Door extends Listening {
  open(listener: RequestListener): void
}

/** Prepared before the chat is open. */
interface Start {
  options: ServeOptions
  io: Io
  log: Logger
  door: Door
  metricsDoor: Door | undefined
  warning: string | undefined
  generated: Promise<NewPassword> | undefined
  audit: AuditSink | undefined
  signOn: SignOnOptions | undefined
  mailIn: MailSource | undefined
}

/** Listens, opens the chat, prints the address in one line, and shuts down in order when it is stopped. */
export async function serve(options: ServeOptions, io: Io): Promise<void> {
  const { db, host, port, publicUrl, metricsHost, metricsPort } = options
  // Invalid options are reported before a database is created.
  trustOf(options.trustProxy)
  parseRates(options.rateLimits ?? [])
  readFrameAncestors(options.frameAncestors ?? [])
  const basePath = checkedBasePath(publicUrl === undefined ? '' : basePathIn(publicUrl))
  await openMail(mailOptions(options), publicUrl)
  const mailIn = await mailInOf(options)
  const signOn =
    (options.signOn ?? options.userHeader)
      ? await (await import('../sign-on-file.ts')).signOnOptions(options)
      : undefined
  if (options.dev) refusePublic(options)
  if (options.docs) docsFiles()
  const audit =
    options.auditLog === undefined ? undefined : (await import('../audit-sink.ts')).auditSink(options.auditLog)
  const { problem, warning, low } = spaceFor(db, options.reserveMib)
  if (problem) throw new Error(problem)
  // Started early because hashing takes a tenth of a second on another thread. Only the owner of a new database needs
  // it.
  const isNew = isFile(db) && !existsSync(db) && !options.dev
  const generated = isNew ? generatePassword(systemRandom, PASSWORD_COST) : undefined
  const [{ listenOn }, { createLog }] = await Promise.all([import('../listen.ts'), import('../log.ts')])
  const listenOrExplain = async (host: string, port: number, option: string): Promise<Door> => {
    const { listener, open } = holdRequests(basePath)
    const listening = await listenOn(listener, host, port).catch(async (error) => {
      throw await listenProblem(error, host, port, option)
    })
    doors.push({ ...listening, open })
    return doors.at(-1)!
  }
  const doors: Door[] = []
  try {
    // Opens the ports first, so that nothing is created if a port is taken. Requests wait until the chat is open.
    const door = await listenOrExplain(host, port, '--port')
    const metricsDoor =
      metricsPort === undefined ? undefined : await listenOrExplain(metricsHost, metricsPort, '--metrics-port')
    await openAndRun({
      options,
      io,
      log: createLog(io.stderr),
      door,
      metricsDoor,
      warning: low ?? warning,
      generated,
      audit,
      signOn,
      mailIn,
    })
  } catch (error) {
    for (const { server } of doors) server.close().closeAllConnections()
    throw error
  }
}

async function openAndRun(start: Start): Promise<void> {
  const { options, io, log, warning } = start
  const { db, publicUrl } = options
  const chat = await openChat({
    db,
    maxEmojiFileSizeMib: options.maxEmojiFileSizeMib,
    initialsAvatars: options.initialsAvatars,
    dev: options.dev ?? false,
    maxFileUploadSizeMib: options.maxFileUploadSizeMib,
    unusedFileDays: options.unusedFileDays,
    reserveMib: options.reserveMib,
    ...(options.importFolder !== undefined && { importFolder: resolve(options.importFolder) }),
    ...(options.pushService && { pushService: options.pushService }),
    callServers: {
      ...(options.bigbluebutton && { bigBlueButton: options.bigbluebutton }),
      ...(options.constructorGroups && { constructorGroups: options.constructorGroups }),
      ...(options.nextcloudTalk && { nextcloudTalk: options.nextcloudTalk }),
    },
    mail: mailOptions(options),
    mailSetup: options.mailSetup,
    ...(options.mailInAddress && { mailIn: { address: options.mailInAddress } }),
    ...(start.signOn && { signOn: start.signOn }),
    gifApiKeys: {
      ...(options.giphyApiKey && { giphy: options.giphyApiKey }),
      ...(options.tenorApiKey && { tenor: options.tenorApiKey }),
      ...(options.klipyApiKey && { klipy: options.klipyApiKey }),
    },
    outgoing: { allowPrivate: options.allowPrivateWebhooks },
    ...(publicUrl && { publicUrl }),
    logger: log,
    onBroken: (error) => fail(error, io),
  })
  reportFailuresTo(log, io)
  if (warning) log.warn({ db }, warning)
  const doubtful = isFile(db) && fileSystemProblem(dirname(realFile(resolve(db))), readMounts())
  if (doubtful) log.warn({ db }, doubtful.message)
  try {
    await run(chat, start)
  } catch (error) {
    await chat.close()
    throw error
  }
}

async function run(
  chat: Chat,
  { options, io, log, door, metricsDoor, generated, audit, mailIn }: Start,
): Promise<void> {
  const { db, host, publicUrl, rateLimit, trustProxy, logRequests, metricsHost, json } = options
  const creating = (await hasOrganization(chat)) ? undefined : firstOrganization(chat, generated)
  const [{ createApp }, { nodeListener }, { closeListener }, { listenForCommands }] = await Promise.all([
    import('../../src/http/app.ts'),
    import('../../src/http/node.ts'),
    import('../../src/http/server.ts'),
    import('../../src/admin/socket.ts'),
  ])
  const owner = await creating
  const rateLimits = parseRates(options.rateLimits ?? [])
  const metrics = metricsDoor && (await serveMetrics(chat, metricsDoor))
  const webProblem = options.web ? webFilesProblem() : undefined
  const web = options.web && webProblem === undefined && { frameAncestors: options.frameAncestors ?? [] }
  const app = createApp({
    chat,
    rateLimit,
    rateLimits,
    trustProxy,
    web,
    docs: options.docs,
    ...(publicUrl && { publicUrl }),
    ...(metrics && { metrics }),
    // The log adds its own time.
    ...(logRequests && { onRequest: ({ time: _, ...entry }) => log.info(entry, 'request') }),
  })
  const url = urlOf(host, door.port) + app.basePath
  noteAddress(chat, url)
  // The server also works without the command socket: the folder may be public, and the one for temporary files
  // read-only.
  const unreachable = (error: Error) =>
    void log.warn({ db }, `chat-server user, org and backup cannot reach this server: ${error.message}`)
  const stream = audit && (await import('../../src/core/organization/audit/stream.ts')).streamAudit(chat, audit)
  const mail = mailIn && (await takeMailFrom(chat, mailIn))
  const admin = isFile(db) ? await listenForCommands(chat).catch(unreachable) : undefined

  onStop(
    io,
    async (reason) => {
      log.info({ reason }, 'stopping')
      app.release()
      busOf(chat).close()
      const doors = [door, ...(metricsDoor ? [metricsDoor] : [])]
      await Promise.all([
        ...doors.map(({ server }) => closeListener(server)),
        admin?.[Symbol.asyncDispose](),
        mail?.close(),
      ])
      await stream?.stop()
      await chat.close()
      log.info('stopped')
      io.exit(0)
    },
    options,
  )
  door.open(nodeListener(app))
  let ready = `chat-server listening on ${url}\n`
  const setUp = await setUpPath(contextOf(chat))
  const setUpLink = setUp && `${linkBase(chat) ?? url}${setUp}`
  const metricsUrl = metricsDoor && `${urlOf(metricsHost, metricsDoor.port)}/metrics`
  if (json) {
    const { readyObject } = await import('../ready-object.ts')
    const links = { ...(setUpLink && { set_up_url: setUpLink }), ...(metricsUrl && { metrics_url: metricsUrl }) }
    ready = `${JSON.stringify(await readyObject(chat, { url, owner, ...links }))}\n`
  } else if (owner) io.stdout.write(welcomeText(owner, url, setUpLink))
  else if (setUpLink) io.stdout.write(setUpText(setUpLink))
  if (metricsUrl && !json) io.stdout.write(`metrics on ${metricsUrl}\n`)
  const about = { version: version(), node: process.versions.node, db: nameOf(db), ms: Math.round(performance.now()) }
  log.info({ ...about, ...(webProblem && { web: webProblem }) }, 'started')
  // The link is a secret, so the log doesn't contain it.
  if (setUpLink) log.info('the organization is not set up yet; the setup link is on standard output')
  for (const notice of await noticesOf(chat)) log.warn({ db: nameOf(db) }, notice)
  io.stdout.write(ready)
}

async function serveMetrics(chat: Chat, { open }: Door): Promise<Metrics> {
  const [{ createMetrics }, { metricsListener }] = await Promise.all([
    import('../../src/http/metrics/metrics.ts'),
    import('../../src/http/metrics/listener.ts'),
  ])
  const metrics = await createMetrics(chat)
  open(metricsListener(metrics))
  return metrics
}

async function firstOrganization(chat: Chat, generated: Start['generated']) {
  if (!chat.options.dev) {
    return createOrganization(
      chat,
      { org: 'Chat', owner_email: 'owner@localhost', owner_name: 'Owner' },
      { setUp: true, generated },
    )
  }
  return (await import('../../src/core/accounts/dev/dev-people.ts')).createDevOrganization(chat)
}

/** Rejects options that would let others reach a server that returns keys without passwords. */
function refusePublic({ host, publicUrl, trustProxy }: ServeOptions): void {
  const isHere = (url: string) => URL.canParse(url) && isLoopbackUrl(url)
  if (!isHere(`http://${host.includes(':') ? `[${host}]` : host}`)) {
    throw new Error(`--dev returns keys without passwords, so --host ${host} must be a loopback address`)
  }
  if (publicUrl && !isHere(publicUrl))
    throw new Error('--dev returns keys without passwords, so it works only without --public-url')
  if (trustProxy !== false)
    throw new Error('--dev returns keys without passwords, so it works only without --trust-proxy')
}
