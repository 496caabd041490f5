import { createDownload, createFetch, createPost } from '../network/post.ts'
import { openStore } from '../storage/index.ts'
import { removeOldEmailChanges } from './accounts/change-email.ts'
import { accountOfPersonOf } from './accounts/directory-accounts.ts'
import { countFailedSignIns, failedSignInsOf } from './accounts/failed-sign-ins.ts'
import { endExpiredTokens } from './accounts/issue-token.ts'
import { keyUseOf, recordKeyUse } from './accounts/key-use.ts'
import { removeOldDevices } from './accounts/known-devices.ts'
import { PASSWORD_COST } from './accounts/passwords.ts'
import { checkSignOn, openSignOn } from './accounts/providers/sign-on.ts'
import { removeEndedSessions } from './accounts/sessions.ts'
import { accountOfPerson } from './accounts/sign-on/directory.ts'
import { syncNightly } from './accounts/sign-on/directory-sync.ts'
import { endKeysWithoutTerms } from './accounts/terms.ts'
import { tokenEndsOf, watchTokenEnds } from './accounts/tokens/ends.ts'
import { feedsOf, startFeeds } from './bots/feeds/worker.ts'
import { removeOldPayloads } from './bots/incoming/deliveries.ts'
import { downloadOf, fetchOf, postOf } from './bots/outgoing/post-of.ts'
import { startOutgoing } from './bots/outgoing/worker.ts'
import { busOf, createBus } from './events/log/bus.ts'
import { createEventIds, eventIdsOf } from './events/log/event-ids.ts'
import { followPeers } from './events/log/follow-peers.ts'
import { leaveGap } from './events/log/leave-gaps.ts'
import { headOfLog } from './events/log/log.ts'
import { createPeerChanges, newestPeerChange, peerChangesOf } from './events/log/peer-changes.ts'
import { gossipOf, openGossip } from './events/log/peer-gossip.ts'
import { newestPollsOf, openNewestPolls } from './events/queues/newest-poll.ts'
import { startSweeping } from './events/queues/sweep.ts'
import { importerOf } from './files/import-uploads.ts'
import { startThumbnailer, thumbnailerOf } from './files/thumbnailer.ts'
import { type Clock, seconds, systemClock } from './kernel/base/clock.ts'
import {
  DEFAULT_MAX_EMOJI_FILE_SIZE_MIB,
  DEFAULT_MAX_FILE_UPLOAD_SIZE_MIB,
  DEFAULT_RESERVE_MIB,
  DEFAULT_UNUSED_FILE_DAYS,
  FEATURE_LEVEL,
  limitsWith,
} from './kernel/base/limits.ts'
import { type Logger, silent } from './kernel/base/logger.ts'
import { systemRandom } from './kernel/base/random.ts'
import { cacheOf, createCache } from './kernel/cache.ts'
import type { Chat, ChatOptions } from './kernel/chat.ts'
import { organizationIsOpen } from './kernel/context.ts'
import { diskSpaceOf, watchDiskSpace } from './kernel/disk-space.ts'
import { DEFAULT_PUBLIC_URL } from './kernel/public-url.ts'
import { openSecrets, secretsOf } from './kernel/secrets.ts'
import { defineService } from './kernel/service.ts'
import { storeOf } from './kernel/store.ts'
import { removeOldMail } from './mail/clean-up.ts'
import { checkedPattern } from './mail/incoming-address.ts'
import { closeMail, type MailPool, mailPoolOf, openMail } from './mail/mail-service.ts'
import { nextMail } from './mail/outbox.ts'
import { storedMailServer } from './mail/page-server.ts'
import { removeOldMailIn } from './mail/receiving/received.ts'
import { startMailWhenSetUp } from './mail/sending/start.ts'
import { showThumbnails } from './messages/edit/show-thumbnails.ts'
import { startMoves } from './messages/move/finish.ts'
import { sayDiskIsLow } from './messages/notices/low-disk.ts'
import { previewFetchOf } from './messages/previews/page.ts'
import { startLinkPreviews } from './messages/previews/worker.ts'
import { startExpiring } from './messages/retention/daily.ts'
import { startScheduler } from './messages/scheduled/scheduler.ts'
import { linkPreviewsOf, mailWorkerOf, mobilePushOf, outgoingOf, webPushOf } from './messages/send/message-workers.ts'
import { schedulerOf } from './messages/send/schedule.ts'
import { indexerOf, startSearchIndexer } from './narrow/search/indexer.ts'
import { expireAudit } from './organization/audit/retention.ts'
import { checkedCallServers } from './organization/calls/servers.ts'
import { exporterOf, startExporter } from './organization/exports/exporter.ts'
import { removeExpiredExports } from './organization/exports/own-exports.ts'
import { startImporter } from './organization/imports/importer.ts'
import { startMobilePush } from './push/push-devices.ts'
import { checkedService } from './push/push-service.ts'
import { startWebPush } from './push/worker.ts'
import { gatherPresence, presenceReportsOf } from './users/presence-reports.ts'

