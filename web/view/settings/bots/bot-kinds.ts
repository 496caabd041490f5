import type { ClientState } from '../../../../src/client/index.ts'
import { pageTexts } from '../../../texts/page-texts.ts'

type Account = ClientState['realm_users'][number]

/** A bot's settings with its account: its name, address, type and owner. */
export type Bot = ClientState['realm_bots'][number] & Account

/** Returns a bot with its account; undefined for a deactivated bot. */
export function withAccount(bot: ClientState['realm_bots'][number], active: readonly Account[]): Bot | undefined {
  const account = active.find(({ user_id }) => user_id === bot.user_id)
  return account && { ...account, ...bot }
}

export const GENERIC = 1
export const INCOMING = 2
export const OUTGOING = 3

/** The types of bots, with what each is for. */
export const botKinds: readonly (readonly [type: number, label: string])[] = [
  [GENERIC, pageTexts.bots.generic],
  [INCOMING, pageTexts.bots.incoming],
  [OUTGOING, pageTexts.bots.outgoing],
]

/** What an outgoing webhook sends. */
export const interfaces = [
  [1, pageTexts.bots.json],
  [2, pageTexts.bots.slackFormat],
] as const
