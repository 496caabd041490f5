import type { SendMail } from '../../network/mail/mail.ts'
import type { Download, Fetch, Post } from '../../network/post.ts'
import type { AskNamedServer } from '../../network/provider.ts'
import type { OpenOptions } from '../../storage/index.ts'
import type { Clock } from './base/clock.ts'
import type { Limits } from './base/limits.ts'
import type { Logger } from './base/logger.ts'
import type { Random } from './base/random.ts'

export interface OutgoingOptions {
  /** Whether receivers may be on this machine and in private networks; false by default. */
  allowPrivate?: boolean
  /** Replaces the network. */
  post?: Post
  /** Replaces the network for feeds and calendars. */
  fetch?: Fetch
  /** Replaces the network for files that an import downloads. */
  download?: Download
}

export interface MailOptions {
  /** Address of the mail server: `smtp://user:password@host:587`, `smtps://…`, or `sendmail:` for the program. */
  url?: string
  /** Sender, such as `Chat <chat@example.com>`. */
  from: string
  /** The key that signs email, for mail servers that don't: its domain, the name of its DNS record, and the key in PEM. */
  dkim?: { domain: string; selector: string; key: string }
  /** The most emails in a number of seconds. Unlimited by default. */
  rate?: { emails: number; seconds: number }
  /** Replaces the mail server. */
  send?: SendMail
}

export interface MailInOptions {
  /** Form of the addresses that take email, with `%s` once: `%s@chat.example.com` or `chat+%s@example.com`. */
  address: string
}

export interface SignOnOptions {
  /** The content of a sign-on file, as docs/operate/identity-providers.md describes it. */
  config?: unknown
  /**
   * The header in which a proxy names the person it has signed in, such as `X-Remote-User`, and after a colon the one with
   * their groups. It counts only from addresses in `trustProxy`.
   */
  userHeader?: string
  /** Replaces the network. */
  ask?: AskNamedServer
}

export interface GifApiKeys {
  giphy: string
  tenor: string
  klipy: string
}

/** Servers for calls that an operator may name. The address contains the credentials. */
export interface CallServers {
  /** As `https://:SECRET@host/bigbluebutton/`. */
  bigBlueButton: string
  /** As `https://ACCESS_KEY:SECRET_KEY@host/api/groups/xapi`. */
  constructorGroups: string
  /** As `https://user:app-password@host`. */
  nextcloudTalk: string
}

export interface ChatOptions {
  /** Database file, or ':memory:' (the default). */
  db?: string
  /** MiB of memory that pages of a SQLite file may take; 16 by default. */
  cacheMib?: number
  /** Base URL of the server as clients reach it, without a trailing slash. */
  publicUrl?: string
  /** Server setting MAX_EMOJI_FILE_SIZE_MIB (specification, Limits). */
  maxEmojiFileSizeMib?: number
  /** Largest file that users may upload; 25 by default. */
  maxFileUploadSizeMib?: number
  /** Days after which a file without references is deleted; 35 by default. */
  unusedFileDays?: number
  /**
   * MiB of the database's disk that files, exports and backups leave free; 64 by default. Messages leave a quarter of
   * it.
   */
  reserveMib?: number
  /** A folder whose files and folders owners may import in the page. None by default. */
  importFolder?: string
  /** Returns the free bytes on the disk of a file or folder; replaces the system's answer in tests. */
  freeBytes?: (path: string) => number
  /**
   * Serve initials avatars for users who uploaded none. Off by default: their `avatar_url` is then null for clients
   * that compute Gravatars (`client_gravatar`), as specified, and an address at gravatar.com for others.
   */
  initialsAvatars?: boolean
  /**
   * For development on one machine: anyone who reaches the server under an address of this machine gets a key of any
   * account without a password. Off by default.
   */
  dev?: boolean
  /**
   * The secret that API keys are hashed with, 32 random bytes, for servers that don't store it in a file beside the
   * database. It must be the same at each start.
   */
  secret?: Uint8Array
  /** Keys of services that search GIFs, by service. Clients get them and ask the services; the server never does. */
  gifApiKeys?: Partial<GifApiKeys>
  /** Servers for calls, which are asked when somebody starts or joins one. None by default. */
  callServers?: Partial<CallServers>
  /**
   * Address of the push service that notifies mobile devices, such as `https://id:key@push.example.com`. It gets no
   * content, which only the devices can decrypt. Nothing is contacted by default.
   */
  pushService?: string
  /** How email is sent; needs `publicUrl`. Nothing is sent by default. */
  mail?: MailOptions
  /** Whether owners may set up a mail server if `mail` names none; true by default. */
  mailSetup?: boolean
  /** How addresses for email that comes in look. By default there are none. */
  mailIn?: MailInOptions
  /** Identity providers that people sign in with; needs `publicUrl`. None by default. */
  signOn?: SignOnOptions
  clock?: Clock
  random?: Random
  /** Cost of password hashing as a power of two; tests lower it. */
  passwordCost?: number
  /** Logs failures that no caller sees, and problems for an operator. Nothing is logged by default. */
  logger?: Logger
  /**
   * How outgoing webhooks reach their receivers, and feeds and link previews their addresses. A chat connects to other
   * servers only for these, for Web Push, for files that an import is to download, and for `pushService`,
   * `callServers`, `signOn` and `mail`. Owners can set up identity providers and a mail server, too. Link previews are off
   * until an organization turns them on.
   */
  outgoing?: OutgoingOptions
  /** Called after the disk has failed. The chat accepts no more writes. */
  onBroken?: OpenOptions['onBroken']
  /**
   * Checks every response and event against its schema, and throws if one differs. For tests, because it costs time.
   */
  checkContract?: boolean
  /** Lower limits, to test how clients handle them. */
  limits?: Partial<Limits>
  /**
   * The feature level that the server reports, to test how clients behave with an older server. Nothing else changes.
   */
  featureLevel?: number
}

/**
 * An open chat. Its parts (the store, the bus, the secret) are reached through handles that each floor of core defines
 * with `defineService`, so that the public type contains none of them.
 */
export interface Chat extends AsyncDisposable {
  readonly clock: Clock
  readonly random: Random
  readonly options: Required<
    Pick<
      ChatOptions,
      | 'publicUrl'
      | 'maxEmojiFileSizeMib'
      | 'maxFileUploadSizeMib'
      | 'unusedFileDays'
      | 'reserveMib'
      | 'initialsAvatars'
      | 'dev'
      | 'passwordCost'
      | 'logger'
      | 'checkContract'
      | 'featureLevel'
      | 'pushService'
      | 'mailSetup'
    >
  > & {
    limits: Limits
    gifApiKeys: GifApiKeys
    callServers: CallServers
    mailInAddress: string | undefined
    importFolder: string | undefined
  }
  /** When this process opened the chat, in seconds. */
  readonly openedAt: number
  /** Waits for pending writes, answers waiting polls and closes the database. */
  close(): Promise<void>
}
