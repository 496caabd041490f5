import type { Caller } from '../../kernel/context.ts'
import type { User } from '../../kernel/user.ts'
import type { AccessedStream } from '../../streams/access.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { type Prepared, prepare } from '../send/prepare.ts'
import { isNotified, sendNotices } from './direct.ts'
import { listed, silentMention, streamLink } from './words.ts'

/** Notifies users of the streams that the caller subscribed them to. */
export async function saySubscribed(
  caller: Caller,
  streamsOf: ReadonlyMap<User, readonly AccessedStream[]>,
): Promise<void> {
  const bot = await asSystemBot(caller)
  // Most people are subscribed to the same streams.
  const texts = new Map<string, Prepared>()
  const notices: { user: User; prepared: Prepared }[] = []
  for (const [user, streams] of streamsOf) {
    if (!isNotified(caller, user) || streams.length === 0) continue
    const key = streams.map((stream) => stream.id).join()
    const prepared = texts.get(key) ?? (await prepare(bot, content(caller.user, streams), streams))
    texts.set(key, prepared)
    notices.push({ user, prepared })
  }
  await sendNotices(caller, notices)
}

function content(by: User, streams: readonly AccessedStream[]): string {
  const names = streams.map(streamLink)
  if (names.length === 1) return `${silentMention(by)} subscribed you to the channel ${names[0]}.`
  return `${silentMention(by)} subscribed you to the following channels:\n\n* ${listed(names, '\n* ')}`
}