/**
 * Opens a chat on a database file, creating it when there is none.
 *
 * @throws StorageError when the file is in use by another process, is no chat-server database, or cannot be written.
 * @example
 * await using chat = await openChat({ db: 'chat.db' })
 */
export const openChat = (options: ChatOptions = {}): Promise<Chat> => openFrom(options)

/** As `openChat`; in memory it may begin as a copy of an image. */
export async function openFrom(options: ChatOptions, image?: Uint8Array): Promise<Chat> {
  const { clock = systemClock, random = systemRandom, logger = silent } = options
  const chat: Chat = {
    clock,
    random,
    openedAt: seconds(clock),
    options: {
      publicUrl: options.publicUrl ?? DEFAULT_PUBLIC_URL,
      maxEmojiFileSizeMib: options.maxEmojiFileSizeMib ?? DEFAULT_MAX_EMOJI_FILE_SIZE_MIB,
      maxFileUploadSizeMib: options.maxFileUploadSizeMib ?? DEFAULT_MAX_FILE_UPLOAD_SIZE_MIB,
      unusedFileDays: options.unusedFileDays ?? DEFAULT_UNUSED_FILE_DAYS,
      reserveMib: options.reserveMib ?? DEFAULT_RESERVE_MIB,
      initialsAvatars: options.initialsAvatars ?? false,
      dev: options.dev ?? false,
      passwordCost: options.passwordCost ?? PASSWORD_COST,
      logger,
      checkContract: options.checkContract ?? false,
      featureLevel: options.featureLevel ?? FEATURE_LEVEL,
      limits: limitsWith(options.limits),
      pushService: checkedService(options.pushService),
      callServers: checkedCallServers(options.callServers),
      mailSetup: options.mailSetup ?? true,
      mailInAddress: checkedPattern(options.mailIn?.address),
      importFolder: options.importFolder,
      gifApiKeys: { giphy: '', tenor: '', klipy: '', ...options.gifApiKeys },
    },
    close: () => close(),
    [Symbol.asyncDispose]: () => close(),
  }
  let close = await openParts(chat, options, image)
  replacementOf.provide(chat, async (next) => {
    await close()
    close = await openParts(chat, options, next)
  })
  return chat
}

/** Puts another database in the place of the chat's, in memory: all its parts are closed and made again, for tests. */
export const replacementOf = defineService<(image: Uint8Array) => Promise<void>>('replacement')

