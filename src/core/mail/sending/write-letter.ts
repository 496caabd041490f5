import type { Context } from '../../kernel/context.ts'
import type { User } from '../../kernel/user.ts'
import type { Letter } from '../letter.ts'
import type { MailRow } from '../outbox.ts'
import type { Reader } from '../reader.ts'

export interface Addressed extends Letter {
  /** In whose language it is written. */
  reader: Reader
  /** Gets it at the address that their account has now; otherwise it goes to the address of the row. */
  to?: User
  headers?: Readonly<Record<string, string>>
}

export interface Pointless {
  /** Why the email is not needed anymore. */
  readonly pointless: string
}

export interface Later {
  /** When it may be sent, in seconds since 1970. */
  readonly later: number
}

/** Makes the text of an email when it is sent. Reads its cause again, because much may have happened since. */
export type WriteLetter = (
  context: Context,
  mail: MailRow & { user: User | undefined },
) => Promise<Addressed | Pointless | Later>
