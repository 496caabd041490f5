import type { ClientState } from '../../../../src/client/index.ts'

export type Bot = ClientState['realm_bots'][number]

export const GENERIC = 1
export const INCOMING = 2
export const OUTGOING = 3

/** The types of bots, with what each is for. */
export const botKinds: readonly (readonly [type: number, label: string])[] = [
  [GENERIC, 'Reads and writes, by the API'],
  [INCOMING, 'Incoming webhook: another service writes with it'],
  [OUTGOING, 'Outgoing webhook: the server posts messages to another one'],
]

/** What an outgoing webhook posts. */
export const interfaces = [
  [1, 'JSON of this server'],
  [2, 'The form of Slack'],
] as const