/** Opens the store and what works on it, and hands each part to the chat. Returns what closes them. */
async function openParts(chat: Chat, options: ChatOptions, image?: Uint8Array): Promise<() => Promise<void>> {
  const { clock, random } = chat
  const { logger } = chat.options
  const mail = options.mail && (await openMail(options.mail, options.publicUrl))
  const signOn = options.signOn && (await checkSignOn(options.signOn, options.publicUrl))
  // Loaded only if email is sent.
  const sending = mail ? await import('./mail/sending/worker.ts') : undefined
  const store = await openStore({
    file: options.db ?? ':memory:',
    image,
    now: () => seconds(clock),
    onForeignAwait: warnOfForeignAwaits(clock, logger),
    onRollback: leaveGap,
    warn: (text) => logger.warn({}, text),
    ...(options.cacheMib !== undefined && { cacheMib: options.cacheMib }),
    ...(options.onBroken && { onBroken: options.onBroken }),
  })
  try {
    const eventIds = await createEventIds(store.db, await headOfLog(store.db), store.peers !== undefined)
    const changes = store.peers && createPeerChanges(chat, await newestPeerChange(store.db))
    const bus = createBus(eventIds.newest, logger)
    const cache = createCache(
      (keys) => bus.invalidate(keys),
      changes && ((db, key) => changes.record(db, { cached: key })),
    )
    bus.onInvalidate((keys) => {
      cache.drop(keys)
      // Nothing is sent while the organization is deactivated; another process may have reactivated it.
      if (keys.includes(organizationIsOpen.key)) wakeAll()
      if (keys.includes(nextMail.key) || keys.includes(storedMailServer.key)) mailWorker.wake()
    })
    storeOf.provide(chat, store)
    const mailPool: MailPool = {
      fixed: mail,
      rate: options.mail?.rate,
      allowPrivate: options.outgoing?.allowPrivate ?? false,
    }
    mailPoolOf.provide(chat, mailPool)
    openSignOn(chat, signOn, options.signOn?.ask)
    accountOfPersonOf.provide(chat, accountOfPerson)
    cacheOf.provide(chat, cache)
    const onLow = (freeMib: number) => {
      logger.warn({ free_mib: freeMib }, 'the disk is almost full, so uploads are rejected')
      sayDiskIsLow(chat, freeMib).catch((error) => logger.error({ err: error }, 'the owners could not be notified'))
    }
    const diskSpace = watchDiskSpace(chat, store.file, onLow, options.freeBytes)
    diskSpaceOf.provide(chat, diskSpace)
    secretsOf.provide(chat, await openSecrets(store, { secret: options.secret, random, logger }))
    eventIdsOf.provide(chat, eventIds)
    busOf.provide(chat, bus)
    peerChangesOf.provide(chat, changes)
    gossipOf.provide(chat, openGossip(chat))
    newestPollsOf.provide(chat, openNewestPolls(chat))
    const scheduler = startScheduler(chat)
    schedulerOf.provide(chat, scheduler)
    const thumbnailer = startThumbnailer(chat, showThumbnails)
    thumbnailerOf.provide(chat, thumbnailer)
    const indexer = startSearchIndexer(chat)
    indexerOf.provide(chat, indexer)
    const { post, fetch, download, ...limits } = options.outgoing ?? {}
    postOf.provide(chat, post ?? createPost(limits))
    fetchOf.provide(chat, fetch ?? createFetch(limits))
    downloadOf.provide(chat, download ?? createDownload(limits))
    // Never a private address, even where webhooks may reach them: everyone could read pages through it.
    previewFetchOf.provide(chat, fetch ?? createFetch({ timeoutMs: 5000, maxBytes: 1024 * 1024 }))
    const previews = startLinkPreviews(chat)
    linkPreviewsOf.provide(chat, previews)
    const outgoing = startOutgoing(chat)
    outgoingOf.provide(chat, outgoing)
    const webPush = startWebPush(chat)
    webPushOf.provide(chat, webPush)
    const mobilePush = startMobilePush(chat)
    mobilePushOf.provide(chat, mobilePush)
    const feeds = startFeeds(chat)
    feedsOf.provide(chat, feeds)
    const mailWorker = startMailWhenSetUp(chat, sending?.startMail)
    mailWorkerOf.provide(chat, mailWorker)
    const exporter = startExporter(chat)
    exporterOf.provide(chat, exporter)
    const importer = startImporter(chat)
    importerOf.provide(chat, importer)
    const moves = startMoves(chat)
    const keyUse = recordKeyUse(chat)
    keyUseOf.provide(chat, keyUse)
    const tokenEnds = watchTokenEnds(chat, () => endExpiredTokens(chat))
    tokenEndsOf.provide(chat, tokenEnds)
    const failedSignIns = countFailedSignIns(chat)
    failedSignInsOf.provide(chat, failedSignIns)
    const presenceReports = gatherPresence(chat)
    presenceReportsOf.provide(chat, presenceReports)
    const stopSweeping = startSweeping(chat)
    const stopExpiring = startExpiring(chat, [
      removeOldPayloads,
      removeEndedSessions,
      endExpiredTokens,
      endKeysWithoutTerms,
      expireAudit,
      removeOldMail,
      removeOldMailIn,
      removeOldEmailChanges,
      removeOldDevices,
      removeExpiredExports,
      // The last, because it waits for another server.
      syncNightly,
    ])
    const wakeAll = () => {
      for (const worker of [
        scheduler,
        thumbnailer,
        indexer,
        outgoing,
        webPush,
        mobilePush,
        feeds,
        exporter,
        importer,
        moves,
        mailWorker,
      ])
        worker.wake()
    }
    followPeers(chat, wakeAll)
    store.peers?.onLead(wakeAll)
    wakeAll()
    return async () => {
      scheduler.stop()
      thumbnailer.stop()
      indexer.stop()
      outgoing.stop()
      webPush.stop()
      mobilePush.stop()
      await feeds.stop()
      await previews.stop()
      mailWorker.stop()
      await exporter.stop()
      await importer.stop()
      await moves.stop()
      stopSweeping()
      stopExpiring()
      diskSpace.stop()
      tokenEnds.stop()
      keyUse.stop()
      await keyUse.flush().catch(() => {})
      failedSignIns.stop()
      await failedSignIns.flush().catch(() => {})
      await presenceReports.flush().catch(() => {})
      presenceReports.stop()
      closeMail(mailPool)
      bus.close()
      await store.close()
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

const WARN_EVERY_MS = 60_000

/** The application that embeds the chat may await in its writes what it should not; each would be a line. */
function warnOfForeignAwaits(clock: Clock, logger: Logger): () => void {
  let quietUntil = Number.NEGATIVE_INFINITY
  return () => {
    const now = clock.now()
    if (now < quietUntil) return
    quietUntil = now + WARN_EVERY_MS
    logger.warn(
      {},
      'a write is waiting for something other than the database, and all other requests have to wait for it',
    )
  }
}
