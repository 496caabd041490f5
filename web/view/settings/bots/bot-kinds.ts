import type { ClientState } from '../../../../src/client/index.ts'
import { pageTexts } from '../../../texts/page-texts.ts'

export type Bot = ClientState['realm_bots'][number]

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
